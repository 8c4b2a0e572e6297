"""Agents in other processes, in any language."""

from oponente.agents.external.agent import (
    FAILED_STARTS,
    ExternalAgent,
    ProcessAgent,
    ProcessParameters,
    check_program,
    command_text,
    command_words,
)
from oponente.agents.external.child import Child, ChildError

__all__ = [
    "FAILED_STARTS",
    "Child",
    "ChildError",
    "ExternalAgent",
    "ProcessAgent",
    "ProcessParameters",
    "check_program",
    "command_text",
    "command_words",
]
