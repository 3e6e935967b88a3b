"""Confidence: how well it separates wrong bodies from right ones, and its calibration.

Every figure is of a page whose set neither the models of the body nor those of the
confidence were fitted on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from benchmarks.fitting.confidence_weights import predict_left_out
from benchmarks.markdown import share, table
from benchmarks.scoring import auc, brier, reliability
from webclean_scrapy.report.text_scores import BAD, GOOD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from benchmarks.fitting.confidence_weights import JudgedBody


def sets_section(bodies: Sequence[JudgedBody]) -> str:
    """Return how well confidence does on each set and type that was left out, and on all."""
    predicted = predict_left_out(bodies)
    group, f1 = np.array([b.group for b in bodies]), np.array([b.f1 for b in bodies])
    parts: dict[str, NDArray[np.bool_]] = {}
    for kind, of_kind in _kinds(bodies).items():
        names = sorted(set(group[of_kind].tolist()))
        parts |= {name: of_kind & (group == name) for name in names} | {f"all {kind}": of_kind}
    rows = [[name, *_figures(predicted[part], f1[part])] for name, part in parts.items()]
    head = ["", "bodies", f"below {share(BAD)}", "AUC", "right", "mean", "AUC of right", "Brier"]
    return table(head, rows)


def _figures(predicted: NDArray[np.float64], f1: NDArray[np.float64]) -> list[str]:
    bad, right = f1 < BAD, f1 >= GOOD
    return [
        str(len(f1)),
        str(int(bad.sum())),
        _show(auc(-predicted, bad)),
        share(float(right.mean())),
        share(float(predicted.mean())),
        _show(auc(predicted, right)),
        share(brier(predicted, right)),
    ]


def _show(value: float | None) -> str:
    return "-" if value is None else share(value)


def _kinds(bodies: Sequence[JudgedBody]) -> dict[str, NDArray[np.bool_]]:
    """Return masks of the articles and of the other pages, without empty ones."""
    article = np.array([body.is_article for body in bodies])
    masks = {"articles": article, "other pages": ~article}
    return {name: mask for name, mask in masks.items() if mask.any()}


def bins_section(bodies: Sequence[JudgedBody]) -> str:
    """Return how often bodies of each confidence are right, articles and other pages apart."""
    right, predicted = np.array([body.is_right for body in bodies]), predict_left_out(bodies)
    rows = [
        [name, f"from {one.low:.1f}", str(one.count), share(one.mean), share(one.happened)]
        for name, part in _kinds(bodies).items()
        for one in reliability(predicted[part], right[part])
    ]
    return table(["", "confidence", "bodies", "mean", "right"], rows)
