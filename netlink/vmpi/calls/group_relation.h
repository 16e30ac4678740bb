/* Relation of two groups, for comparing groups and communicators. */
#ifndef PSIM_VMPI_GROUP_RELATION_H
#define PSIM_VMPI_GROUP_RELATION_H

struct group;

/* VMPI_IDENT, VMPI_SIMILAR (same ranks, another order) or VMPI_UNEQUAL. */
int group_relation(struct group *a, struct group *b);

#endif
