/*
 * An engine for tests of code that uses engines: a message of b bytes has left after b x per_byte and arrives
 * `latency` later; messages of `slow_bytes` bytes take `slower` more. Links are never busy.
 */
#ifndef PSIM_TESTS_FAKE_ENGINE_H
#define PSIM_TESTS_FAKE_ENGINE_H

#include "netlink/engine/engine.h"

struct fake_times {
	int64_t latency, per_byte, slower; /* ps */
	uint64_t slow_bytes;               /* 0: none */
};

extern const struct net_engine_kind fake_engine;

/* Destroyed by fake_engine.destroy. */
struct net_engine *fake_create(const struct fake_times *times);

#endif
