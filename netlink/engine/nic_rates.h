/*
 * The bandwidths of a node's NICs and memory, each way, as every engine obeys them. `auto` never caps a link: it is the
 * value of the pacing paper (hardware.def), or the bandwidth of the links that it serves if that is more.
 */
#ifndef PSIM_ENGINE_NIC_RATES_H
#define PSIM_ENGINE_NIC_RATES_H

#include "../topology/topology.h"
#include "net_config.h"

struct nic_rates {
	double link;   /* bytes/s of the fastest link between a NIC and its router */
	double dma;    /* bytes/s of a NIC: nic.dma */
	double nics;   /* bytes/s of all NICs of a node: each the least of link and dma */
	double memory; /* bytes/s of a node: nic.memory */
};

/* The rates that configuration and network imply. */
struct nic_rates nic_rates(const struct net_config *c, const struct topology *t);

/* Returns whether the DMA is slower than a link that it serves. */
bool nic_dma_caps(const struct nic_rates *r);

/* Returns whether a node's memory is slower than all its NICs together. */
bool nic_memory_caps(const struct nic_rates *r);

#endif
