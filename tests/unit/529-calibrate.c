/* nsim-calibrate: measured times become samples, samples become pieces, pieces a protocol (netlink/apps/calibrate). */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc_fail.h"
#include "folder.h"
#include "net_maker.h"
#include "netlink/apps/calibrate/calibrate.h"
#include "netlink/apps/calibrate/measured.h"
#include "netlink/apps/calibrate/pieces.h"

static const char *file_of(const char *text)
{
	FILE *f = fopen(in_folder("measured"), "w");

	REQUIRE(f != NULL);
	fputs(text, f);
	fclose(f);
	return in_folder("measured");
}

/* Reads a text; the samples are "bytes:ps bytes:ps …". */
static void check_samples(const char *text, enum measured_kind kind, const char *samples)
{
	char came[400] = "";
	size_t n = 0;
	struct measured m;
	struct err e = {0};

	CHECK_I64(measured_read(&m, file_of(text), &e), 0);
	CHECK_STR(e.text, "");
	CHECK_I64(m.kind, kind);
	for (size_t i = 0; i < m.samples.count; i++)
		n += (size_t)snprintf(came + n, sizeof(came) - n, "%s%llu:%.0f", i ? " " : "",
				      (unsigned long long)m.samples.at[i].bytes, m.samples.at[i].ps);
	CHECK_STR(came, samples);
	measured_finish(&m);
	remove(in_folder("measured"));
}

static void outputs_of_benchmarks_are_read_as_they_are(void)
{
	check_samples("# OSU MPI Latency Test v5.3\n# Size          Latency (us)\n0       1.10\n1       1.25\n"
		      "4194304   428.95\n",
		      MEASURED_LATENCY, "0:1100000 1:1250000 4194304:428950000");
	/* 1000 bytes at 500 MB/s: 2 us; at 4 MB/s: 1 byte in 250 ns */
	check_samples("# OSU MPI Bandwidth Test v5.3\n# Size  Bandwidth (MB/s)\n1 4\n1000 500\n2000 1000\n",
		      MEASURED_INTERVAL, "1:250000 1000:2000000 2000:2000000");
	/* 4 million messages a second: one every 250 ns */
	check_samples("# OSU MPI Multiple Bandwidth / Message Rate Test v5.6\n# [ pairs: 4 ] [ window size: 64 ]\n"
		      "# Size     MB/s        Messages/s\n1  4.0 4000000.00\n2 8.0 4000000.00\n4 8.0 2000000\n",
		      MEASURED_INTERVAL, "1:250000 2:250000 4:500000");
	check_samples("#    Intel (R) MPI Benchmarks 2018\n#---\n# Benchmarking PingPong \n# #processes = 2 \n"
		      "       #bytes #repetitions      t[usec]   Mbytes/sec\n            0         1000         2.68   "
		      "      0.00\n"
		      "            1         1000         2.61         0.38\n            8         1000         2.70   "
		      "      2.96\n"
		      "\n# Benchmarking PingPing \n            0         1000         9.99         0.00\n",
		      MEASURED_LATENCY, "0:2680000 1:2610000 8:2700000");
	check_samples("run,bytes,mean_latency_us,std_us\n1, 0 , \"2.5\",0.1\n1,8,2.6,0.1\n2,16,3,0.1\n",
		      MEASURED_LATENCY, "0:2500000 8:2600000 16:3000000");
	check_samples("bytes,duration_s\n3,1e-6\n5,2e-6\n9,0.5\n", MEASURED_LATENCY,
		      "3:1000000 5:2000000 9:500000000000");
	/* bytes a second of empty messages say nothing of their time */
	check_samples("bytes,MB_per_s\n0,0\n1,1\n10,10\n100,50\n", MEASURED_INTERVAL,
		      "1:1000000 10:1000000 100:2000000");
	check_samples("bytes,MB_per_s\n0,7\n1,1\n10,10\n100,50\n", MEASURED_INTERVAL,
		      "1:1000000 10:1000000 100:2000000");
}

