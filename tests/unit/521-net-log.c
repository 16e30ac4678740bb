/* Logs of the network: series, Chrome's JSON, Paje's text. */
#include "tap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "packet_run.h"

/*
 * A message goes one column and one row on, 2 links, and injection and ejection; those from the last column, 4 of
 * them, reach column 0 of the next row but one: 3 links. 20 packets each.
 */
enum { NODES = 16, LINK_PACKETS = (16 * 4 + 4) * 20 };

/* Every node sends 20 packets to the one 5 further on: 4 x 4 torus, links are shared. */
static void send_all(struct run *r)
{
	for (uint32_t i = 0; i < NODES; i++)
		run_send(r, 0, i, (i + 5) % NODES, 20 * 2016);
}

static int64_t run_all(const struct net_log_setup *setup, struct report *report)
{
	struct run *r = setup ? run_new_logged("dims=4x4", "", setup) : run_new("dims=4x4", "");
	struct err e = {0};
	int64_t end;

	send_all(r);
	end = run_end(r);
	if (setup)
		CHECK_I64(net_log_finish(run_log(r), &e), 0);
	if (setup && report)
		net_log_report(run_log(r), report);
	run_free(r);
	return end;
}

static json_t *chrome_of(bool packets)
{
	FILE *file = tmpfile();
	json_error_t error;
	json_t *root, *events;

	REQUIRE(file != NULL);
	run_all(&(struct net_log_setup){.chrome = file, .packets = packets}, NULL);
	rewind(file);
	root = json_loadf(file, 0, &error);
	if (!root)
		fprintf(stderr, "line %d: %s\n", error.line, error.text);
	REQUIRE(root != NULL);
	fclose(file);
	events = json_object_get(root, "traceEvents");
	CHECK(json_is_array(events));
	json_incref(events);
	json_decref(root);
	return events;
}

/* How many events have this phase; `sum`: of their member `of`, where it is a number. */
static unsigned count(json_t *events, const char *phase, const char *of, double *sum)
{
	unsigned n = 0;
	size_t i;
	json_t *event;

	json_array_foreach(events, i, event)
	{
		if (strcmp(json_string_value(json_object_get(event, "ph")), phase) != 0)
			continue;
		n++;
		if (sum)
			*sum += json_number_value(json_object_get(event, of));
	}
	return n;
}

static void results_are_the_same_with_logs_and_without(void)
{
	FILE *chrome = tmpfile(), *paje = tmpfile();
	struct net_log_setup all = {.series = true, .chrome = chrome, .paje = paje, .packets = true};

	REQUIRE(chrome != NULL && paje != NULL);
	CHECK_I64(run_all(&all, NULL), run_all(NULL, NULL));
	fclose(chrome);
	fclose(paje);
}

static void a_message_begins_once_and_ends_once(void)
{
	json_t *events = chrome_of(false);

	CHECK_U64(count(events, "b", NULL, NULL), NODES);
	CHECK_U64(count(events, "e", NULL, NULL), NODES);
	CHECK_U64(count(events, "M", NULL, NULL), NODES + 1); /* names of nodes and of counters */
	CHECK_U64(json_array_size(events), 2 * NODES + NODES + 1 + count(events, "C", NULL, NULL));
	json_decref(events);
}

static void each_packet_is_on_each_of_its_links_for_its_link_time(void)
{
	json_t *events = chrome_of(true);
	double us = 0;

	CHECK_U64(count(events, "X", "dur", &us), LINK_PACKETS);
	CHECK_F64(us, LINK_PACKETS * 0.512, 1e-6);
	json_decref(events);
}

