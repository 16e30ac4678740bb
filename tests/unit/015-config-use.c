/* Keys that nothing reads: psim/base/config/config_use.c. */
#include "tap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "psim/base/config/config.h"

struct machine {
	struct engine_params {
		unsigned kind;
		double bandwidth;
		int64_t latency;
	} engine;
	struct link_params {
		double bandwidth;
		unsigned lanes;
	} link;
};

static const struct param rows[] = {
	{.section = "engine",
	 .key = "kind",
	 .type = PARAM_ENUM,
	 .initial = "packet",
	 .choices = "packet|flow|line",
	 .unit = "",
	 .doc = "",
	 .offset = offsetof(struct machine, engine.kind)},
	{.section = "engine",
	 .key = "bandwidth",
	 .type = PARAM_RATE,
	 .initial = "auto",
	 .max = 1e15,
	 .unit = "bytes/s",
	 .doc = "",
	 .offset = offsetof(struct machine, engine.bandwidth)},
	{.section = "engine",
	 .key = "latency",
	 .type = PARAM_TIME,
	 .initial = "auto",
	 .max = 1e15,
	 .unit = "ps",
	 .doc = "",
	 .offset = offsetof(struct machine, engine.latency)},
	{.section = "link",
	 .key = "bandwidth",
	 .type = PARAM_RATE,
	 .initial = "0",
	 .max = 1e15,
	 .unit = "bytes/s",
	 .doc = "",
	 .offset = offsetof(struct machine, link.bandwidth)},
	{.section = "link",
	 .key = "lanes",
	 .type = PARAM_UINT,
	 .initial = "1",
	 .min = 1,
	 .max = 9,
	 .unit = "",
	 .doc = "",
	 .offset = offsetof(struct machine, link.lanes)},
};
static const struct config_use uses[] = {
	{"engine.bandwidth engine.latency", "engine.kind=line", false},
	{"link.*", "engine.kind=packet|flow, engine.kind=line engine.bandwidth=auto", false},
	{"link.lanes", "link.bandwidth!=0", false},
	{"link.lanes", "?wide, other.key=1", false},
	{"link.bandwidth", "!idle", true},
	{NULL, NULL, false},
};

struct told {
	char text[600];
};

static void note(void *user, const char *place, const char *keys, bool several, const char *why)
{
	struct told *t = user;
	size_t n = strlen(t->text);
	const char *slash = strrchr(place, '/');

	snprintf(t->text + n, sizeof(t->text) - n, "%s: %s %s %s; ", slash ? slash + 1 : place, keys,
		 several ? "are" : "is", why);
}

static struct config *make(struct machine *m)
{
	struct config *c = config_create();

	config_add(c, rows, sizeof(rows) / sizeof(rows[0]), m);
	return c;
}

/* Returns the warning for a configuration with these overrides. */
static const char *told_of(const char *const *overrides)
{
	static struct told t;
	struct machine m;
	struct config *c = make(&m);
	struct err e = {0};

	t.text[0] = '\0';
	for (; *overrides; overrides++)
		CHECK_I64(config_override(c, *overrides, "-p", &e), 0);
	config_unused(c, uses, note, &t);
	config_destroy(c);
	return t.text;
}
#define TOLD(...) told_of((const char *const[]){__VA_ARGS__, NULL})

static void what_is_read_is_not_told(void)
{
	CHECK_STR(TOLD("engine.kind=line", "engine.latency=1us", "link.bandwidth=1GB/s"), "");
	CHECK_STR(TOLD("link.bandwidth=1GB/s", "link.lanes=2"), "");
}

static void what_is_not_read_is_told_with_the_reason(void)
{
	CHECK_STR(TOLD("engine.latency=1us"), "-p: engine.latency is by engine packet; ");
	/* of two alternatives the one that is nearer */
	CHECK_STR(TOLD("engine.kind=line", "engine.bandwidth=2GB/s", "link.bandwidth=1GB/s"),
		  "-p: link.bandwidth is with engine.bandwidth = 2 GB/s; ");
	/* 0 is 0 with every unit */
	CHECK_STR(TOLD("link.lanes=2"), "-p: link.lanes is with link.bandwidth = 0 B/s; ");
	/* given is given, also where it is the default */
	CHECK_STR(TOLD("engine.latency=auto"), "-p: engine.latency is by engine packet; ");
}