/* Separators, a byte order mark, and units: a name's end is its unit, and `_per_s` is never a time. */
static void spreadsheets_have_separators_and_units_of_their_own(void)
{
	check_samples("\xef\xbb\xbf"
		      "bytes;mean_us\r\n0;2.5\r\n8;2.6\r\n16;3\r\n",
		      MEASURED_LATENCY, "0:2500000 8:2600000 16:3000000");
	check_samples("run\tbytes\ttime_ns\n1\t0\t2500\n1\t8\t2600\n1\t16\t3000\n", MEASURED_LATENCY,
		      "0:2500000 8:2600000 16:3000000");
	check_samples("Running on node1, node2\nbytes,t_ms\n0,0.0025\n8,0.0026\n16,1\n", MEASURED_LATENCY,
		      "0:2500000 8:2600000 16:1000000000");
	/* 2^20 bytes at 1 MiB/s, 10^9 bytes at 2 GB/s, 4 messages a second */
	check_samples("bytes,MiB_per_s\n1048576,1\n2097152,1\n4194304,1\n", MEASURED_INTERVAL,
		      "1048576:1000000000000 2097152:2000000000000 4194304:4000000000000");
	check_samples("bytes,GB_per_s\n2000,2\n4000,2\n8000,2\n", MEASURED_INTERVAL,
		      "2000:1000000 4000:2000000 8000:4000000");
	check_samples("bytes,messages_per_s\n0,4\n8,2\n16,1\n", MEASURED_INTERVAL,
		      "0:250000000000 8:500000000000 16:1000000000000");
}

/* Both directions together carry 500 MB/s of 1000 bytes: one every 4 us each way. An exchange's time is IMB's mean. */
static void both_ways_and_exchanges_are_read(void)
{
	check_samples(
		"# OSU MPI Bi-Directional Bandwidth Test v5.3\n# Size  Bandwidth (MB/s)\n1 4\n1000 500\n2000 1000\n",
		MEASURED_INTERVAL, "1:500000 1000:4000000 2000:4000000");
	check_samples("# Benchmarking Sendrecv \n# #processes = 24 \n"
		      " #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n"
		      " 0 1000 0.8 1.2 1.0 0.00\n 1 1000 1 1.5 1.25 1.5\n 2 1000 2 3 2.5 1.6\n",
		      MEASURED_EXCHANGE, "0:1000000 1:1250000 2:2500000");
}

static void processor_times_have_units(void)
{
	struct measured m;
	struct err e = {0};

	CHECK_I64(measured_read_processor(&m, file_of("bytes,send_ns,receive_ms\n0,250,1\n8,500,2\n16,750,3\n"), "send",
					  &e),
		  0);
	CHECK_F64(m.samples.at[2].ps, 750e3, 0);
	measured_finish(&m);
	CHECK_I64(measured_read_processor(&m, in_folder("measured"), "receive", &e), 0);
	CHECK_F64(m.samples.at[0].ps, 1e9, 0);
	measured_finish(&m);
	CHECK_I64(measured_read_processor(&m, file_of("bytes,send_per_s\n0,250\n8,500\n16,750\n"), "send", &e), -1);
	CHECK_STR(strrchr(e.text, '/') + 1, "measured:1: a header without send_us: expected the output of overheads "
					    "(columns bytes, send_us and receive_us; ns, ms, s)");
	measured_finish(&m);
	remove(in_folder("measured"));
}

static void two_lines_with_a_step_are_two_pieces(void)
{
	struct piece_sample s[16];
	struct piece p[16];
	struct err e = {0};

	for (size_t i = 0; i < 16; i++) {
		double x = (double)(i * 100), y = i < 9 ? 1000 + 2 * x : 5000 + 0.5 * x;

		s[i] = (struct piece_sample){x, y, y};
	}
	CHECK_U64(pieces_fit(s, 16, 0.02, p, &e), 2);
	CHECK_U64(p[0].first, 0);
	CHECK_U64(p[0].count, 9);
	CHECK_F64(p[0].a, 1000, 1e-6);
	CHECK_F64(p[0].b, 2, 1e-9);
	CHECK_U64(p[1].first, 9);
	CHECK_F64(p[1].a, 5450, 1e-6);
	CHECK_F64(p[1].b, 0.5, 1e-9);
	CHECK_F64(pieces_at(s, p, 2, 800), 2600, 1e-6);
	CHECK_F64(pieces_at(s, p, 2, 801), 5400.5, 1e-6); /* behind the last sample of the first piece */
	CHECK_F64(pieces_at(s, p, 2, 2000), 6000, 1e-6);
}

