/*
 * Loads a platform file and lets each host send to the one `shift` further on, in the order of the list, at once:
 * prints the last end and the sum of the ends, in seconds. Model and options are those of reference.cpp.
 *
 *   simgrid-platform PLATFORM SHIFT BYTES HOST...
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <simgrid/s4u.hpp>

namespace sg4 = simgrid::s4u;

int main(int argc, char *argv[])
{
	sg4::Engine engine(&argc, argv);
	std::vector<sg4::Host *> hosts;
	double last = 0, sum = 0;
	static int token;

	if (argc < 5)
		return 2;
	for (const char *option : {"network/model:CM02", "network/crosstraffic:0", "network/TCP-gamma:0",
	                           "network/weight-S:0", "network/bandwidth-factor:1", "network/latency-factor:1",
	                           "network/optim:Full"})
		sg4::Engine::set_config(option);
	engine.load_platform(argv[1]);
	for (int i = 4; i < argc; i++)
		hosts.push_back(sg4::Host::by_name(argv[i]));
	for (std::size_t i = 0; i < hosts.size(); i++) {
		std::string to = std::to_string((i + std::strtoul(argv[2], nullptr, 10)) % hosts.size());
		double bytes = std::strtod(argv[3], nullptr);

		sg4::Actor::create("sender", hosts[i], [&last, &sum, to, bytes] {
			sg4::Mailbox::by_name(to)->put(&token, static_cast<uint64_t>(bytes));
			sum += sg4::Engine::get_clock();
			last = std::max(last, sg4::Engine::get_clock());
		});
		sg4::Actor::create("receiver", hosts[i], [i] { sg4::Mailbox::by_name(std::to_string(i))->get<int>(); });
	}
	engine.run();
	std::printf("%.12f %.12f\n", last, sum);
	return 0;
}