static void keys_with_the_same_reason_are_one_message(void)
{
	CHECK_STR(TOLD("engine.kind=flow", "engine.latency=1us", "engine.bandwidth=1GB/s"),
		  "-p: engine.bandwidth, engine.latency are by engine flow; ");
}

static void facts_count(void)
{
	struct machine m;
	struct config *c = make(&m);
	struct told t = {""};
	struct err e;

	CHECK_I64(config_override(c, "link.bandwidth=1GB/s", "-p", &e), 0);
	CHECK_I64(config_fact(c, "idle", true, "when idle", &e), 0);
	CHECK_U64(config_unused(c, uses, note, &t), 1);
	CHECK_STR(t.text, "-p: link.bandwidth is when idle; ");
	/* but a file may be for others too: that rule is of the command line */
	t.text[0] = '\0';
	CHECK_I64(config_override(c, "link.bandwidth=1GB/s", "x.ini:3", &e), 0);
	CHECK_U64(config_unused(c, uses, note, &t), 0);
	config_destroy(c);
}

static void used_once_is_used(void)
{
	struct machine m;
	struct config *c = make(&m);
	struct told t = {""};
	struct err e;

	CHECK_I64(config_override(c, "engine.latency=1us", "study:2", &e), 0);
	CHECK_I64(config_override(c, "engine.kind=line", "study:3", &e), 0);
	config_note_used(c, uses);
	CHECK_I64(config_override(c, "engine.kind=flow", "study:3", &e), 0);
	CHECK_U64(config_unused(c, uses, note, &t), 0);
	config_destroy(c);
}

static void a_file_may_allow_it(void)
{
	static const char *const texts[] = {
		"[engine]\nlatency = 1us\n",
		"unused = allowed\n[engine]\nlatency = 1us\n",
	};
	char path[] = "/tmp/config-use-XXXXXX";
	int fd = mkstemp(path);

	REQUIRE(fd >= 0);
	for (unsigned i = 0; i < 2; i++) {
		struct machine m;
		struct config *c = make(&m);
		struct told t = {""};
		struct err e = {0};

		CHECK_I64(ftruncate(fd, 0), 0);
		CHECK(pwrite(fd, texts[i], strlen(texts[i]), 0) > 0);
		CHECK_I64(config_read(c, path, &e), 0);
		CHECK_U64(config_unused(c, uses, note, &t), !i);
		/* what the command line gives is not the file's */
		CHECK_I64(config_override(c, "engine.bandwidth=1GB/s", "-p", &e), 0);
		CHECK_U64(config_unused(c, uses, note, &t), 2 - i);
		config_destroy(c);
	}
	close(fd);
	remove(path);
}

static void auto_is_a_value(void)
{
	struct machine m;
	struct config *c = make(&m);
	struct err e;

	CHECK(m.engine.latency == PARAM_AUTO && m.engine.bandwidth < 0);
	CHECK_I64(config_override(c, "engine.latency=0", "-p", &e), 0);
	CHECK_I64(m.engine.latency, 0);
	CHECK_I64(config_override(c, "link.bandwidth=auto", "-p", &e), -1); /* whose default it is not */
	config_destroy(c);
}

static const struct tap_test tests[] = {
	{"what is read is not told", what_is_read_is_not_told},
	{"what is not read is told with the reason", what_is_not_read_is_told_with_the_reason},
	{"keys with the same reason are one message", keys_with_the_same_reason_are_one_message},
	{"facts count", facts_count},
	{"used once is used", used_once_is_used},
	{"a file may allow it", a_file_may_allow_it},
	{"auto is a value", auto_is_a_value},
};

int main(void)
{
	return tap_main("keys that nothing reads", tests, TAP_COUNT(tests));
}
