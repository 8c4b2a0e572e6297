"""The robots of JSettlers, played offline: their decisions, from descriptions of what they do, in our rules.

Source: observations of JSettlers2 2.7.00 and descriptions of its robots (Robert Thomas, Real-time Decision Making for
Adversarial Environments Using a Plan-based Heuristic, PhD thesis, Northwestern University 2003). They think in *rolls*:
how many throws of the dice something takes, if resources come at their mean rate, and never search.
"""