static void series_add_up_to_what_was_carried(void)
{
	struct net_log_setup setup = {.series = true, .interval_ps = 1000000};
	struct report *r = report_create();
	FILE *file = tmpfile();
	struct err e = {0};
	double sum = 0;
	json_t *root, *row;
	size_t i;

	REQUIRE(r != NULL && file != NULL);
	/* 16 messages x 20 x 2048 bytes over a link +x each: 16 links +x, so 40960 bytes a link, 4 GB/s at most */
	run_all(&setup, r);
	CHECK_I64(report_write(r, REPORT_JSON, file, &e), 0);
	rewind(file);
	root = json_loadf(file, 0, NULL);
	REQUIRE(root != NULL);
	json_array_foreach(json_object_get(root, "series_throughput"), i, row)
	{
		double value = json_number_value(json_object_get(row, "+x"));

		CHECK(value >= 0 && value <= 4.0001e9);
		sum += value * 1e-6;
	}
	json_decref(root);
	fclose(file);
	/* what is carried after the last sample is missing: less than an interval's 4000 bytes */
	CHECK_F64(sum, 40960 - 2000, 2000.5);
	report_destroy(r);
}

/*
 * Only buffers that are there have columns: of each link between routers two VCs, of NICs the FIFOs that are
 * bounded.
 */
static void buffers_that_are_not_there_have_no_column(void)
{
	static const struct {
		const char *network, *engine;
		unsigned columns;
	} cases[] = {
		{"dims=4x4", "", 4 * 2 + 2 + 1}, /* the FIFO of handshakes is VC 1 of the link from the NIC */
		{"dims=4x4", "nic.control=in_order", 4 * 2 + 1 + 1},
		{"dims=4x4", "nic.fifo=0 nic.receive_fifo=0", 4 * 2},
		{"kind=mesh dims=4x4", "", 4 + 1 + 1}, /* one VC is shown */
	};

	for (unsigned i = 0; i < 4; i++) {
		struct net_log_setup setup = {.series = true};
		struct run *r = run_new_logged(cases[i].network, cases[i].engine, &setup);
		struct report *report = report_create();
		struct err e = {0};
		char *text = NULL;
		size_t size;
		unsigned columns = 0;
		FILE *file = open_memstream(&text, &size);

		send_all(r);
		run_end(r);
		net_log_report(run_log(r), report);
		REQUIRE(file != NULL);
		CHECK_I64(report_write(report, REPORT_JSON, file, &e), 0);
		fclose(file);
		for (const char *at = strstr(text, "series_buffers"); (at = strstr(at, "_vc")) != NULL; at++)
			columns++;
		CHECK(columns > 0 && columns % cases[i].columns == 0);
		CHECK(strstr(text, "NaN") == NULL && strstr(text, "nan") == NULL);
		free(text);
		report_destroy(report);
		run_free(r);
	}
}

static void paje_is_read_by_pj_dump(void)
{
	char name[] = "/tmp/net-log-XXXXXX", command[120];
	int fd, links = 0, states = 0;
	FILE *paje, *out;
	char line[400];

	if (system("command -v pj_dump >/dev/null") != 0)
		return; /* Debian's pajeng is not there */
	fd = mkstemp(name);
	REQUIRE(fd >= 0);
	paje = fdopen(fd, "w");
	REQUIRE(paje != NULL);
	run_all(&(struct net_log_setup){.paje = paje, .packets = true}, NULL);
	CHECK_I64(fclose(paje), 0);
	snprintf(command, sizeof(command), "pj_dump %s", name);
	out = popen(command, "r");
	REQUIRE(out != NULL);
	while (fgets(line, sizeof(line), out)) {
		links += !strncmp(line, "Link,", 5);
		states += !strncmp(line, "State,", 6);
	}
	CHECK_I64(pclose(out), 0);
	CHECK_I64(links, NODES);
	CHECK_I64(states, LINK_PACKETS);
	unlink(name);
}

/* Rank `rank`, on the node of its number, enters a call; NULL: leaves it. */
static void calls(struct net_log *l, uint32_t rank, int64_t time, const char *name)
{
	net_log_state(l, &(struct net_log_state){name ? NET_LOG_CALLS : NET_LOG_ENDS, rank, rank, time, name, NULL});
}

static void states(struct net_log *l, enum net_log_kind kind, uint32_t rank, int64_t time, const char *name)
{
	net_log_state(l, &(struct net_log_state){kind, rank, rank, time, name, NULL});
}

