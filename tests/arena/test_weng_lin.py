"""Ratings of Weng and Lin: numbers of the OpenSkill library, and what must hold for any game."""

import random

import pytest

from oponente.arena.weng_lin import Skill, updated

NEW = (25.0, 25.0 / 3.0)


@pytest.mark.parametrize(
    ("before", "ranks", "after"),
    # openskill 6.2.0, models.PlackettLuce().rate with its defaults
    [
        ([NEW, NEW], [0, 1], [(27.635389493140497, 8.06590141354368), (22.364610506859503, 8.06590141354368)]),
        ([NEW, NEW], [0, 0], [(25.0, 8.06590141354368), (25.0, 8.06590141354368)]),
        (
            [(30.0, 4.0), (22.0, 7.5), NEW, (28.0, 2.0)],
            [2, 0, 1, 0],
            [
                (29.017309866536156, 3.982190639904028),
                (23.214872044775806, 7.425049665422267),
                (26.702542528554854, 8.008651522165447),
                (28.061235197064544, 2.0012272310737678),
            ],
        ),
        (
            [(30.0, 4.0), (22.0, 7.5), NEW],
            [1, 1, 0],
            [
                (29.330694802283514, 3.978147633947347),
                (21.559106203462967, 7.251501562116046),
                (28.448301119130146, 8.14070818475567),
            ],
        ),
        (
            [(20.0, 1.0), (40.0, 2.0)],
            [0, 1],
            [(20.1533175522718, 1.0033881122937638), (39.38990187820118, 2.0004982763181656)],
        ),
    ],
)
def test_the_numbers_of_openskill(before, ranks, after):
    found = updated([Skill(*pair) for pair in before], [-rank for rank in ranks])
    for skill, (mean, deviation) in zip(found, after, strict=True):
        assert skill.mean == pytest.approx(mean, abs=1e-12)
        assert skill.deviation == pytest.approx(deviation, abs=1e-12)


def test_the_order_of_the_seats_does_not_matter():
    skills = [Skill(20.0, 3.0), Skill(28.0, 5.0), Skill(), Skill(31.0, 1.0)]
    results = [0.5, 1.0, 0.5, -1.0]
    found = updated(skills, results)
    turned = updated(skills[::-1], results[::-1])[::-1]
    for one, other in zip(found, turned, strict=True):
        assert one.mean == pytest.approx(other.mean, abs=1e-12)
        assert one.deviation == pytest.approx(other.deviation, abs=1e-12)


def test_skills_that_make_games_are_found():
    rng = random.Random(5)
    true, skills = [18.0, 22.0, 25.0, 28.0, 32.0], [Skill()] * 5
    for _ in range(3000):
        seats = rng.sample(range(5), 3)
        after = updated([skills[seat] for seat in seats], [rng.gauss(true[seat], 25.0 / 6.0) for seat in seats])
        for seat, skill in zip(seats, after, strict=True):
            skills[seat] = skill
    assert sorted(range(5), key=lambda seat: skills[seat].mean) == [0, 1, 2, 3, 4]
    assert all(skill.deviation < 2.0 for skill in skills)
