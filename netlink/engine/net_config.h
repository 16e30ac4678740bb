/*
 * The configuration of the engines: one struct from net_params.def. An E row's choices are numbered by position; the
 * lists here define its names and its enumerators together.
 */
#ifndef PSIM_NETLINK_ENGINE_CONFIG_H
#define PSIM_NETLINK_ENGINE_CONFIG_H

#include "../../psim/base/choice.h"
#include "../../psim/base/config/config.h"

#define CONFIG_ROWS "netlink/engine/net_params.def"
#define CONFIG_SECTION(name) net_##name##_params
struct net_config {
#include "../../psim/base/config/config_struct.h"
};

#define ROUTER_QUEUES(C) \
	C(QUEUES_PER_OUTPUT, "per_output") \
	C(QUEUES_PER_VC, "per_vc")
#define ROUTER_INPUT_PORTS(C) \
	C(INPUT_PORT_ONE_PACKET, "one_packet") \
	C(INPUT_PORT_UNLIMITED, "unlimited")
#define ROUTER_CREDITS(C) \
	C(CREDITS_IN_ORDER, "in_order") \
	C(CREDITS_ANY, "any")
#define ROUTER_ARBITRATIONS(C) \
	C(ARBITRATION_FCFS, "fcfs") \
	C(ARBITRATION_ROUND_ROBIN, "round_robin") \
	C(ARBITRATION_OLDEST, "oldest")
#define ROUTER_CLASS_ORDERS(C) \
	C(CLASS_STRICT, "strict") \
	C(CLASS_WEIGHTED, "weighted")
#define NIC_SELECTS(C) \
	C(NIC_SELECT_ROUND_ROBIN, "round_robin") \
	C(NIC_SELECT_FIRST, "first") \
	C(NIC_SELECT_SHORTEST, "shortest")
#define NIC_SERVICES(C) \
	C(NIC_SERVICE_IN_TURN, "in_turn") \
	C(NIC_SERVICE_FCFS, "fcfs")
#define NIC_CONTROLS(C) \
	C(NIC_CONTROL_OWN, "own") \
	C(NIC_CONTROL_IN_ORDER, "in_order")
#define NIC_RECEIVES(C) \
	C(NIC_RECEIVE_IN_TURN, "in_turn") \
	C(NIC_RECEIVE_SAME, "same") \
	C(NIC_RECEIVE_ANY, "any")
#define LINEAR_SENDS(C) \
	C(LINEAR_IN_TURN, "in_turn") \
	C(LINEAR_AT_ONCE, "at_once")
#define FLOW_MODES(C) \
	C(FLOW_MAXMIN, "maxmin") \
	C(FLOW_N, "n") \
	C(FLOW_F, "f") \
	C(FLOW_N_LITERAL, "n-literal")
#define FLOW_LATENCIES(C) \
	C(FLOW_LATENCY_AFTER, "after") \
	C(FLOW_LATENCY_BEFORE, "before") \
	C(FLOW_LATENCY_NONE, "none")
#define FLOW_SHARES(C) \
	C(FLOW_SHARE_EQUAL, "equal") \
	C(FLOW_SHARE_LATENCY, "latency")

enum router_class_order { ROUTER_CLASS_ORDERS(CHOICE_ID) };
enum router_queues { ROUTER_QUEUES(CHOICE_ID) };
enum router_input_port { ROUTER_INPUT_PORTS(CHOICE_ID) };
enum router_credits { ROUTER_CREDITS(CHOICE_ID) };
enum router_arbitration { ROUTER_ARBITRATIONS(CHOICE_ID) };
enum nic_select { NIC_SELECTS(CHOICE_ID) };
enum nic_service { NIC_SERVICES(CHOICE_ID) };
enum nic_control { NIC_CONTROLS(CHOICE_ID) };
enum nic_receive { NIC_RECEIVES(CHOICE_ID) };

enum linear_sends { LINEAR_SENDS(CHOICE_ID) };

enum flow_mode { FLOW_MODES(CHOICE_ID) };
enum flow_latency { FLOW_LATENCIES(CHOICE_ID) };
enum flow_share { FLOW_SHARES(CHOICE_ID) };

/* Adds the sections of all engines to `c` with `target` as their destination, and sets the defaults. */
void net_config_add(struct config *c, struct net_config *target);

/*
 * Checks rules between values after everything is read: 0, or -1 with `e` and the place of the offending value.
 * Rules that involve the topology (virtual channels) are checked when an engine is made.
 */
int net_config_check(const struct config *c, const struct net_config *v, struct err *e);

#endif
