"""Compile a release, run by the interpreter that is wired: `python -I -S pack.py FOLDER FINAL NAME`.

FOLDER: the release under its temporary name. FINAL: the path it will have, for tracebacks. NAME: of the pack, one file
with every module's code, since opening thirty files costs a quarter of the time a tool call may take. Decoding it is
most of what is left, so docstrings and `assert` stay out, as under `-OO`; the caller adds `-X no_debug_ranges`.
"""

import _imp
import ast
import compileall
import marshal
import os
import sys
from py_compile import PycInvalidationMode
from types import CodeType


class Lean(ast.NodeTransformer):
    """Takes out what only readers need: annotations. Docstrings go by optimize=2. Decoding what is left is quicker."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Drop the annotations of a function and of what is in it."""
        node.returns = None
        for argument in ast.walk(node.args):
            if isinstance(argument, ast.arg):
                argument.annotation = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """`x: T = v` -> `x = v`; a bare `x: T` goes."""
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign([node.target], node.value), node)


def modules(folder: str, final: str) -> dict[str, tuple[bool, bytes]]:
    """Module name -> (is a package, marshalled code) for every source below folder/guardhook."""
    found: dict[str, tuple[bool, bytes]] = {}
    for parent, _, files in os.walk(os.path.join(folder, "guardhook")):
        below = os.path.relpath(parent, folder)
        package = below.replace(os.sep, ".")
        sources = [name for name in files if name.endswith(".py")]
        if sources and "__init__.py" not in sources:  # a namespace package: a finder without folders must be told of it
            found[package] = (True, marshal.dumps(compile("", os.path.join(final, below), "exec")))
        for name in sources:
            is_package = name == "__init__.py"
            module = package if is_package else f"{package}.{name[: -len('.py')]}"
            found[module] = (is_package, code(os.path.join(parent, name), os.path.join(final, below, name)))
    return found


def code(source: str, path: str) -> bytes:
    """The marshalled code of a source file. path: what tracebacks call it."""
    with open(source, "rb") as file:
        tree = Lean().visit(ast.parse(file.read()))
    return marshal.dumps(_plain(compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True, optimize=2)))


def _plain(compiled: CodeType) -> CodeType:
    """The code without its line numbers, a quarter of its size: nobody reads a traceback from a hook."""
    constants = tuple(_plain(value) if isinstance(value, CodeType) else value for value in compiled.co_consts)
    return compiled.replace(co_linetable=b"", co_consts=constants)


def layout(packed: dict[str, tuple[bool, bytes]]) -> bytes:
    """The bytes of a pack: four for the size of an index, the index, and each module's code.

    The index maps a name to (is a package, digest, offset, size): a call reads only what it needs, and code that was
    damaged is never decoded, which could end the process.
    """
    sizes = dict.fromkeys(packed, (False, bytes(8), 2**31 - 1, 2**31 - 1))
    start = 4 + len(marshal.dumps(sizes, 1))
    index: dict[str, tuple[bool, bytes, int, int]] = {}
    body = b""
    for name, (is_package, data) in packed.items():
        index[name] = (is_package, _imp.source_hash(sys.hexversion, data), start + len(body), len(data))
        body += data
    head = marshal.dumps(index, 1)  # version 1 has no back references, so the size does not depend on the numbers
    return len(head).to_bytes(4, "little") + head + body


def unpack(data: bytes) -> dict[str, tuple[bool, bytes]]:
    """Module name -> (is a package, marshalled code) of a pack's bytes."""
    index = marshal.loads(data[4 : 4 + int.from_bytes(data[:4], "little")])
    return {name: (is_package, data[at : at + size]) for name, (is_package, _, at, size) in index.items()}


def main(folder: str, final: str, name: str) -> int:
    """Compile the release in `folder` and write its pack. Gives the exit status."""
    package = os.path.join(folder, "guardhook")
    # Unchecked: the folder's name holds the digest of its sources, so they cannot have changed.
    compiled = compileall.compile_dir(
        package, ddir=os.path.join(final, "guardhook"), quiet=1, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH
    )
    packed = modules(folder, final)
    packed["guard"] = (False, code(os.path.join(folder, "guard.py"), os.path.join(final, "guard.py")))
    with open(os.path.join(folder, name), "wb") as file:
        file.write(layout(packed))
    return 0 if compiled else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