/* A noise of 1 % on a line is no reason for a second one; what falls is a constant. */
static void noise_makes_no_pieces(void)
{
	struct piece_sample s[20], falling[4] = {{0, 8, 8}, {1, 6, 6}, {2, 8, 8}, {3, 6, 6}};
	struct piece p[20];
	struct err e = {0};

	for (size_t i = 0; i < 20; i++) {
		double y = (100 + 3 * (double)i) * (i % 2 ? 1.01 : 0.99);

		s[i] = (struct piece_sample){(double)i, y, y};
	}
	CHECK_U64(pieces_fit(s, 20, 0.02, p, &e), 1);
	CHECK_U64(pieces_fit(falling, 4, 0.5, p, &e), 1);
	CHECK_F64(p[0].b, 0, 0);
	/* the weighted mean of 8 and 6, weights 1/64 and 1/36: 48 x 14 / 100 */
	CHECK_F64(p[0].a, 6.72, 1e-9);
}

/* ---- the whole ---- */

/* The network: 1 us and 1 ns a byte; the call takes nothing. */
static struct net_made network(void)
{
	return net_must("linear", "kind=torus dims=4", "linear.latency=1us linear.bandwidth=1GB/s");
}

/*
 * The times of hosts: up to 4 KiB 900 ns and 0.5 ns a byte; beyond 2 us, and a handshake of two empty messages of
 * 1.9 us.
 * A message every 400 ns up to 256 bytes, where the network needs 256 at most; then the network's.
 */
static void measure_known(struct measured *latency, struct measured *interval)
{
	*latency = (struct measured){.benchmark = "known"};
	*interval = (struct measured){.kind = MEASURED_INTERVAL, .benchmark = "known"};
	for (uint64_t bytes = 64; bytes <= 1048576; bytes *= 2) {
		double b = (double)bytes, us = bytes <= 4096 ? 1.9 + b * 1.5e-3 : 1 + b * 1e-3 + 2 + 3.8;
		struct err e;
		struct measured_sample *s = vec_push(&latency->samples, &e);

		REQUIRE(s != NULL);
		*s = (struct measured_sample){bytes, us * 1e6};
		s = vec_push(&interval->samples, &e);
		REQUIRE(s != NULL);
		*s = (struct measured_sample){bytes, bytes <= 256 ? 400e3 : b * 1e3};
	}
}

/* The rates of windows of 64 messages, each 63 intervals and the latencies of the last one and of an answer. */
static void put_in_windows(const struct measured *latency, struct measured *interval)
{
	interval->window = 64;
	for (size_t i = 0; i < interval->samples.count; i++) {
		double ends = latency->samples.at[i].ps + latency->samples.at[0].ps; /* the answer as the first size */

		interval->samples.at[i].ps = (63 * interval->samples.at[i].ps + ends) / 64;
	}
}

/* Fits the known times; writes the protocol and reads it back. */
static struct protocol *calibrated(bool with_rate, struct calibrate_table *t)
{
	struct net_made m = network();
	struct vmpi_config mpi = {.mpi = {.eager = 4096}};
	struct net_setup setup = {.topology = m.topology, .config = &m.config, .seed = 1};
	struct err e = {0};
	struct calibrate_machine c = {alone_create(m.kind, &setup, &e), 0, 1, &mpi, 0.02};
	struct measured latency, interval;
	struct protocol *p;
	FILE *f = fopen(in_folder("p"), "w");

	REQUIRE(c.network != NULL && f != NULL);
	measure_known(&latency, &interval);
	put_in_windows(&latency, &interval);
	CHECK_I64(calibrate_fit(t, &c, &latency, with_rate ? &interval : NULL, &e), 0);
	CHECK_STR(e.text, "");
	fprintf(f, "message-protocol 1\n");
	calibrate_write(t, &c, f);
	fclose(f);
	p = protocol_read(in_folder("p"), &e);
	CHECK_STR(e.text, "");
	REQUIRE(p != NULL);
	remove(in_folder("p"));
	measured_finish(&latency);
	measured_finish(&interval);
	alone_destroy(c.network);
	m.engine = m.kind->create(&setup, &e);
	net_unmake(&m);
	return p;
}

