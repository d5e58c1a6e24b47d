"""Where agent_style was when guardhook was installed; the installer writes this module anew (SPEC V1)."""

FOLDERS: tuple[str, ...] = ()
