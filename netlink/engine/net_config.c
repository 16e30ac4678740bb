#include "net_config.h"

#include <inttypes.h>
#include <string.h>

#include "traffic_classes.h"

#include "../../psim/base/config/config_sections.h" /* after the structs of the same rows */

void net_config_add(struct config *c, struct net_config *target)
{
#include "net_params.def"
}

/* The first of two keys of a section that is not a default, for messages on a rule that relates them. */
static const char *net_config_blame(const struct config *c, const char *section, const char *one, const char *two)
{
	const char *origin = config_origin(c, section, one);

	return strcmp(origin, "default") ? origin : config_origin(c, section, two);
}

static uint64_t whole_flits(const struct net_config *v, uint64_t bytes)
{
	return (bytes + v->router.flit - 1) / v->router.flit * v->router.flit;
}

/* 0 shares nothing; tiny rates would overflow the clock. */
static int check_shared_rates(const struct config *c, const struct net_config *v, struct err *e)
{
	const struct {
		const char *key;
		double value;
	} rates[] = {{"injection", v->node.injection}, {"memory", v->node.memory}};

	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++)
		if (rates[i].value > 0 && rates[i].value < 1)
			return err_set(e, STATUS_USAGE, "%s: node.%s = %g B/s: expected 0 or at least 1 B/s",
				       config_origin(c, "node", rates[i].key), rates[i].key, rates[i].value);
	return 0;
}

/* Weights; and inputs that book their next turn do so for packets of one class. */
static int check_traffic_classes(const struct config *c, const struct net_config *v, struct err *e)
{
	uint32_t weight[TRAFFIC_CLASSES_MAX];

	if (traffic_class_weights(v, weight, e) < 0)
		return err_prefix(e, "%s", config_origin(c, "router", "class_weights"));
	if (v->router.classes > 1 && v->router.input_port == INPUT_PORT_ONE_PACKET)
		return err_set(e, STATUS_USAGE,
			       "%s: router.classes = %u with router.input_port = one_packet, expected unlimited",
			       config_origin(c, "router", "classes"), v->router.classes);
	return 0;
}

int net_config_check(const struct config *c, const struct net_config *v, struct err *e)
{
	uint64_t packet = whole_flits(v, v->nic.mtu);
	const struct {
		const char *section, *key;
		uint64_t value;
	} buffers[] = {
		{"router", "vc_buffer", v->router.vc_buffer},
		{"nic", "fifo", v->nic.fifo},
		{"nic", "receive_fifo", v->nic.receive_fifo},
		{"nic", "window", v->nic.window},
	};

	if (v->nic.header >= v->nic.mtu)
		return err_set(e, STATUS_USAGE,
			       "%s: nic.header = %" PRIu64
			       " leaves no room in a packet: expected less than nic.mtu = %" PRIu64,
			       net_config_blame(c, "nic", "header", "mtu"), v->nic.header, v->nic.mtu);
	if (v->router.mark && !v->nic.window)
		return err_set(e, STATUS_USAGE,
			       "%s: router.mark = %" PRIu64
			       " without nic.window: no sender obeys marks, expected a window",
			       config_origin(c, "router", "mark"), v->router.mark);
	if (check_shared_rates(c, v, e) < 0 || check_traffic_classes(c, v, e) < 0)
		return -1;
	for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++) {
		const char *origin = config_origin(c, buffers[i].section, buffers[i].key);

		if ((i && !buffers[i].value) || buffers[i].value >= packet) /* 0: unbounded, but for vc_buffer */
			continue;
		return err_set(e, STATUS_USAGE,
			       "%s: %s.%s = %" PRIu64
			       " cannot hold a packet: expected at least nic.mtu in whole flits, %" PRIu64,
			       strcmp(origin, "default") ? origin : config_origin(c, "nic", "mtu"), buffers[i].section,
			       buffers[i].key, buffers[i].value, packet);
	}
	return 0;
}