static void a_known_protocol_comes_back(void)
{
	struct calibrate_table t = {.where = PROTOCOL_BETWEEN};
	struct protocol *p = calibrated(false, &t);
	const struct protocol_segment *s;
	unsigned count;

	s = protocol_segments(p, PROTOCOL_BETWEEN, &count);
	CHECK_U64(count, 2);
	CHECK_U64(s[0].from, 0);
	CHECK_I64(s[0].sends, PROTOCOL_EAGER);
	/* below the first size, 64 bytes, as there */
	CHECK_F64((double)protocol_ps(&s[0], &s[0].delay, 64), 932e3, 2);
	CHECK_F64((double)protocol_ps(&s[0], &s[0].delay, 4096), 2948e3, 2);
	CHECK_U64(s[1].from, 4097);
	CHECK_I64(s[1].sends, PROTOCOL_RENDEZVOUS);
	CHECK_I64(s[0].send.ps + s[0].receive.ps + s[1].send.ps, 0);
	CHECK_U64(protocol_upto(p, PROTOCOL_BETWEEN), 1048576);
	for (size_t i = 0; i < t.sizes.count; i++)
		CHECK_F64(t.sizes.at[i].model_ps, t.sizes.at[i].measured_ps, 1e-6 * t.sizes.at[i].measured_ps);
	protocol_destroy(p);
	calibrate_finish(&t);
}

/* The least interval is 400 ns, so that a processor takes as much of a message; the rest of 932 ns is delay. */
static void a_rate_gives_processor_times_and_gaps(void)
{
	struct calibrate_table t = {.where = PROTOCOL_BETWEEN};
	struct protocol *p = calibrated(true, &t);
	const struct protocol_segment *s = protocol_find(p, PROTOCOL_BETWEEN, 64);

	CHECK_F64((double)s->send.ps, 400e3, 1);
	CHECK_F64((double)s->receive.ps, 400e3, 1);
	CHECK_F64((double)protocol_ps(s, &s->delay, 64), 132e3, 2);
	CHECK_F64((double)protocol_ps(s, &s->gap, 64), 400e3, 1);
	s = protocol_find(p, PROTOCOL_BETWEEN, 512);
	CHECK_I64(protocol_ps(s, &s->gap, 512), 0);
	protocol_destroy(p);
	calibrate_finish(&t);
}

/* A call takes 100 ns, a send 150 ns and 0.25 ns a byte beyond it, a receive 300 ns; negative times are noise. */
static void overheads_are_processor_times_beyond_the_call(void)
{
	struct net_made n = network();
	struct vmpi_config mpi = {.mpi = {.eager = 4096, .overhead = 100000}};
	struct calibrate_machine m = {NULL, 0, 1, &mpi, 0.02};
	struct net_setup setup = {.topology = n.topology, .config = &n.config, .seed = 1};
	struct calibrate_table t = {.where = PROTOCOL_BETWEEN};
	struct measured send, receive, latency;
	struct err e = {0};

	m.network = alone_create(n.kind, &setup, &e);
	REQUIRE(m.network != NULL);
	file_of("bytes,send_us,receive_us\n0,0.25,0.4\n1000,0.5,0.4\n2000,0.75,0.4\n");
	CHECK_I64(measured_read_processor(&send, in_folder("measured"), "send", &e), 0);
	CHECK_I64(measured_read_processor(&receive, in_folder("measured"), "receive", &e), 0);
	CHECK_I64(calibrate_processors(&t, &m, &send, &receive, &e), 0);
	CHECK_U64(t.send.pieces.count, 1);
	CHECK_F64(t.send.pieces.at[0].a, 150e3, 1);
	CHECK_F64(t.send.pieces.at[0].b, 250, 1e-3);
	CHECK_F64(t.receive.pieces.at[0].a, 300e3, 1);
	/* 1 us + 1 ns a byte + the call 0.1 + send and receive 0.45 + 0.25 ns a byte + a delay of 1 us */
	CHECK_I64(measured_read(&latency, file_of("bytes,t_us\n0,2.55\n1000,3.8\n2000,5.05\n"), &e), 0);
	CHECK_I64(calibrate_fit(&t, &m, &latency, NULL, &e), 0);
	CHECK_STR(e.text, "");
	CHECK_U64(t.eager.pieces.count, 1);
	CHECK_F64(t.eager.pieces.at[0].a, 1e6, 1);
	CHECK_F64(t.eager.pieces.at[0].b, 0, 1e-3);
	measured_finish(&send);
	measured_finish(&receive);
	measured_finish(&latency);
	calibrate_finish(&t);
	CHECK_I64(measured_read_processor(&send, file_of("bytes,send_us\n0,-0.01\n8,0\n16,2\n"), "send", &e), 0);
	CHECK_F64(send.samples.at[0].ps, 0, 0);
	CHECK_F64(send.samples.at[2].ps, 2e6, 0);
	measured_finish(&send);
	remove(in_folder("measured"));
	alone_destroy(m.network);
	n.engine = n.kind->create(&setup, &e);
	net_unmake(&n);
}

