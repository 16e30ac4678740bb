/*
 * Machine files of bsim, with [models] and [skeleton]: refused with one line, or a configuration
 * that dumps to what reads back the same, and models and numbers that can be read.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "fuzz_config.h"
#include "fuzz_file.h"
#include "netlink/engine/net_config.h"
#include "netlink/apps/run/models.h"
#include "netlink/topology/topology_config.h"
#include "netlink/vmpi/vmpi_config.h"

struct machine {
	struct config *config;
	struct topology_config topology;
	struct net_config net;
	struct vmpi_config vmpi;
};

/* the model that files of the corpus name: seconds of n */
static const char model_text[] = "{\"model\": {\"format\": \"psim-model\", \"version\": 1, \"value\": \"s\", \"unit\": "
				 "\"s\","
				 " \"formula\": \"1e-9*n^3\", \"max_error\": 1},\n"
				 " \"variables\": [{\"variable\": \"n\", \"from\": 1, \"to\": 9}],\n"
				 " \"terms\": [{\"term\": \"n^3\", \"coefficient\": 1e-9}]}\n";

static void make(struct machine *m)
{
	m->config = config_create();
	topology_config_add(m->config, &m->topology);
	net_config_add(m->config, &m->net);
	vmpi_config_add(m->config, &m->vmpi);
	models_config_add(m->config);
}

/* Refusals are one line, of the user's mistake. */
static void check_error(const struct err *e)
{
	if ((e->status != STATUS_USAGE && e->status != STATUS_BAD_INPUT) || !*e->text || strchr(e->text, '\n'))
		abort();
}

static void read_back(const struct machine *m)
{
	struct machine again;

	make(&again);
	fuzz_config_reads_back(m->config, again.config);
	config_destroy(again.config);
}

static void ask(const struct machine *m)
{
	static const char *const names[] = {"dgemm", "a", "", "block"};
	struct err e = {0};
	struct opt_list none = {0};
	struct models *models = models_create(m->config, &none, &none, &e);
	struct vmpi_skeleton s;

	if (!models) {
		check_error(&e);
		return;
	}
	s = models_skeleton(models, true);
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		double x[] = {3, -1}, v = 1;
		char why[200] = "";

		for (int n = 0; n <= 2; n++) {
			bool there = s.time(s.user, names[i], n, x, &v, why, sizeof(why));

			if (there ? !s.has(s.user, names[i]) || !isfinite(v) || v < 0 : !*why)
				abort();
		}
		if (s.parameter(s.user, names[i], &v) && !isfinite(v))
			abort();
	}
	models_destroy(models);
}

static bool has(const uint8_t *data, size_t size, const char *text)
{
	size_t n = strlen(text);

	for (size_t i = 0; i + n <= size; i++)
		if (!memcmp(data + i, text, n))
			return true;
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct machine m;
	struct err e = {0};

	/* files that never end, or that somebody types */
	if (has(data, size, "/dev") || has(data, size, "/proc"))
		return 0;
	fuzz_file("a.model", model_text, sizeof(model_text) - 1);
	make(&m);
	if (config_read(m.config, fuzz_file("a.ini", data, size), &e)) {
		check_error(&e);
	} else {
		read_back(&m);
		if (topology_config_check(m.config, &m.topology, &e) || net_config_check(m.config, &m.net, &e) ||
		    vmpi_config_check(m.config, &m.vmpi, &e))
			check_error(&e);
		ask(&m);
	}
	config_destroy(m.config);
	return 0;
}
