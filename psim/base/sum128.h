/* Sums of picoseconds, exact and so independent of the order of their parts: 64 bits overflow after 107 days. */
#ifndef PSIM_BASE_SUM128_H
#define PSIM_BASE_SUM128_H

__extension__ typedef unsigned __int128 sum128;

#endif