static void arrow(struct net_log *l, bool received, uint32_t src, uint32_t dst, int64_t time, uint64_t bytes)
{
	net_log_arrow(l, &(struct net_log_arrow){.time_ps = time,
						 .serial = 1,
						 .bytes = bytes,
						 .src = src,
						 .dst = dst,
						 .node = received ? dst : src,
						 .received = received});
}

static void states_of_ranks_nest_in_both_formats(void)
{
	FILE *chrome = tmpfile();
	struct net_log_setup setup = {.chrome = chrome};
	struct run *r = run_new_logged("dims=4x4", "", &setup);
	struct err e = {0};
	json_t *root;

	calls(run_log(r), 3, 1000, "MPI_Send");
	calls(run_log(r), 2, 500, "MPI_Recv");  /* logged later, happened before */
	calls(run_log(r), 3, 3000, "MPI_Wait"); /* ends the last one */
	calls(run_log(r), 3, 4000, NULL);
	calls(run_log(r), 2, 4500, NULL);
	run_end(r);
	CHECK_I64(net_log_finish(run_log(r), &e), 0);
	rewind(chrome);
	root = json_loadf(chrome, 0, NULL);
	REQUIRE(root != NULL);
	CHECK_U64(count(json_object_get(root, "traceEvents"), "B", NULL, NULL), 3);
	CHECK_U64(count(json_object_get(root, "traceEvents"), "E", NULL, NULL), 3);
	json_decref(root);
	run_free(r);
	fclose(chrome);
}

/* The events that a viewer sees, "B10 E20": phase and microseconds, in their order in the file. */
static void event_list(FILE *file, char *text, size_t size)
{
	json_t *root, *event;
	size_t i, at = 0;

	rewind(file);
	root = json_loadf(file, 0, NULL);
	REQUIRE(root != NULL);
	text[0] = '\0';
	json_array_foreach(json_object_get(root, "traceEvents"), i, event)
	{
		const char *phase = json_string_value(json_object_get(event, "ph"));

		if (json_object_get(event, "ts") && *phase != 'C')
			at += (size_t)snprintf(text + at, size - at, "%s%s%g", at ? " " : "", phase,
					       json_number_value(json_object_get(event, "ts")));
	}
	json_decref(root);
}

/* The values that a counter has over time, "10:1/0/2": microseconds, and its values. */
static void counter_list(FILE *file, const char *name, char *text, size_t size)
{
	json_t *root, *event, *value;
	const char *key;
	size_t i, at = 0;

	rewind(file);
	root = json_loadf(file, 0, NULL);
	REQUIRE(root != NULL);
	text[0] = '\0';
	json_array_foreach(json_object_get(root, "traceEvents"), i, event)
	{
		char separator = ':';

		if (*json_string_value(json_object_get(event, "ph")) != 'C' ||
		    strcmp(json_string_value(json_object_get(event, "name")), name) != 0)
			continue;
		at += (size_t)snprintf(text + at, size - at, "%s%g", at ? " " : "",
				       json_number_value(json_object_get(event, "ts")));
		json_object_foreach(json_object_get(event, "args"), key, value)
		{
			at += (size_t)snprintf(text + at, size - at, "%c%g", separator, json_number_value(value));
			separator = '/';
		}
	}
	json_decref(root);
}

