#include "mapping_maker.h"

#include <stdlib.h>

#include "alloc_fail.h"
#include "tap.h"

struct task_graph *mapping_graph(const char *pattern, uint32_t tasks)
{
	struct comm_matrix *m = task_pattern(pattern, NULL);
	struct task_graph *g;

	REQUIRE(m != NULL);
	g = task_graph_create(m, tasks ? tasks : comm_matrix_ranks(m), NULL);
	comm_matrix_destroy(m);
	REQUIRE(g != NULL);
	return g;
}

bool mapping_is_placement(const uint32_t *node, uint32_t tasks, uint32_t nodes, const bool *excluded)
{
	bool *used = calloc(nodes, sizeof(*used)), right = used;

	for (uint32_t i = 0; i < tasks && right; i++) {
		right = node[i] < nodes && !used[node[i]] && !(excluded && excluded[node[i]]);
		if (right)
			used[node[i]] = true;
	}
	free(used);
	return right;
}

void mapping_short_of_memory(struct optimise_request q, unsigned least)
{
	size_t count;

	q.matrix = task_pattern("bruck:8:1", NULL);
	REQUIRE(q.matrix != NULL);
	comm_matrix_entries(q.matrix, &count); /* made once, and kept */
	for (unsigned k = 1;; k++) {
		struct optimise_result r;
		struct err e;
		int result;

		alloc_fail_at(k);
		result = optimise(&q, &r, &e);
		if (!alloc_fail_end()) {
			CHECK_I64(result, 0);
			CHECK(k > least);
			optimise_finish(&r);
			break;
		}
		CHECK_I64(result, -1);
		CHECK_U64(e.status, STATUS_FAILED);
	}
	comm_matrix_destroy(q.matrix);
}
