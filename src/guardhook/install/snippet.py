"""What to paste by hand, for a settings file that only a person can edit."""

import json

from guardhook.install import claude, codex_handler, codex_hooks


def settings(handlers: list[claude.Handler]) -> str:
    """Our entries for a settings file, as the member `hooks` of its outermost object."""
    value = {handler.event: [handler.group()] for handler in handlers}
    return f'  "hooks": {_laid_out(value, "  ")}'


def codex(handler: codex_handler.Handler) -> str:
    """Our group for a hooks.json, as the member `hooks` of its outermost object."""
    return f'  "hooks": {_laid_out({codex_hooks.EVENT: [handler.group()]}, "  ")}'


def _laid_out(value: object, indent: str) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2).replace("\n", f"\n{indent}")
