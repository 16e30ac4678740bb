#include "perturb.h"

#include "../base/rng.h"

/* Streams of random numbers: a core's pauses have that of its number. */
enum { GAPS = 1 << 16 };

struct perturbation perturbation_begin(uint64_t run)
{
	return (struct perturbation){.run = run, .at = run ? rng_below(run, GAPS, 0, PERTURB_FIRST) : UINT64_MAX};
}

uint64_t perturbation_pause(const struct perturbation *p, unsigned core)
{
	return 1 + rng_below(p->run, core, p->made, PERTURB_MOST);
}

void perturbation_next(struct perturbation *p)
{
	/* uniform in 1 to 2 MEAN - 1 */
	p->at += 1 + rng_below(p->run, GAPS, ++p->made, 2 * (uint64_t)PERTURB_MEAN - 1);
}
