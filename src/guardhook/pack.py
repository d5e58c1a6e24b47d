"""The finder for a packed release: every module's code in one file, so that none has to be looked for.

The launcher runs this module's code straight from the pack with `modules` in its globals: a dict of module name ->
(is a package, marshalled code).
"""

import marshal
import sys
from _frozen_importlib import ModuleSpec


class Finder:
    """Finds and loads the modules of one pack; everything else is left to the finders behind it."""

    def __init__(self, packed: dict[str, tuple[bool, bytes]]) -> None:
        self.packed = packed

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """A spec for a packed module, else None. Called by the import system."""
        entry = self.packed.get(name)
        return None if entry is None else ModuleSpec(name, self, is_package=entry[0])  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """None: the import system makes the module itself."""

    def exec_module(self, module: object) -> None:
        """Decode and run a module's code. Raises what that code raises."""
        namespace = module.__dict__
        exec(marshal.loads(self.packed[namespace["__name__"]][1]), namespace)


if "modules" in globals():
    sys.meta_path.insert(0, Finder(globals()["modules"]))
