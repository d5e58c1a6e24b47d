"""The same home as in the tests of installing, and the installation of the tests of its health."""

from tests.health.conftest import installation, kept, sources
from tests.install.conftest import home, where

__all__ = ["home", "installation", "kept", "sources", "where"]