/* Times in us. Rank 0 runs on node 0, rank 1 on node 1 … */
static void a_window_has_its_own_messages_and_cuts_states_off(void)
{
	static const uint32_t node_of[] = {0, 1, 2, 3};
	enum { US = 1000000 };
	struct net_log_window window = {.from_ps = 200 * US,
					.to_ps = 300 * US,
					.first_rank = 0,
					.last_rank = 1,
					.node_of = node_of,
					.ranks = 4};
	struct net_log_setup setup = {.chrome = tmpfile(), .window = &window};
	struct run *r = run_new_logged("dims=4x4", "", &setup);
	struct net_log *l = run_log(r);
	struct err e = {0};
	char text[200];

	calls(l, 0, 100 * US, "MPI_Recv");                                          /* reaches into the window */
	calls(l, 2, 110 * US, "MPI_Recv");                                          /* another rank */
	net_log_message(l, 150 * US, 1, &(struct net_message){.src = 0, .dst = 1}); /* before */
	calls(l, 0, 250 * US, NULL);
	calls(l, 1, 280 * US, "MPI_Send"); /* reaches out of it */
	net_log_delivered(l, 220 * US, 1, &(struct net_message){.src = 0, .dst = 1});
	net_log_message(l, 260 * US, 2, &(struct net_message){.src = 1, .dst = 3}); /* ends later */
	net_log_message(l, 270 * US, 3, &(struct net_message){.src = 2, .dst = 3}); /* other nodes */
	calls(l, 0, 301 * US, "MPI_Send");
	net_log_message(l, 310 * US, 4, &(struct net_message){.src = 0, .dst = 1});
	net_log_delivered(l, 320 * US, 3, &(struct net_message){.src = 2, .dst = 3});
	net_log_delivered(l, 350 * US, 2, &(struct net_message){.src = 1, .dst = 3});
	calls(l, 1, 400 * US, NULL);
	CHECK_I64(net_log_finish(l, &e), 0);
	event_list(setup.chrome, text, sizeof(text));
	CHECK_STR(text, "B200 E250 b260 B280 E300 e350");
	run_free(r);
	fclose(setup.chrome);
}

/*
 * Times in us. Rank 0 computes from 1 to 5, is in a call from 5 to 8, and waits in it from 6 on. It has sent 100 bytes
 * to rank 1 at 5. Rank 1 computes from 2 to 7, where it receives them, and to 9.
 */
static void report_two_ranks(struct net_log *l)
{
	enum { US = 1000000 };

	states(l, NET_LOG_COMPUTES, 0, 1 * US, "compute");
	calls(l, 0, 5 * US, NULL);
	calls(l, 0, 5 * US, "MPI_Send");
	arrow(l, false, 0, 1, 5 * US, 100);
	states(l, NET_LOG_WAITS, 0, 6 * US, NULL);
	states(l, NET_LOG_COMPUTES, 1, 2 * US, "compute");
	arrow(l, true, 0, 1, 7 * US, 100);
	states(l, NET_LOG_CONTINUES, 0, 8 * US, NULL);
	calls(l, 0, 8 * US, NULL);
	states(l, NET_LOG_LAST, 0, 8 * US, NULL);
	calls(l, 1, 9 * US, NULL);
}

static void counters_have_their_values_at_the_end_of_an_instant(void)
{
	struct net_log_setup setup = {.chrome = tmpfile(), .arrows = true};
	struct run *r = run_new_logged("dims=4x4", "", &setup);
	struct err e = {0};
	char text[200];

	report_two_ranks(run_log(r));
	CHECK_I64(net_log_finish(run_log(r), &e), 0);
	counter_list(setup.chrome, "ranks", text, sizeof(text)); /* compute, call, wait */
	CHECK_STR(text, "1:1/0/0 2:2/0/0 5:1/1/0 6:1/0/1 8:1/0/0 9:0/0/0");
	counter_list(setup.chrome, "messages under way", text, sizeof(text));
	CHECK_STR(text, "5:1 7:0");
	counter_list(setup.chrome, "bytes under way", text, sizeof(text));
	CHECK_STR(text, "5:100 7:0");
	event_list(setup.chrome, text, sizeof(text));
	CHECK_STR(text, "B1 B2 E5 B5 s5 f7 E8 E9");
	run_free(r);
	fclose(setup.chrome);
}

/* A run that is interrupted leaves states open: they end with the last event. A rank's phase ends with the rank. */
static void what_is_open_ends_with_the_file(void)
{
	struct net_log_setup setup = {.chrome = tmpfile()};
	struct run *r = run_new_logged("dims=4x4", "", &setup);
	struct net_log *l = run_log(r);
	struct err e = {0};
	char text[200];

	net_log_phase(l, 0, 0, 1000000, "solve");
	calls(l, 1, 2000000, "MPI_Recv");
	states(l, NET_LOG_WAITS, 1, 2000000, NULL);
	states(l, NET_LOG_LAST, 0, 3000000, NULL);
	net_log_event(l, 2, 2, 4000000, "there");
	CHECK_I64(net_log_finish(l, &e), 0);
	event_list(setup.chrome, text, sizeof(text));
	CHECK_STR(text, "B1 B2 E3 i4 E4");
	counter_list(setup.chrome, "ranks", text, sizeof(text));
	CHECK_STR(text, "2:0/0/1 4:0/0/0");
	run_free(r);
	fclose(setup.chrome);
}

