/*
 * The choices of a parameter or an option as rows of one list, which makes the enum and the names:
 *
 *     #define BPRED_KINDS(C) \
 *             C(BPRED_BRHIS, "brhis") \
 *             C(BPRED_GSHARE, "gshare")
 *     enum bpred_choice { BPRED_KINDS(CHOICE_ID) BPRED_KIND_COUNT };
 *     E(kind, "brhis", CHOICES(BPRED_KINDS), "direction and target predictor")
 */
#ifndef PSIM_BASE_CHOICE_H
#define PSIM_BASE_CHOICE_H

#include <stddef.h>

/* The enumerator of a row. */
#define CHOICE_ID(id, name) id,
/* The initializers of an array of names, by enumerator. */
#define CHOICE_NAME(id, name) [id] = name,
/* "a|b|c", as config.h and opt.h want it. */
#define CHOICE_NEXT(id, name) "|" name
#define CHOICES(list) (&(list(CHOICE_NEXT))[1])

#endif
