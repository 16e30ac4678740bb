/* Clock gating, a parameter of the machine: apart from energy.h, as a configuration does not depend on activity. */
#ifndef PSIM_ENERGY_GATING_H
#define PSIM_ENERGY_GATING_H

#include "../psim/base/choice.h"

/* The values of `gating`. */
#define ENERGY_GATINGS(C) \
	C(GATING_IDEAL, "ideal")     /* latches are clocked for slots that move */ \
	C(GATING_PARTIAL, "partial") /* and for slots that are occupied but stalled */ \
	C(GATING_NONE, "none")       /* every latch in every cycle */
enum energy_gating { ENERGY_GATINGS(CHOICE_ID) GATING_COUNT };

#endif
