"""The same home as in the tests of installing."""

from tests.install.conftest import home, where

__all__ = ["home", "where"]
