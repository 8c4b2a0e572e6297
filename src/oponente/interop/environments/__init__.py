"""Games as environments for reinforcement learning.

`Batch` steps thousands of games in one call and needs nothing beside this package. The modules `pettingzoo` and
`gymnasium` hold environments of those libraries, which must be installed (extra ``environments``).
"""

from oponente.interop.environments.batch import Batch, StepResult
from oponente.interop.environments.numbering import ActionNumbers

__all__ = ["ActionNumbers", "Batch", "StepResult"]
