"""Agents in other processes, in any language."""

from oponente.agents.external.agent import ExternalAgent, ProcessAgent, ProcessParameters
from oponente.agents.external.child import Child, ChildError

__all__ = ["Child", "ChildError", "ExternalAgent", "ProcessAgent", "ProcessParameters"]
