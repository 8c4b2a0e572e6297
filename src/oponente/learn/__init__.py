"""Learning: parameters of agents by evolution and by models of their fitness, networks from games."""