static void a_network_that_is_too_slow_is_refused(void)
{
	struct net_made m = network();
	struct vmpi_config mpi = {.mpi = {.eager = 4096}};
	struct net_setup setup = {.topology = m.topology, .config = &m.config, .seed = 1};
	struct err e = {0};
	struct calibrate_machine c = {alone_create(m.kind, &setup, &e), 0, 1, &mpi, 0.02};
	struct calibrate_table t = {.where = PROTOCOL_BETWEEN};
	struct measured latency;

	CHECK_I64(measured_read(&latency, file_of("bytes,time_us\n0,1.2\n1000,1.5\n2000,4\n"), &e), 0);
	CHECK_I64(calibrate_fit(&t, &c, &latency, NULL, &e), -1);
	CHECK_STR(strchr(e.text, ' ') + 1,
		  "1000 bytes between nodes took 1.5 us; the network and mpi.overhead alone take 2 us: expected a "
		  "faster network (-c, -p)");
	CHECK_U64(e.status, STATUS_BAD_INPUT);
	remove(in_folder("measured"));
	measured_finish(&latency);
	calibrate_finish(&t);
	alone_destroy(c.network);
	m.engine = m.kind->create(&setup, &e);
	net_unmake(&m);
}

static void short_memory_is_an_error(void)
{
	bool failed = true;

	for (unsigned k = 1; failed; k++) {
		struct measured m;
		struct err e = {0};
		int ret;

		file_of("bytes,time_us\n0,1.2\n1000,1.5\n2000,4\n");
		alloc_fail_at(k);
		ret = measured_read(&m, in_folder("measured"), &e);
		failed = alloc_fail_end();
		CHECK_I64(ret, failed ? -1 : 0);
		CHECK_U64(e.status, failed ? STATUS_FAILED : STATUS_DONE);
		measured_finish(&m);
	}
	remove(in_folder("measured"));
}

static const struct tap_test tests[] = {
	{"outputs of benchmarks are read as they are", outputs_of_benchmarks_are_read_as_they_are},
	{"spreadsheets have separators and units of their own", spreadsheets_have_separators_and_units_of_their_own},
	{"both ways and exchanges are read", both_ways_and_exchanges_are_read},
	{"processor times have units", processor_times_have_units},
	{"two lines with a step are two pieces", two_lines_with_a_step_are_two_pieces},
	{"noise makes no pieces", noise_makes_no_pieces},
	{"a known protocol comes back", a_known_protocol_comes_back},
	{"a rate gives processor times and gaps", a_rate_gives_processor_times_and_gaps},
	{"overheads are processor times beyond the call", overheads_are_processor_times_beyond_the_call},
	{"a network that is too slow is refused", a_network_that_is_too_slow_is_refused},
	{"short memory is an error", short_memory_is_an_error},
};

int main(void)
{
	int ret;

	folder_make();
	ret = tap_main("calibrate", tests, TAP_COUNT(tests));
	rmdir(folder);
	return ret;
}
