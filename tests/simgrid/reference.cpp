/*
 * What SimGrid says to a pattern file (docs/formats/traffic.md: lines ranks, outstanding, send) on a
 * torus: an independent max-min solver, for tests/simgrid/compare.sh.
 *
 *   simgrid-reference DIMS PATTERN-FILE        DIMS "7,7"; prints the last end, and the sum of the
 *                                              ranks' ends, in seconds
 *
 * Host model CM02 without cross-traffic, TCP window and factors: shares weighted by the
 * inverse of a path's latency, which passes first. Every host runs a sender, and a receiver
 * that posts all its receives at once, so that a message begins when it is sent. A torus of SimGrid
 * has no links between hosts and routers, and sends from coordinate n/2 to 0 backwards, others at
 * the same distance forwards: sizes should be odd. Its default, network/optim:Lazy, gives other
 * shares in some cases, which are not max-min fair (25 random messages on 5 x 5 show it);
 * Full gives what a plain event loop with progressive filling gives, to all digits.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <simgrid/s4u.hpp>

namespace sg4 = simgrid::s4u;

struct send {
	unsigned long to;
	double bytes;
};

struct traffic {
	unsigned long ranks = 0;
	unsigned outstanding = 1;
	std::vector<std::map<unsigned long, send>> queue; /* by order */
	std::vector<unsigned long> receives;
	std::vector<double> end;
};

static std::string host_name(unsigned long i)
{
	return "h" + std::to_string(i);
}

static void read(const char *path, traffic &t)
{
	std::ifstream in(path);
	std::string line, word;

	while (std::getline(in, line)) {
		std::istringstream s(line);
		unsigned long from, order;
		send x;

		if (!(s >> word))
			continue;
		if (word == "ranks") {
			s >> t.ranks;
			t.queue.resize(t.ranks);
			t.receives.resize(t.ranks);
			t.end.resize(t.ranks);
		} else if (word == "outstanding") {
			s >> t.outstanding;
		} else if (word == "send" && s >> from >> x.to >> order >> x.bytes) {
			t.queue.at(from)[order] = x;
			t.receives.at(x.to)++;
		}
	}
}

static void sender(traffic *t, unsigned long me)
{
	std::vector<sg4::CommPtr> flying;
	static char token;

	for (auto const &x : t->queue[me]) {
		sg4::Mailbox *box = sg4::Mailbox::by_name(host_name(x.second.to));

		flying.push_back(box->put_async(&token, static_cast<uint64_t>(x.second.bytes)));
		while (flying.size() >= t->outstanding)
			flying.erase(flying.begin() + sg4::Comm::wait_any(flying));
	}
	sg4::Comm::wait_all(flying);
	t->end[me] = std::max(t->end[me], sg4::Engine::get_clock());
}

/* All receives at once, as ours never make a sender wait. */
static void receiver(traffic *t, unsigned long me)
{
	sg4::Mailbox *box = sg4::Mailbox::by_name(host_name(me));
	std::vector<sg4::CommPtr> coming;
	std::vector<char *> token(t->receives[me]);

	for (auto &x : token)
		coming.push_back(box->get_async<char>(&x));
	sg4::Comm::wait_all(coming);
	if (!coming.empty())
		t->end[me] = std::max(t->end[me], sg4::Engine::get_clock());
}

static std::pair<simgrid::kernel::routing::NetPoint *, simgrid::kernel::routing::NetPoint *>
make_host(sg4::NetZone *zone, const std::vector<unsigned long> &, unsigned long id)
{
	sg4::Host *host = zone->create_host(host_name(id), 1e9);

	host->seal();
	return {host->get_netpoint(), nullptr};
}

int main(int argc, char *argv[])
{
	sg4::Engine engine(&argc, argv);
	std::vector<unsigned long> sizes;
	double sum = 0;
	traffic t;

	if (argc != 3)
		return 2;
	for (char *at = argv[1]; *at; at += *at == ',')
		sizes.push_back(std::strtoul(at, &at, 10));
	read(argv[2], t);
	for (const char *option : {"network/model:CM02", "network/crosstraffic:0", "network/TCP-gamma:0",
	                           "network/weight-S:0", "network/bandwidth-factor:1", "network/latency-factor:1",
	                           "network/optim:Full", "surf/precision:1e-12", "maxmin/precision:1e-7"})
		sg4::Engine::set_config(option);
	sg4::create_torus_zone("torus", nullptr, sizes, {make_host, {}, {}}, 1e9, 1e-6,
	                       sg4::Link::SharingPolicy::SPLITDUPLEX)->seal();
	for (unsigned long i = 0; i < t.ranks; i++) {
		sg4::Host *host = sg4::Host::by_name(host_name(i));

		sg4::Actor::create("receiver", host, receiver, &t, i);
		sg4::Actor::create("sender", host, sender, &t, i);
	}
	engine.run();
	for (double end : t.end)
		sum += end;
	std::printf("%.12f %.12f\n", sg4::Engine::get_clock(), sum);
	return 0;
}
