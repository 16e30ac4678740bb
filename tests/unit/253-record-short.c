/* Short of memory at any point, the recorder says so and leaves nothing behind. */
#include "tap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc_fail.h"
#include "guest_maker.h"
#include "traces/record/record_run.h"

#define NOP 0x01000000u

static const uint32_t program[] = {
	0x11000400, 0x90022030,                         /* %o0 = 0x100030, the region's name */
	0x012b5053,                                     /* begin marker */
	0xc2520000,                                     /* ldsw [%o0], %g1 */
	0x012e5053,                                     /* end marker */
	NOP,        NOP,        0x90102000,             /* mov 0, %o0 */
	GUEST_EXIT, NOP,        NOP,        0x6b000000, /* "k" */
};
enum { COUNT = sizeof(program) / sizeof(*program) };

static char folder[] = "/tmp/psim-short-XXXXXX";
static char trace[64];

static struct trace_writer *open_trace(void *user, unsigned place, uint64_t first_insn, struct err *e)
{
	struct trace_info info = {.program = "p", .recorder = "r", .first_insn = first_insn};
	(void)user, (void)place;
	return trace_writer_create(trace, &info, e);
}

/* As psim-record does it: 0, or -1 with `e`. */
static int record(const char *path, struct err *e)
{
	char name[64];
	char *const args[] = {name};
	struct guest_options go = {.program = path, .args = args, .arg_count = 1};
	struct run_options ro = {.open = open_trace};
	struct run_result r;
	strcpy(name, path);
	struct guest *g = guest_create(&go, e);
	if (!g)
		return -1;
	int result = guest_run(g, &ro, &r, e);
	if (result == 0 && g->end == GUEST_FAILED) {
		*e = g->error;
		result = -1;
	}
	if (result < 0)
		trace_writer_abort(r.writer[0]);
	else
		result = trace_writer_close(r.writer[0], g->exit_status, e);
	guest_destroy(g);
	return result;
}

static void any_allocation_may_fail(void)
{
	char path[GUEST_MAKER_PATH];
	unsigned k;
	REQUIRE(mkdtemp(folder) != NULL);
	strcpy(trace, folder);
	strcat(trace, "/x");
	guest_maker_write(path, program, COUNT);
	for (k = 1;; k++) {
		struct err e = {.text = ""};
		alloc_fail_at(k);
		int result = record(path, &e);
		if (!alloc_fail_end()) {
			CHECK_I64(result, 0);
			break;
		}
		if (result == 0) { /* the heap's order only: a shrinking realloc may fail */
			CHECK(access(trace, F_OK) == 0);
			unlink(trace);
			continue;
		}
		/* the writer's own messages name the trace */
		CHECK(strstr(e.text, "memory") != NULL || strstr(e.text, trace) != NULL);
		CHECK(access(trace, F_OK) != 0);
	}
	CHECK(k > 10); /* guest, root, tree levels, areas, known blocks, blocks, writer… */
	CHECK(access(trace, F_OK) == 0);
	unlink(trace);
	unlink(path);
	CHECK_I64(rmdir(folder), 0);
}

static const struct tap_test tests[] = {
	{"Any allocation may fail: a message, and no trace", any_allocation_may_fail},
};

int main(void)
{
	return tap_main("record-short", tests, TAP_COUNT(tests));
}
