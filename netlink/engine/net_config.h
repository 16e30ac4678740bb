/*
 * The configuration of the engines: one struct from net_params.def. Each engine's rows
 * stand in its own folder; a choice of an E row is a position, named by an enum here.
 */
#ifndef PSIM_NETLINK_ENGINE_CONFIG_H
#define PSIM_NETLINK_ENGINE_CONFIG_H

#include "../../psim/base/config/config.h"

#define CONFIG_ROWS "netlink/engine/net_params.def"
#define CONFIG_SECTION(name) net_##name##_params
struct net_config {
#include "../../psim/base/config/config_struct.h"
};

enum router_queues { QUEUES_PER_OUTPUT, QUEUES_PER_VC };
enum router_input_port { INPUT_PORT_ONE_PACKET, INPUT_PORT_UNLIMITED };
enum router_credits { CREDITS_IN_ORDER, CREDITS_ANY };
enum router_arbitration { ARBITRATION_FCFS, ARBITRATION_ROUND_ROBIN, ARBITRATION_OLDEST };
enum nic_select { NIC_SELECT_ROUND_ROBIN, NIC_SELECT_FIRST, NIC_SELECT_SHORTEST };
enum nic_service { NIC_SERVICE_IN_TURN, NIC_SERVICE_FCFS };
enum nic_control { NIC_CONTROL_OWN, NIC_CONTROL_IN_ORDER };
enum nic_receive { NIC_RECEIVE_IN_TURN, NIC_RECEIVE_SAME, NIC_RECEIVE_ANY };

enum linear_sends { LINEAR_IN_TURN, LINEAR_AT_ONCE };

enum flow_mode { FLOW_MAXMIN, FLOW_N, FLOW_F, FLOW_N_LITERAL };
enum flow_latency { FLOW_LATENCY_AFTER, FLOW_LATENCY_BEFORE, FLOW_LATENCY_NONE };
enum flow_share { FLOW_SHARE_EQUAL, FLOW_SHARE_LATENCY };

/* Adds the sections of all engines to `c`, filling `target`, and sets the defaults. */
void net_config_add(struct config *c, struct net_config *target);

/*
 * Rules between values, once, after everything is read: 0, or -1 and `e` with the
 * place of the offending value. What depends on the topology (virtual channels) is
 * checked when an engine is made.
 */
int net_config_check(const struct config *c, const struct net_config *v, struct err *e);

#endif
