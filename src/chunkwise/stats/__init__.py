"""Statistics: arrays in, numbers out. Knows nothing of chunks."""

from __future__ import annotations

from chunkwise.stats.bootstrap import bootstrap_means, interval, mean_interval, paired_interval

__all__ = ["bootstrap_means", "interval", "mean_interval", "paired_interval"]
