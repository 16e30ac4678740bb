/* The engine's counters as groups and tables. */
#include <stdlib.h>

#include "../../topology/topology_names.h"
#include "packet_state.h"

/* Sums over a class of links. */
struct class_sum {
	uint64_t bytes, packets, links;
	sum128 busy; /* ps */
	int64_t busy_most, busy_least;
};

static struct class_sum sum_class(const struct net_engine *n, unsigned class)
{
	struct class_sum s = {.busy_least = INT64_MAX};

	for (uint32_t l = 0; l < n->t->links; l++) {
		const struct packet_carried *link = &n->link[l].carried;

		if (n->kind[n->link[l].kind].class != class)
			continue;
		s.links++;
		s.bytes += link->bytes;
		s.packets += link->packets;
		s.busy += (uint64_t)link->busy_ps;
		if (link->busy_ps > s.busy_most)
			s.busy_most = link->busy_ps;
		if (link->busy_ps < s.busy_least)
			s.busy_least = link->busy_ps;
	}
	return s;
}

static double packet_report_share(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

static double packet_carried_bytes(const struct net_engine *n, uint32_t link)
{
	return (double)n->link[link].carried.bytes;
}

static void packet_report_totals(const struct net_engine *n, struct report *r)
{
	const struct packet_totals *t = &n->total;
	double seconds = (double)n->last_delivery / 1e12, busy = 0, links = 0;
	uint64_t bytes = 0, hops = 0;

	for (uint32_t l = 0; l < n->t->links; l++)
		if (n->link[l].role == LINK_ROUTERS) {
			hops += n->link[l].carried.packets;
			bytes += n->link[l].carried.bytes;
			busy += (double)n->link[l].carried.busy_ps / 1e12;
			links++;
		}
	report_group(r, "network", "messages and packets of the packet engine");
	report_f64(r, "seconds", seconds, "s", "time from the start to the arrival of the last byte");
	report_u64(r, "messages", t->messages_done, "messages", "messages delivered");
	report_u64(r, "payload_bytes", t->bytes_done, "bytes", "payload of the delivered messages");
	report_u64(r, "packets", t->packets_done, "packets", "packets delivered");
	report_u64(r, "packet_hops", hops, "packets",
		   "packets carried by links between routers, counted once per link");
	report_f64(r, "link_throughput", packet_report_share((double)bytes, links * seconds), "bytes/s",
		   "throughput of a link between routers, headers included, mean over links and time");
	report_f64(r, "link_busy", 100 * packet_report_share(busy, links * seconds), "%",
		   "share of time in which a link between routers is busy, mean");
	report_f64(r, "message_latency_mean",
		   packet_report_share((double)n->latency_sum, (double)t->messages_done) / 1e12, "s",
		   "time from a message's send to the arrival of its last byte, mean");
	report_f64(r, "message_latency_max", (double)n->latency_most / 1e12, "s",
		   "time from a message's send to the arrival of its last byte, maximum");
	report_f64(r, "packet_latency_mean",
		   packet_report_share((double)n->packet_latency_sum, (double)t->packets_done) / 1e12, "s",
		   "latency of a packet from memory to memory, mean");
	report_f64(r, "packet_latency_max", (double)n->packet_latency_most / 1e12, "s",
		   "latency of a packet from memory to memory, maximum");
	net_hottest_report(&n->changes, n->t, n, packet_carried_bytes, n->last_delivery, r);
	report_end(r);
}

static void packet_report_classes(const struct net_engine *n, struct report *r)
{
	static const struct report_column columns[] = {
		{"links", ""},          {"count", "links"},        {"bytes", "bytes"},
		{"packets", "packets"}, {"throughput", "bytes/s"}, {"use", "%"},
		{"busy", "%"},          {"busy_least", "%"},       {"busy_most", "%"},
	};
	double ps = (double)n->last_delivery;

	report_table(r, "link_classes", "links by direction or level", columns, sizeof(columns) / sizeof(columns[0]));
	for (unsigned c = 0; c < n->t->classes; c++) {
		struct class_sum s = sum_class(n, c);
		double rate = packet_report_share((double)s.bytes, (double)s.links * ps / 1e12);

		if (!s.links)
			continue;
		report_cell_text(r, n->t->class[c].name);
		report_cell_u64(r, s.links);
		report_cell_u64(r, s.bytes);
		report_cell_u64(r, s.packets);
		report_cell_f64(r, rate);
		report_cell_f64(r, 100 * packet_report_share(rate, n->t->class[c].bytes_per_s));
		report_cell_f64(r, 100 * packet_report_share((double)s.busy, (double)s.links * ps));
		report_cell_f64(r, 100 * packet_report_share((double)s.busy_least, ps));
		report_cell_f64(r, 100 * packet_report_share((double)s.busy_most, ps));
	}
	report_table_end(r);
}

/* Lower bound of latency class `i`. */
static double class_begin(unsigned i)
{
	return i < 4 ? i : (double)(4 + i % 4) * (double)(UINT64_C(1) << (i / 4 - 1));
}

static void packet_report_latency(const struct net_engine *n, struct report *r)
{
	static const struct report_column columns[] = {
		{"from", "s"},
		{"below", "s"},
		{"packets", "packets"},
		{"messages", "messages"},
	};

	report_table(r, "latency", "histogram of latencies: packets from memory to memory, messages", columns, 4);
	for (unsigned i = 0; i + 1 < LATENCY_CLASSES; i++) {
		if (!n->packet_latency[i] && !n->message_latency[i])
			continue;
		report_cell_f64(r, class_begin(i) / 1e12);
		report_cell_f64(r, class_begin(i + 1) / 1e12);
		report_cell_u64(r, n->packet_latency[i]);
		report_cell_u64(r, n->message_latency[i]);
	}
	report_table_end(r);
}

static void report_nodes(const struct net_engine *n, struct report *r)
{
	static const struct report_column columns[] = {{"node", ""}, {"nic", ""}, {"received", "packets"}};

	report_table(r, "nodes", "packets that each NIC received", columns, 3);
	for (uint32_t node = 0; node < n->t->nodes; node++)
		for (unsigned i = 0; i < n->nics; i++) {
			report_cell_node(r, n->t, node);
			report_cell_u64(r, i);
			report_cell_u64(r, n->link[n->t->eject[(size_t)node * n->nics + i]].carried.packets);
		}
	report_table_end(r);
}

static void report_links(const struct net_engine *n, struct report *r)
{
	static const struct report_column columns[] = {
		{"link", ""},
		{"from", ""},
		{"to", ""},
		{"class", ""},
		{"bytes", "bytes"},
		{"packets", "packets"},
		{"throughput", "bytes/s"},
		{"busy_time", "s"},
		{"busy", "%"},
	};
	double ps = (double)n->last_delivery;

	report_table(r, "links", "every link", columns, sizeof(columns) / sizeof(columns[0]));
	for (uint32_t l = 0; l < n->t->links; l++) {
		const struct packet_carried *link = &n->link[l].carried;

		report_cell_link(r, n->t, l);
		report_cell_vertex(r, n->t, n->t->link[l].from);
		report_cell_vertex(r, n->t, n->t->link[l].to);
		report_cell_text(r, n->t->class[n->t->link[l].class].name);
		report_cell_u64(r, link->bytes);
		report_cell_u64(r, link->packets);
		report_cell_f64(r, packet_report_share((double)link->bytes, ps / 1e12));
		report_cell_f64(r, (double)link->busy_ps / 1e12);
		report_cell_f64(r, 100 * packet_report_share((double)link->busy_ps, ps));
	}
	report_table_end(r);
}

void packet_report(const struct net_engine *n, struct report *r)
{
	packet_report_totals(n, r);
	net_changes_report(&n->changes, n->t, true, r);
	if (n->congestion)
		packet_congestion_report(n, r);
	packet_report_classes(n, r);
	packet_report_latency(n, r);
	if (report_keeps(r, "nodes"))
		report_nodes(n, r);
	if (report_keeps(r, "links"))
		report_links(n, r);
}
