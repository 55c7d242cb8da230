"""Writes a program that sorts five scores, NaN one of them, in each of their 120 orders by each operator that sorts.

The results are the least and the greatest of what the orders give, so that they are equal where the order does not count;
-1 stands for NaN.
"""
import itertools

ORDERS = ", ".join(str(i) for order in itertools.permutations(range(5)) for i in order)
PROGRAM = """
def @same(%%x: Tensor[(120, ?), float32]) {
  let %%y = where(isnan(%%x), -1f, %%x);
  (min(%%y, axis=[0]), max(%%y, axis=[0]))
}

def @main() {
  let %%nan = divide(0f, 0f);
  let %%values = stack((0.1f, %%nan, 0.9f, 0.95f, 0.8f), axis=0);
  let %%x = take(%%values, reshape(stack((%(orders)s), axis=0), newshape=[120, 5]));
  let %%ascending = argsort(%%x, axis=1, dtype="int32");
  let %%descending = argsort(%%x, axis=1, is_ascend=False, dtype="int32");
  let %%top = topk(%%x, k=2, axis=1, dtype="int32");
  let %%low = topk(%%x, k=4, axis=1, is_ascend=True, ret_type="values", dtype="int32");
  let %%corners = cast(reshape(arange(0, 20, 1, start=0, stop=20, step=1, dtype="int32"), newshape=[1, 5, 4]), dtype="float32");
  let %%boxes = multiply(%%corners, stack((1f, 1f, 1.01f, 1.01f), axis=0));
  let %%all = vision.all_class_non_max_suppression(%%boxes, reshape(%%x, newshape=[1, 120, 5]), -1, 0.5f, 0.5f, output_format="tensorflow");
  let %%kept = strided_slice(%%all.1, begin=[0, 0], end=[1, 360], strides=[1, 1]);
  let %%scores = expand_dims(%%x, axis=2);
  let %%rows = concatenate((zeros(shape=[120, 5, 1], dtype="float32"), %%scores, broadcast_to(%%boxes, shape=[120, 5, 4])), axis=2);
  let %%valid = vision.get_valid_counts(%%rows, 0.5f);
  let %%places = broadcast_to(arange(0, 5, 1, start=0, stop=5, step=1, dtype="int32"), shape=[120, 5]);
  let %%best = vision.non_max_suppression(%%rows, full(5, shape=[120], dtype="int32"), %%places, -1, 0.5f, return_indices=False, invalid_to_bottom=False);
  let %%regular = vision.regular_non_max_suppression(broadcast_to(%%boxes, shape=[120, 5, 4]), %%scores, max_detections_per_class=5, max_detections=5, num_classes=1, iou_threshold=0.5f, score_threshold=0.5f);
  (@same(sort(%%x, axis=1)), @same(sort(%%x, axis=1, is_ascend=False)),
   @same(gather(%%x, %%ascending, axis=1)), @same(gather(%%x, %%descending, axis=1)),
   @same(%%top.0), @same(gather(%%x, %%top.1, axis=1)), @same(%%low),
   %%all.2, @same(reshape(%%kept, newshape=[120, 3])),
   (min(%%valid.0), max(%%valid.0)),
   @same(take(%%best, 1, axis=2)),
   @same(%%regular.2),
   unique(reshape(%%x, newshape=[600])).3)
}
"""
print(PROGRAM % {"orders": ORDERS}, end="")
