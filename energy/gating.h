/* Choices of a machine's energy: apart from energy.h, as a configuration does not depend on activity. */
#ifndef PSIM_ENERGY_GATING_H
#define PSIM_ENERGY_GATING_H

#include "../psim/base/choice.h"

/* The values of `gating`. */
#define ENERGY_GATINGS(C) \
	C(GATING_IDEAL, "ideal")     /* latches are clocked for slots that move */ \
	C(GATING_PARTIAL, "partial") /* and for slots that are occupied but stalled */ \
	C(GATING_NONE, "none")       /* every latch in every cycle */
enum energy_gating { ENERGY_GATINGS(CHOICE_ID) GATING_COUNT };

/* The values of `clock_tree`. */
#define ENERGY_TREES(C) \
	C(TREE_ALWAYS, "always") /* the tree of every latch switches in every cycle */ \
	C(TREE_GATED, "gated")   /* the tree of clocked latches: as ideal as the gating of the latches */
enum energy_tree { ENERGY_TREES(CHOICE_ID) TREE_COUNT };

/* The values of `latches`: implemented latches for each described bit (energy_model.h). */
#define ENERGY_SPLITS(C) \
	C(SPLIT_CHIP, "chip") /* one factor for all stages: what no stage lists moves with each of them */ \
	C(SPLIT_UNIT, "unit") /* a stage has its own; what no stage lists is a unit that moves with the core */
enum energy_split { ENERGY_SPLITS(CHOICE_ID) SPLIT_COUNT };

/* The values of simd.power. */
#define ENERGY_POWERS(C) \
	C(POWER_ALWAYS, "always") /* the array has its supply in every cycle */ \
	C(POWER_GATED, "gated")   /* it is switched off while the array is idle */
enum energy_power { ENERGY_POWERS(CHOICE_ID) POWER_COUNT };

#endif
