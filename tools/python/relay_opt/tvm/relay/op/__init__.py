import types
nn=op=annotation=image=random=vision=types.SimpleNamespace()
__all__=[]
