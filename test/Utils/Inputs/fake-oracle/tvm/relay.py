import os
import time
import types

from .transform import Pass


class Module:
    def astext(self, show_meta_data=True):
        return ""


def fromtext(text):
    print("noise on standard output")
    time.sleep(0.01)
    return Module()


class InferType(Pass):
    pass


class FuseOps(Pass):
    def __call__(self, module):
        time.sleep(100)


class DeadCodeElimination(Pass):
    def __call__(self, module):
        raise ValueError("first line\nno such thing")


class SimplifyInference(Pass):
    def __call__(self, module):
        os.abort()


class EliminateCommonSubexpr(Pass):
    def __init__(self, needed):
        pass


transform = types.SimpleNamespace(InferType=InferType, FuseOps=FuseOps, DeadCodeElimination=DeadCodeElimination,
                                  SimplifyInference=SimplifyInference,
                                  EliminateCommonSubexpr=EliminateCommonSubexpr)
