/* How two groups are related: what comparing groups and communicators shares. */
#ifndef PSIM_VMPI_GROUP_RELATION_H
#define PSIM_VMPI_GROUP_RELATION_H

struct group;

/* VMPI_IDENT, VMPI_SIMILAR (another order) or VMPI_UNEQUAL. */
int group_relation(struct group *a, struct group *b);

#endif
