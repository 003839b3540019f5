"""Import this before NumPy: its products of matrices then run on one thread.

CPU time is that of all threads together. With several of them it also counts how long each spins while it
waits for the others, which on a busy machine is more than the work itself.
"""

import os

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
