/* Groups of ranks and their collective operations: goal_groups.h. */
#include "goal_groups.h"

#include <string.h>

#include "../../../psim/base/mem.h"
#include "../message/message.h"
#include "replay_goal.h"

/* Keys of communicators: above those of predefined ones. */
#define GROUP_KEYS (UINT64_C(1) << 32)

const char *goal_kind_name(unsigned kind)
{
	static const char *const names[] = {
#define GOAL_KIND(name, event, share) #name,
		GOAL_COLLECTIVES(GOAL_KIND)
#undef GOAL_KIND
	};

	return kind < GOAL_COLLECTIVE_KINDS ? names[kind] : "unknown";
}

int64_t goal_group_of(struct goal *g, const char *name, const uint32_t *member, uint32_t size, struct err *e)
{
	struct goal_group *made;

	for (size_t i = 0; i < g->groups.count; i++) {
		const struct goal_group *other = &g->groups.at[i];

		if (other->size == size && !other->member == !member && strcmp(other->name, name) == 0 &&
		    (!member || memcmp(other->member, member, size * sizeof(*member)) == 0))
			return (int64_t)i;
	}
	made = vec_push(&g->groups, e);
	if (!made)
		return -1;
	*made = (struct goal_group){.size = size, .last_rank = UINT32_MAX, .name = mem_copy_text(name, e)};
	if (made->name && member && (made->member = mem_alloc(size, sizeof(*member), e)))
		memcpy(made->member, member, size * sizeof(*member));
	return made->name && !made->member == !member ? (int64_t)g->groups.count - 1 : -1;
}

/* The operation that others have is another one. */
static int is_another(const struct goal_group *of, uint32_t number, const struct goal_expected *x,
		      const struct goal_expected *here, struct err *e)
{
	return err_set(
		e, STATUS_BAD_INPUT,
		"operation %u of group '%s' is %s of %llu bytes with root %u, expected %s of %llu with root %u as "
		"in the file of its first rank",
		number + 1, of->name, goal_kind_name(here->kind), (unsigned long long)here->bytes, here->root,
		goal_kind_name(x->kind), (unsigned long long)x->bytes, x->root);
}

int64_t goal_collective_add(struct goal *g, uint32_t rank, const struct goal_collective *what, uint64_t bytes,
			    struct err *e)
{
	struct goal_group *of = &g->groups.at[what->group];
	const struct goal_expected here = {bytes, what->root, 0, what->kind};
	struct goal_collective *added = vec_push(&g->collectives, e);
	struct goal_expected *x;

	if (!added)
		return -1;
	if (of->last_rank != rank)
		of->done = 0;
	of->last_rank = rank;
	*added = *what;
	added->number = of->done++;
	if (added->number == of->expected.count) {
		x = vec_push(&of->expected, e);
		if (!x)
			return -1;
		*x = here;
	}
	x = &of->expected.at[added->number];
	if (x->bytes != bytes || x->root != what->root || x->kind != what->kind)
		return is_another(of, added->number, x, &here, e);
	x->ranks++;
	return (int64_t)g->collectives.count - 1;
}

int goal_groups_check(const struct goal *g, struct err *e)
{
	for (size_t i = 0; i < g->groups.count; i++) {
		const struct goal_group *of = &g->groups.at[i];

		for (size_t k = 0; k < of->expected.count; k++)
			if (of->expected.at[k].ranks != of->size)
				return err_set(
					e, STATUS_BAD_INPUT,
					"%s: %u of %u ranks of group '%s' have its operation %zu, %s; expected all",
					g->path, of->expected.at[k].ranks, of->size, of->name, k + 1,
					goal_kind_name(of->expected.at[k].kind));
	}
	return 0;
}

static int make_comm(struct goal_group *of, struct vmpi *v, uint64_t key)
{
	uint32_t *world = mem_alloc(of->size, sizeof(*world), &v->err);
	struct group *made;

	if (!world)
		return -1;
	memcpy(world, of->member, of->size * sizeof(*world));
	made = group_create(of->size, world, &v->err);
	of->comm = made ? comm_create(&v->comms, made, &v->err) : 0;
	group_drop(made);
	if (!of->comm)
		return -1;
	v->comms.comm[of->comm]->key = key; /* in all processes */
	return 0;
}

void goal_groups_make(struct goal *g, struct vmpi *v)
{
	if (g->groups_made)
		return;
	g->groups_made = true;
	for (size_t i = 0; i < g->groups.count; i++) {
		struct goal_group *of = &g->groups.at[i];

		of->comm = VMPI_COMM_WORLD;
		if (of->member && make_comm(of, v, GROUP_KEYS + i) < 0)
			rank_stop(v);
	}
}

void goal_groups_finish(struct goal *g)
{
	for (size_t i = 0; i < g->groups.count; i++) {
		free(g->groups.at[i].name);
		free(g->groups.at[i].member);
		vec_finish(&g->groups.at[i].expected);
	}
	vec_finish(&g->groups);
	vec_finish(&g->collectives);
}
