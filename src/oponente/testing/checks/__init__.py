"""The checks, one function a rule of the contract: each takes a sample of random games and raises if it is broken."""
