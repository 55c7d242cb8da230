//===- VisionKernels.td - Kernels of Ops/Vision.td ---------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of Kernels.td, which declares the class Kernel. The functions are in
// VisionKernels.cpp, SuppressionKernels.cpp and RegionKernels.cpp in
// lib/Interpreter/Kernels.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_KERNELS_VISIONKERNELS_TD
#define RELAY_INTERPRETER_KERNELS_VISIONKERNELS_TD

include "relay/Ops/Vision.td"

// Regions.
def : Kernel<ROIAlignOp, "evalROIAlign">;
def : Kernel<ROIPoolOp, "evalROIPool">;
def : Kernel<ProposalOp, "evalProposal">;

// Suppression of boxes.
def : Kernel<GetValidCountsOp, "evalGetValidCounts">;
def : Kernel<NonMaxSuppressionOp, "evalNonMaxSuppression">;
def : Kernel<AllClassNonMaxSuppressionOp, "evalAllClassNonMaxSuppression">;
def : Kernel<RegularNonMaxSuppressionOp, "evalRegularNonMaxSuppression">;

// Anchors and blocks.
def : Kernel<MultiBoxPriorOp, "evalMultiBoxPrior">;
def : Kernel<MultiBoxTransformLocOp, "evalMultiBoxTransformLoc">;
def : Kernel<YoloReorgOp, "evalYoloReorg">;

#endif // RELAY_INTERPRETER_KERNELS_VISIONKERNELS_TD
