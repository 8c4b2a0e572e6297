"""The command `oponente draw`: a position as a picture."""


def test_draw(ok, tmp_path):
    assert ok("draw", "connect4", "44").startswith("<svg")
    assert ok("draw", "connect4", "44", "-o", tmp_path / "board.svg") == ""
    assert (tmp_path / "board.svg").read_text().startswith("<svg")
