import types
nn=op=annotation=image=random=vision=types.SimpleNamespace()
__all__=[]
from ....expr import make_call
def add(a,b): return make_call("add",(a,b),{})
def multiply(a,b): return make_call("multiply",(a,b),{})
__all__=["add","multiply"]