/* Names of programs are any bytes: what is no UTF-8, or would end the text, is left out. */
static void names_of_any_bytes_make_valid_json(void)
{
	static const char *const names[] = {"a\"b\\c\n", "\xc3\xa9t\xe9", "\xf0\x9f\x98\x80\xf5\xc0\x80", "\xe2\x82"};
	static const char *const want[] = {"abc", "\xc3\xa9t", "\xf0\x9f\x98\x80", ""};
	struct net_log_setup setup = {.chrome = tmpfile()};
	struct run *r = run_new_logged("dims=4x4", "", &setup);
	struct err e = {0};
	json_t *root, *event;
	size_t i, n = 0;

	for (i = 0; i < 4; i++)
		net_log_event(run_log(r), 0, 0, (int64_t)i, names[i]);
	CHECK_I64(net_log_finish(run_log(r), &e), 0);
	rewind(setup.chrome);
	root = json_loadf(setup.chrome, 0, NULL);
	REQUIRE(root != NULL);
	json_array_foreach(json_object_get(root, "traceEvents"), i, event)
	{
		if (*json_string_value(json_object_get(event, "ph")) == 'i')
			CHECK_STR(json_string_value(json_object_get(event, "name")), want[n++]);
	}
	CHECK_U64(n, 4);
	json_decref(root);
	run_free(r);
	fclose(setup.chrome);
}

/* Serials in a row, some ended, all in one table: none is lost when others are taken out. */
static void a_window_knows_its_messages_whatever_ends_first(void)
{
	struct net_log_window window = {.to_ps = INT64_MAX - 1, .last_rank = UINT32_MAX};
	struct net_log_setup setup = {.chrome = tmpfile(), .window = &window};
	struct run *r = run_new_logged("dims=4x4", "", &setup);
	struct net_log *l = run_log(r);
	struct err e = {0};
	json_t *root;

	for (uint64_t i = 0; i < 1000; i++)
		net_log_message(l, (int64_t)i, i, &(struct net_message){.src = 0, .dst = 1});
	for (uint64_t i = 0; i < 1000; i++)
		net_log_delivered(l, 1000 + (int64_t)i, i * 387 % 1000, &(struct net_message){.src = 0, .dst = 1});
	CHECK_I64(net_log_finish(l, &e), 0);
	rewind(setup.chrome);
	root = json_loadf(setup.chrome, 0, NULL);
	REQUIRE(root != NULL);
	CHECK_U64(count(json_object_get(root, "traceEvents"), "e", NULL, NULL), 1000);
	json_decref(root);
	run_free(r);
	fclose(setup.chrome);
}

static const struct tap_test tests[] = {
	{"results are the same with logs and without", results_are_the_same_with_logs_and_without},
	{"a message begins once and ends once", a_message_begins_once_and_ends_once},
	{"each packet is on each of its links for its link time",
	 each_packet_is_on_each_of_its_links_for_its_link_time},
	{"series add up to what was carried", series_add_up_to_what_was_carried},
	{"buffers that are not there have no column", buffers_that_are_not_there_have_no_column},
	{"Paje's text is read by pj_dump", paje_is_read_by_pj_dump},
	{"states of ranks nest", states_of_ranks_nest_in_both_formats},
	{"a window has its own messages, and cuts states off", a_window_has_its_own_messages_and_cuts_states_off},
	{"counters have their values at the end of an instant", counters_have_their_values_at_the_end_of_an_instant},
	{"what is open ends with the file", what_is_open_ends_with_the_file},
	{"names of any bytes make valid JSON", names_of_any_bytes_make_valid_json},
	{"a window knows its messages, whatever ends first", a_window_knows_its_messages_whatever_ends_first},
};

int main(void)
{
	return tap_main("network logs", tests, TAP_COUNT(tests));
}
