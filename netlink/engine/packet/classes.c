/*
 * Arbitration among traffic classes, each with virtual channels of its own. Strict: a class goes if no lower number
 * can. Weighted: the class with the least start tag goes (P. Goyal, H. Vin, H. Cheng, "Start-time fair queueing: a
 * scheduling algorithm for integrated services packet switching networks", SIGCOMM 1996), so backlogged classes share a
 * link by their weights, and a class that was idle has saved nothing. Within a class the order is router.arbitration.
 */
#include "arbiter.h"

enum { TAG_BITS = 16 };

/* The start tag of the class's next packet on link `l`. */
static uint64_t start_tag(const struct net_engine *n, uint32_t l, unsigned class)
{
	uint64_t tag = n->class_tag[(size_t)l * n->classes + class];

	return tag > n->class_now[l] ? tag : n->class_now[l];
}

void packet_class_served(struct net_engine *n, uint32_t l, const struct packet *packet)
{
	uint64_t start = start_tag(n, l, packet->class);

	n->class_now[l] = start;
	n->class_tag[(size_t)l * n->classes + packet->class] =
		start + ((uint64_t)packet->bytes << TAG_BITS) / n->class_weight[packet->class];
}

/* The classes in the order in which they may go; of equal tags the lower number. */
static void order_classes(const struct net_engine *n, uint32_t l, uint8_t order[TRAFFIC_CLASSES_MAX])
{
	for (unsigned c = 0; c < n->classes; c++) {
		unsigned at = c;

		for (; n->weighted && at && start_tag(n, l, c) < start_tag(n, l, order[at - 1]); at--)
			order[at] = order[at - 1];
		order[at] = (uint8_t)c;
	}
}

struct choice packet_choose_by_class(struct net_engine *n, const struct packet_link *link, struct packet_vc *vcs,
				     int64_t now)
{
	uint8_t order[TRAFFIC_CLASSES_MAX] = {0};
	struct choice choice = {-1, NET_TIME_NEVER};

	order_classes(n, (uint32_t)(link - n->link), order);
	for (unsigned i = 0; i < n->classes; i++) {
		struct choice of = choose_in_order(n, link, vcs, now, order[i], LOOP_ANY);

		choice.again = of.again < choice.again ? of.again : choice.again;
		if (of.slot >= 0) {
			choice.slot = of.slot;
			break;
		}
	}
	return choice;
}
