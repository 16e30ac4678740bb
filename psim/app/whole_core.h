/* The core with all rooms above it. */
#ifndef PSIM_APP_WHOLE_CORE_H
#define PSIM_APP_WHOLE_CORE_H

struct core_hooks;

/* For core_options.hooks and chip_options.hooks: replay, pipe trace, segments. */
extern const struct core_hooks whole_core;

#endif
