# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of arrays: DLPack, numpy, lifetimes."""

import gc
import importlib.util
import unittest

import numpy

import relay_opt as ro


class Exporter:
    """Passes an array of numpy on by DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Import(unittest.TestCase):
    def test_shares_row_major_memory(self):
        source = numpy.arange(6, dtype="float32").reshape(2, 3)
        for wrap in (lambda array: array, Exporter):
            array = ro.from_dlpack(wrap(source))
            self.assertEqual((array.shape, array.dtype), ((2, 3), "float32"))
            self.assertTrue(numpy.shares_memory(numpy.asarray(array), source))

    def test_all_types(self):
        for name in ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64"):
            source = numpy.array([0, 1, 1], name)
            array = ro.from_dlpack(source)
            self.assertEqual(array.dtype, name)
            numpy.testing.assert_array_equal(numpy.asarray(array), source)
            self.assertEqual(numpy.asarray(array).dtype, source.dtype)

    def test_other_layouts_are_copied(self):
        source = numpy.arange(24, dtype="int16").reshape(2, 3, 4)
        views = [source.T, source[:, ::-1], source[::1, ::2, 1:], numpy.broadcast_to(source[0], (2, 3, 4)), source[:0].T]
        for view in views:
            numpy.testing.assert_array_equal(ro.from_dlpack(Exporter(view)).numpy(), view)
        with self.assertRaisesRegex(BufferError, "not row-major"):
            ro.from_dlpack(source.T, copy=False)

    def test_copy(self):
        source = numpy.zeros(3)
        array = ro.from_dlpack(source, copy=True)
        source[0] = 1
        self.assertEqual(array.numpy().tolist(), [0, 0, 0])

    def test_constants_do_not_follow_writable_arrays(self):
        source = numpy.zeros(3)
        for value in (source, Exporter(source)):
            constant = ro.const(value)
            source[0] += 1
            self.assertEqual(constant.data.numpy()[0] + 1, source[0])

    def test_constants_share_read_only_arrays(self):
        source = numpy.arange(1000.0)
        source.flags.writeable = False
        self.assertTrue(numpy.shares_memory(numpy.asarray(ro.const(source).data), source))
        base = numpy.arange(1001.0)
        view = base[:]
        view.flags.writeable = False
        self.assertFalse(numpy.shares_memory(numpy.asarray(ro.const(view).data), base))

    def test_foreign_byte_order(self):
        self.assertEqual(ro.const(numpy.arange(3, dtype=">i4")).data.numpy().tolist(), [0, 1, 2])

    def test_memory_outlives_its_owner(self):
        source = numpy.arange(100_000, dtype="int32")
        mod = ro.from_expr(ro.Function([], ro.Tuple([ro.Constant(ro.from_dlpack(source))])))
        del source
        gc.collect()
        junk = [numpy.full(100_000, -1, "int32") for _ in range(4)]
        mod = ro.Pass("fold-constant")(mod)
        data = numpy.asarray(mod["main"].body.fields[0].data)
        self.assertEqual((int(data.sum()), len(junk)), (sum(range(100_000)), 4))

    def test_refused(self):
        with self.assertRaises(TypeError):
            ro.from_dlpack(object())
        with self.assertRaises(ValueError):
            ro.from_dlpack(numpy.array([1j]))
        with self.assertRaisesRegex(TypeError, "no data type"):
            ro.from_dlpack(Exporter(numpy.array([1j])))


class Export(unittest.TestCase):
    def test_views_are_read_only(self):
        array = ro.const(numpy.arange(4.0)).data
        for view in (numpy.asarray(array), numpy.from_dlpack(array)):
            self.assertFalse(view.flags.writeable)
            with self.assertRaises(ValueError):
                view[0] = 1
            with self.assertRaises(ValueError):
                view.flags.writeable = True
            self.assertTrue(numpy.shares_memory(view, numpy.asarray(array)))

    def test_views_keep_the_data(self):
        view = numpy.asarray(ro.const(numpy.full(100_000, 7)).data)
        gc.collect()
        ro.Pass("fold-constant")(ro.parse("def @main() { 1 }"))  # releases unused constants
        self.assertEqual(int(view.min()), 7)
        self.assertEqual(int(view.max()), 7)

    def test_copies_may_be_written(self):
        array = ro.const(numpy.zeros(2)).data
        for copy in (array.numpy(), numpy.array(array), numpy.from_dlpack(array, copy=True)):
            copy[0] = 1
        self.assertEqual(array.numpy().tolist(), [0, 0])

    def test_other_type(self):
        array = ro.const([1, 2]).data
        self.assertEqual(numpy.asarray(array, dtype="float64").tolist(), [1.0, 2.0])
        with self.assertRaisesRegex(ValueError, "needs a copy"):
            array.__array__("float64", copy=False)

    def test_old_consumers_get_a_copy(self):
        array = ro.const(numpy.zeros(2)).data
        self.assertEqual(array.__dlpack_device__(), (1, 0))
        self.assertIn('"dltensor"', repr(array.__dlpack__()))
        self.assertIn('"dltensor_versioned"', repr(array.__dlpack__(max_version=(1, 0))))
        with self.assertRaisesRegex(BufferError, "read-only"):
            array.__dlpack__(copy=False)
        with self.assertRaises(BufferError):
            array.__dlpack__(max_version=(1, 0), dl_device=(2, 0))

    def test_unknown_data(self):
        mod = ro.parse("def @main() { meta[relay.Constant][0] /* ty=Tensor[(2), float32] */ }", opaque_constants=True)
        with self.assertRaisesRegex(ValueError, "not in the text"):
            numpy.asarray(mod["main"].body.data)


@unittest.skipUnless(importlib.util.find_spec("ml_dtypes"), "ml_dtypes is not installed")
class BFloat16(unittest.TestCase):
    def test_both_ways(self):
        import ml_dtypes

        source = numpy.array([[1, 2.5], [-3, 0]], ml_dtypes.bfloat16)
        array = ro.from_dlpack(source)
        self.assertEqual(array.dtype, "bfloat16")
        view = numpy.asarray(array)
        self.assertEqual(view.dtype, source.dtype)
        self.assertTrue(numpy.shares_memory(view, source))
        numpy.testing.assert_array_equal(ro.from_dlpack(source.T).numpy(), source.T)


@unittest.skipUnless(importlib.util.find_spec("torch"), "torch is not installed")
class Torch(unittest.TestCase):
    def test_both_ways(self):
        import torch

        source = torch.arange(6, dtype=torch.bfloat16).reshape(2, 3)
        array = ro.from_dlpack(source)
        self.assertEqual((array.shape, array.dtype), ((2, 3), "bfloat16"))
        back = torch.from_dlpack(array)
        self.assertTrue(torch.equal(back, source))
        self.assertTrue(torch.equal(torch.from_dlpack(ro.const(source.T).data), source.T))


if __name__ == "__main__":
    unittest.main()
