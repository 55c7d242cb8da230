//===- Picture.cpp - The partition report as a picture --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each operation has a cell of a grid: its row is as far down as its users
// allow, its column that of its first user if the cell is free. First inputs
// come first, so that the main path is straight. The cells of a region have the
// colour of its target, so that a chain of operations in one region forms one
// band. Regions of one target alternate in brightness.
//
// The page finds operations by the id `op<number>`.
//
//===----------------------------------------------------------------------===//

#include "Reports/PartitionReport/Summary.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace relay;

namespace {

/// Sizes in pixels.
constexpr int CellWidth = 150, CellHeight = 40, BoxWidth = 126, BoxHeight = 22,
              Margin = 16, LegendHeight = 36, LegendWidth = 180;
/// The number of colours of targets in the style.
constexpr unsigned NumColours = 6;

constexpr StringLiteral Style = R"(
svg { background: #ffffff; font: 11px system-ui, "DejaVu Sans", sans-serif; }
.edge { fill: none; stroke: #8a93a0; stroke-width: 1; }
.box { fill: #ffffff; stroke: #57606a; rx: 4; }
.wanted .box { stroke: #b3261e; stroke-width: 2.5; }
text { fill: #1b1f24; }
.op text { text-anchor: middle; }
.t0 { fill: #9cc5f0; } .t1 { fill: #f3b77a; } .t2 { fill: #a5d8a0; }
.t3 { fill: #d3b2e8; } .t4 { fill: #f0a3a8; } .t5 { fill: #9fd9d6; }
.odd { opacity: 0.6; }
)";

struct Cell {
  int Row = 0, Column = -1; ///< -1 until it is known
};

class PictureWriter {
public:
  PictureWriter(const PartitionSummary &Summary, raw_ostream &OS)
      : Summary(Summary), OS(OS) {}

  void draw();

private:
  void findRows();
  void findColumns();
  void findColumn(unsigned N, int From);
  unsigned getColour(const PartitionSummary::Region &R) const;
  void drawHead();
  void drawLegend();
  void drawRegions();
  void drawEdge(unsigned From, unsigned To);
  void drawNode(unsigned N);

  const PartitionSummary &Summary;
  raw_ostream &OS;
  SmallVector<Cell, 0> Cells;
  llvm::DenseSet<std::pair<int, int>> Occupied;
  std::vector<StringRef> Targets; ///< by colour
  int NumRows = 0, NumColumns = 0;
};

} // namespace

static std::string escape(StringRef Text) {
  std::string Result;
  llvm::raw_string_ostream OS(Result);
  llvm::printHTMLEscaped(Text, OS);
  return Result;
}

/// Returns the left edge, or the top, of the box of a cell.
static int getBoxX(Cell C) {
  return Margin + C.Column * CellWidth + (CellWidth - BoxWidth) / 2;
}
static int getBoxY(Cell C) {
  return Margin + LegendHeight + C.Row * CellHeight +
         (CellHeight - BoxHeight) / 2;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

void PictureWriter::findRows() {
  size_t NumNodes = Summary.Nodes.size();
  Cells.resize(NumNodes);
  for (size_t N = 0; N != NumNodes; ++N) {
    for (unsigned Input : Summary.Nodes[N].Inputs)
      Cells[N].Row = std::max(Cells[N].Row, Cells[Input].Row + 1);
    NumRows = std::max(NumRows, Cells[N].Row + 1);
  }
  SmallVector<int, 0> Lowest(NumNodes, NumRows);
  for (size_t N = NumNodes; N-- != 0;) {
    if (Lowest[N] != NumRows) // it has users
      Cells[N].Row = Lowest[N];
    for (unsigned Input : Summary.Nodes[N].Inputs)
      Lowest[Input] = std::min(Lowest[Input], Cells[N].Row - 1);
  }
}

/// Gives the node \p N the first free column from \p From on.
void PictureWriter::findColumn(unsigned N, int From) {
  Cell &C = Cells[N];
  if (C.Column != -1)
    return;
  C.Column = From;
  while (!Occupied.insert({C.Row, C.Column}).second)
    ++C.Column;
  NumColumns = std::max(NumColumns, C.Column + 1);
}

void PictureWriter::findColumns() {
  for (size_t N = Summary.Nodes.size(); N-- != 0;) {
    findColumn(N, 0);
    for (unsigned Input : Summary.Nodes[N].Inputs)
      findColumn(Input, Cells[N].Column);
  }
}

//===----------------------------------------------------------------------===//
// Drawing
//===----------------------------------------------------------------------===//

/// Returns the number of the colour of the target of \p R. Targets beyond
/// NumColours repeat colours.
unsigned PictureWriter::getColour(const PartitionSummary::Region &R) const {
  return (llvm::find(Targets, R.Target) - Targets.begin()) % NumColours;
}

void PictureWriter::drawHead() {
  int Width = 2 * Margin + std::max(NumColumns * CellWidth,
                                    int(Targets.size() + 1) * LegendWidth);
  int Height = 2 * Margin + LegendHeight + NumRows * CellHeight;
  OS << llvm::formatv("<svg xmlns=\"http://www.w3.org/2000/svg\" "
                      "viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\">\n"
                      "<style>{2}</style>\n",
                      Width, Height, Style);
}

void PictureWriter::drawLegend() {
  int X = Margin;
  auto Draw = [&](StringRef Class, StringRef Name) {
    OS << llvm::formatv("<rect class=\"{0}\" x=\"{1}\" y=\"{2}\" width=\"18\" "
                        "height=\"14\"/><text x=\"{3}\" y=\"{4}\">{5}</text>\n",
                        Class, X, Margin, X + 24, Margin + 11, escape(Name));
    X += LegendWidth;
  };
  Draw("box", "host");
  for (const auto &[I, Target] : llvm::enumerate(Targets))
    Draw("t" + llvm::utostr(I % NumColours), Target);
}

/// Draws the cells of the regions, as the background of everything else.
void PictureWriter::drawRegions() {
  for (const auto &[I, R] : llvm::enumerate(Summary.Regions)) {
    OS << llvm::formatv("<g class=\"t{0}{1}\"><title>{2}</title>\n",
                        getColour(R), I % 2 ? " odd" : "", escape(R.Function));
    for (unsigned N : R.Nodes)
      OS << llvm::formatv("<rect x=\"{0}\" y=\"{1}\" width=\"{2}\" "
                          "height=\"{3}\"/>\n",
                          Margin + Cells[N].Column * CellWidth,
                          Margin + LegendHeight + Cells[N].Row * CellHeight,
                          CellWidth, CellHeight);
    OS << "</g>\n";
  }
}

/// Edges across more than one row bend to the side, past the boxes between.
void PictureWriter::drawEdge(unsigned From, unsigned To) {
  Cell A = Cells[From], B = Cells[To];
  int X1 = getBoxX(A) + BoxWidth / 2, Y1 = getBoxY(A) + BoxHeight;
  int X2 = getBoxX(B) + BoxWidth / 2, Y2 = getBoxY(B);
  if (B.Row == A.Row + 1) {
    OS << llvm::formatv("<path class=\"edge\" d=\"M{0} {1}L{2} {3}\"/>\n", X1,
                        Y1, X2, Y2);
    return;
  }
  int Side = std::max(X1, X2) + (X1 == X2 ? CellWidth / 2 : 0);
  OS << llvm::formatv("<path class=\"edge\" d=\"M{0} {1}C{4} {5} {4} {6} {2} "
                      "{3}\"/>\n",
                      X1, Y1, X2, Y2, Side, Y1 + CellHeight / 2,
                      Y2 - CellHeight / 2);
}

void PictureWriter::drawNode(unsigned N) {
  constexpr size_t MaxLetters = 20;
  const PartitionSummary::Node &Node = Summary.Nodes[N];
  std::string Title = Node.Name + "\n" + Node.Position;
  for (StringRef Layer : Node.Layers)
    Title += "\n" + Layer.str();
  StringRef Label = Node.Name;
  std::string Short;
  if (Label.size() > MaxLetters) {
    Short = "…" + Label.take_back(MaxLetters - 1).str();
    Label = Short;
  }
  int X = getBoxX(Cells[N]), Y = getBoxY(Cells[N]);
  OS << llvm::formatv("<g class=\"op\" id=\"op{0}\"><title>{1}</title><rect "
                      "class=\"box\" x=\"{2}\" y=\"{3}\" width=\"{4}\" "
                      "height=\"{5}\"/><text x=\"{6}\" y=\"{7}\">{8}</text>"
                      "</g>\n",
                      N, escape(Title), X, Y, BoxWidth, BoxHeight,
                      X + BoxWidth / 2, Y + 15, escape(Label));
}

void PictureWriter::draw() {
  findRows();
  findColumns();
  for (const PartitionSummary::Region &R : Summary.Regions)
    if (!llvm::is_contained(Targets, R.Target))
      Targets.push_back(R.Target);
  drawHead();
  drawLegend();
  drawRegions();
  for (unsigned N = 0; N != Summary.Nodes.size(); ++N)
    for (unsigned Input : Summary.Nodes[N].Inputs)
      drawEdge(Input, N);
  for (unsigned N = 0; N != Summary.Nodes.size(); ++N)
    drawNode(N);
  OS << "</svg>\n";
}

void relay::drawPartition(const PartitionSummary &Summary, raw_ostream &OS) {
  PictureWriter(Summary, OS).draw();
}
