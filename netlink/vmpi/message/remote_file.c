/*
 * Files whose ranks are in several processes: records of what their ranks share, and of the servers. They are there
 * before a rank of another process has its next turn in order; of ordered operations, before the ranks have met.
 */
#include <string.h>

#include "../../../psim/base/mem.h"
#include "mpi_file.h"
#include "remote.h"
#include "../vmpi_config.h"

struct shared_record {
	struct record record;
	struct file_shared shared;
};

struct ordered_record {
	struct record record;
	uint64_t key;
	int64_t etypes;
	uint32_t local, unused;
};

struct servers_record {
	struct record record;
	int64_t free_at[];
};

static struct mpi_file *file_by_key(const struct vmpi *v, uint64_t key)
{
	for (int i = v->msg.files ? v->msg.files->count - 1 : 0; i > 0; i--)
		if (v->msg.files->at[i] && v->msg.files->at[i]->shared.key == key)
			return v->msg.files->at[i];
	return NULL;
}

/* ---- sending ---- */

static bool reads(const struct mpi_file *f, unsigned process)
{
	return f->readers >> process & 1;
}

void remote_file_send(struct vmpi *v, struct mpi_file *f)
{
	for (unsigned p = 0; v->divided && f->changed && p < v->divided->partition.partitions; p++) {
		struct shared_record *r = reads(f, p) ? remote_put(v, p, RECORD_FILE, sizeof(*r)) : NULL;

		if (r)
			r->shared = f->shared;
	}
	f->changed = false;
}

void remote_file_ordered(struct vmpi *v, const struct mpi_file *f, uint32_t local)
{
	for (unsigned p = 0; v->divided && p < v->divided->partition.partitions; p++) {
		struct ordered_record *r = reads(f, p) ? remote_put(v, p, RECORD_FILE_ORDERED, sizeof(*r)) : NULL;

		if (!r)
			continue;
		r->key = f->shared.key;
		r->etypes = f->part[local].ordered;
		r->local = local;
	}
}

static void send_servers(struct vmpi *v)
{
	size_t bytes = v->cfg->files.servers * sizeof(v->msg.files->server[0]);

	for (unsigned p = 0; p < v->divided->partition.partitions; p++) {
		struct servers_record *r = p == v->divided->partition.me
						   ? NULL
						   : remote_put(v, p, RECORD_FILE_SERVERS, sizeof(*r) + bytes);

		if (r)
			memcpy(r->free_at, v->msg.files->server, bytes);
	}
	v->msg.files->served = false;
}

void files_send(struct vmpi *v)
{
	struct files *all = v->msg.files;

	if (!all)
		return;
	for (int i = all->count - 1; all->changed && i > 0; i--)
		if (all->at[i])
			remote_file_send(v, all->at[i]);
	all->changed = false;
	if (all->served)
		send_servers(v);
}

/* ---- taking ---- */

void remote_file_made(struct vmpi *v, struct mpi_file *f)
{
	const struct group *g = comm_find(&v->comms, f->comm)->group;
	struct files *all = v->msg.files;

	if (!v->divided)
		return;
	for (uint32_t i = 0; i < f->size; i++)
		f->readers |= UINT64_C(1) << remote_process(v, group_world(g, i));
	f->readers &= ~(UINT64_C(1) << v->divided->partition.me);
	for (size_t i = 0; i < all->early.count; i++)
		if (all->early.at[i].key == f->shared.key) {
			f->shared = all->early.at[i];
			all->early.at[i] = all->early.at[--all->early.count];
			break;
		}
}

static int take_shared(struct vmpi *v, const struct file_shared *s, struct err *e)
{
	struct mpi_file *f = file_by_key(v, s->key);
	struct files *all = files_get(v);
	struct file_shared *early = NULL;

	if (!all)
		return mem_short(e);
	if (f) {
		f->shared = *s;
		return 0;
	}
	if (s->closing)
		return 0; /* all ranks here have released it */
	for (size_t i = 0; i < all->early.count && !early; i++)
		if (all->early.at[i].key == s->key)
			early = &all->early.at[i];
	if (!early)
		early = vec_push(&all->early, e);
	if (!early)
		return -1;
	*early = *s;
	return 0;
}

static int take_servers(struct vmpi *v, const struct servers_record *r, struct err *e)
{
	struct files *f = files_get(v);

	if (!f)
		return mem_short(e);
	memcpy(f->server, r->free_at, v->cfg->files.servers * sizeof(f->server[0]));
	return 0;
}

int files_take(struct vmpi *v, const struct record *r, struct err *e)
{
	const struct ordered_record *ordered = (const void *)r;
	struct mpi_file *f;

	if (r->kind == RECORD_FILE)
		return take_shared(v, &((const struct shared_record *)(const void *)r)->shared, e);
	if (r->kind == RECORD_FILE_SERVERS)
		return take_servers(v, (const void *)r, e);
	f = file_by_key(v, ordered->key);
	if (f)
		f->part[ordered->local].ordered = ordered->etypes;
	return 0;
}
