/* Samples for the log: bytes carried by links, and fill of buffers. */
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "credit.h"
#include "packet_partitions.h"

/* Sums over links and buffers, in the caller's memory. */
struct sample {
	struct net_log_class *classes;
	uint64_t *filled; /* [class * vcs + vc] */
	uint64_t *links;  /* [link]: bytes; NULL: not wanted */
	uint32_t fill[NET_LOG_FILL_CLASSES];
};

/* Buffers that do not exist or are unbounded have no filled share. */
static void add_buffer(const struct net_engine *n, uint32_t l, unsigned vc, struct sample *s)
{
	unsigned class = n->kind[n->link[l].kind].class;
	uint64_t *filled = &s->filled[class * n->t->vcs + vc];
	int64_t room = packet_capacity(n, l, vc), bytes;

	if (room <= 0 || room >= PACKET_UNBOUNDED) {
		*filled = NET_LOG_NO_BUFFER;
		return;
	}
	bytes = packet_held(n, &n->vc[(size_t)l * n->vcs + vc], room, n->sample_at);
	if (*filled != NET_LOG_NO_BUFFER)
		*filled += (uint64_t)((sum128)bytes * NET_LOG_FULL / (sum128)room);
	if (n->link[l].role == LINK_ROUTERS) {
		unsigned tenth = (unsigned)(bytes * NET_LOG_FILL_CLASSES / room);

		s->fill[tenth < NET_LOG_FILL_CLASSES ? tenth : NET_LOG_FILL_CLASSES - 1]++;
	}
}

static void add_link(const struct net_engine *n, uint32_t l, struct sample *s)
{
	const struct packet_link *link = &n->link[l];
	const struct packet_carried *carried = &n->link[l].carried;
	unsigned number = n->kind[link->kind].class;
	uint64_t rate = n->kind[link->kind].rate;
	struct net_log_class *class = &s->classes[number];
	int64_t left = link->free_at > n->sample_at ? link->free_at - n->sample_at : 0;
	int64_t packet = transfer_ps(rate, n->mtu_wire);

	/* counts the part of the packet on the link that has passed; a NIC may wait for memory before it begins */
	left = left < packet ? left : packet;
	class->busy_ps += (sum128)(carried->busy_ps - left);
	class->bytes += (sum128)carried->bytes * NET_LOG_BYTE - ((sum128)left * NET_LOG_BYTE << 16) / rate;
	if (s->links)
		s->links[l] = carried->bytes - (uint64_t)(((sum128)left << 16) / rate);
	for (unsigned v = 0; v < n->t->vcs; v++)
		add_buffer(n, l, v, s);
}

void packet_sample(struct net_engine *n)
{
	struct sample s = {
		.classes = mem_alloc(n->t->classes, sizeof(*s.classes), NULL),
		.filled = mem_alloc((size_t)n->t->classes * n->t->vcs, sizeof(*s.filled), NULL),
	};
	bool links = net_log_wants_links(n->log);

	s.links = links ? mem_alloc(n->t->links, sizeof(*s.links), NULL) : NULL;
	if (s.classes && s.filled && (s.links || !links)) {
		for (uint32_t l = 0; l < n->t->links; l++)
			if (!n->divided || n->divided->partition.owner[n->t->link[l].from] == n->divided->partition.me)
				add_link(n, l, &s);
		net_log_sample(n->log, s.classes, s.fill, s.filled, s.links);
		n->sample_at = net_log_next_sample(n->log);
	} else {
		n->short_of_memory = true;
		n->sample_at = NET_TIME_NEVER;
	}
	free(s.classes);
	free(s.filled);
	free(s.links);
}
