from oponente.arena.benchmark import FIGURES, benchmark
from oponente.games.catalogue import load_game


def test_each_figure_is_reported_when_it_has_been_measured():
    reported = []
    result = benchmark(load_game("tictactoe"), 0.01, seed=3, progress=reported.append)
    assert reported == list(FIGURES)
    assert result["playouts_per_s"] > 0
