/* Files: mpi_file.h. */
#include "mpi_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../psim/base/mem.h"
#include "../vmpi_config.h"

/* ---- the table ---- */

static void file_free(struct mpi_file *f)
{
	if (!f)
		return;
	if (f->descriptor >= 0)
		close(f->descriptor);
	for (uint32_t i = 0; i < f->size; i++)
		file_view_finish(&f->part[i].view);
	free(f->part);
	free(f->path);
	free(f);
}

void files_destroy(struct files *f)
{
	if (!f)
		return;
	for (int i = 0; f->at && i < f->count; i++)
		file_free(f->at[i]);
	free(f->at);
	free(f->server);
	free(f->client);
	free(f->load);
	vec_finish(&f->early);
	free(f);
}

static struct files *make_files(struct vmpi *v)
{
	struct files *f = mem_alloc(1, sizeof(*f), &v->err);
	size_t servers = v->cfg->files.servers ? v->cfg->files.servers : 1, nodes = 1;

	if (!f)
		return NULL;
	v->msg.files = f;
	f->count = 1;
	for (uint32_t i = 0; i < v->size; i++)
		if (v->ranks[i].node >= nodes)
			nodes = (size_t)v->ranks[i].node + 1;
	f->server = mem_alloc(servers, sizeof(*f->server), &v->err);
	f->load = mem_alloc(servers, sizeof(*f->load), &v->err);
	f->client = mem_alloc(nodes, sizeof(*f->client), &v->err);
	/* a limit of the host on the length of files is an error of the write, not the end of the run */
	signal(SIGXFSZ, SIG_IGN);
	return f->server && f->load && f->client ? f : NULL;
}

struct files *files_get(struct vmpi *v)
{
	return v->msg.files ? v->msg.files : make_files(v);
}

/* The table with room for one more. */
static struct files *file_table(struct vmpi *v)
{
	struct files *f = files_get(v);

	if (f && f->count >= f->room) {
		int room = f->room ? 2 * f->room : 8;
		struct mpi_file **at = mem_resize(f->at, (size_t)room, sizeof(struct mpi_file *), &v->err);

		if (!at)
			return NULL;
		f->at = at;
		f->room = room;
		f->at[0] = NULL;
	}
	return f;
}

int file_of_comm(struct vmpi *v, VMPI_Comm comm)
{
	struct files *f = file_table(v);
	struct mpi_file *new;

	if (!f)
		return 0;
	for (int i = f->count - 1; i > 0; i--)
		if (f->at[i] && f->at[i]->comm == comm)
			return i;
	new = mem_alloc(1, sizeof(*new), &v->err);
	if (!new)
		return 0;
	new->comm = comm;
	new->descriptor = -1;
	new->size = comm_find(&v->comms, comm)->group->size;
	new->users = comm_find(&v->comms, comm)->here;
	new->shared = (struct file_shared){.key = comm_find(&v->comms, comm)->key, .users = new->size};
	new->part = mem_alloc(new->size, sizeof(*new->part), &v->err);
	if (!new->part) {
		free(new);
		return 0;
	}
	f->at[f->count] = new;
	remote_file_made(v, new);
	return f->count++;
}

int file_release(struct vmpi *v, int handle)
{
	struct mpi_file *f = file_find(v, handle);
	bool last = --f->shared.users == 0;
	int failed = 0;

	f->shared.closing = true;
	file_changed(v, f);
	if (--f->users)
		return 0;
	remote_file_send(v, f);
	if (f->descriptor >= 0 && close(f->descriptor) < 0)
		failed = errno;
	if (f->descriptor >= 0 && last && f->shared.amode & VMPI_MODE_DELETE_ON_CLOSE && unlink(f->path) < 0 && !failed)
		failed = errno;
	f->descriptor = -1;
	v->msg.files->at[handle] = NULL;
	file_free(f);
	return failed;
}

/* 0 or errno. */
static int file_open_regular(struct mpi_file *f, int amode)
{
	int access = amode & VMPI_MODE_RDWR ? O_RDWR : amode & VMPI_MODE_WRONLY ? O_WRONLY : O_RDONLY;
	struct stat s;

	/* no pipe may block the open */
	f->descriptor = open(f->path,
			     access | (amode & VMPI_MODE_CREATE ? O_CREAT : 0) | (amode & VMPI_MODE_EXCL ? O_EXCL : 0) |
				     O_NONBLOCK | O_CLOEXEC | O_NOCTTY,
			     0666);
	if (f->descriptor < 0)
		return errno;
	if (fstat(f->descriptor, &s) == 0 && S_ISREG(s.st_mode))
		return 0;
	close(f->descriptor);
	f->descriptor = -1;
	return S_ISDIR(s.st_mode) ? EISDIR : ENOTSUP;
}

void file_open(struct vmpi *v, struct mpi_file *f, const char *path, int amode)
{
	f->path = strdup(path);
	if (!f->path) {
		mem_short(&v->err);
		rank_stop(v);
	}
	if (!f->shared.opened) {
		f->shared.amode = amode;
		f->shared.opened = true;
		f->shared.failed = file_open_regular(f, amode);
		file_changed(v, f);
	} else if (!f->shared.failed && file_open_regular(f, f->shared.amode & ~(VMPI_MODE_CREATE | VMPI_MODE_EXCL))) {
		/* the umask of its creation, or a name that depends on the rank */
		run_needs_all(v, "a file that another process cannot open");
	}
}

/* ---- time ---- */

static int64_t server_ps(int64_t bytes, double bandwidth)
{
	double ps = (double)bytes * 1e12 / bandwidth;

	return ps < 1e18 ? llround(ps) : (int64_t)1e18;
}

/* Adds the bytes of a stretch of the file to the load of each server. */
static void add_load(struct vmpi *v, int64_t place, int64_t bytes)
{
	int64_t servers = v->cfg->files.servers, stripe = (int64_t)v->cfg->files.stripe;
	int64_t rounds = bytes / stripe / servers;

	for (int64_t i = 0; rounds && i < servers; i++)
		v->msg.files->load[i] += rounds * stripe;
	bytes -= rounds * stripe * servers;
	while (bytes > 0) {
		int64_t left = stripe - place % stripe, part = left < bytes ? left : bytes;

		v->msg.files->load[place / stripe % servers] += part;
		place += part;
		bytes -= part;
	}
}

/* The resource is busy for `ps` from `start`, or from when it is free. Returns the end. */
static int64_t occupy(int64_t *free_at, int64_t start, int64_t ps)
{
	*free_at = (*free_at > start ? *free_at : start) + ps;
	return *free_at;
}

/* The servers take their loads, which are 0 afterwards, and the node's link all of them. */
static int64_t serve(struct vmpi *v, int64_t bytes)
{
	struct files *f = v->msg.files;
	int64_t start = v->current->now + v->cfg->files.latency, done = start, end;

	if (!v->cfg->files.servers)
		return v->current->now;
	for (unsigned i = 0; i < v->cfg->files.servers; i++) {
		if (!f->load[i])
			continue;
		end = occupy(&f->server[i], start, server_ps(f->load[i], v->cfg->files.server_bandwidth));
		f->load[i] = 0;
		if (end > done)
			done = end;
		f->served = true;
	}
	end = occupy(&f->client[v->current->node], start, server_ps(bytes, v->cfg->files.client_bandwidth));
	return end > done ? end : done;
}

int64_t file_done(const struct vmpi *v)
{
	return v->current->now + (v->cfg->files.servers ? v->cfg->files.latency : 0);
}

/* ---- data ---- */

/* Reads or writes one stretch. Returns the bytes moved, -1 with errno. */
static int64_t move(int descriptor, bool write, char *data, int64_t place, int64_t bytes)
{
	int64_t moved = 0;

	while (moved < bytes) {
		size_t part = (size_t)(bytes - moved);
		ssize_t n = write ? pwrite(descriptor, data + moved, part, place + moved)
				  : pread(descriptor, data + moved, part, place + moved);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0 && write) {
			errno = ENOSPC;
			return -1;
		}
		if (n == 0)
			break;
		moved += n;
	}
	return moved;
}

void file_transfer(struct vmpi *v, const struct mpi_file *f, const struct file_view *view, struct file_transfer *t)
{
	t->moved = 0;
	t->error = 0;
	while (t->moved < t->bytes && !t->error) {
		int64_t place, length, n;

		if (file_view_find(view, t->at + t->moved, t->bytes - t->moved, &place, &length) < 0) {
			t->error = -1;
			break;
		}
		n = t->data ? move(f->descriptor, t->write, t->data + t->moved, place, length) : length;
		if (n < 0)
			t->error = errno;
		else if (v->cfg->files.servers)
			add_load(v, place, n);
		t->moved += n > 0 ? n : 0;
		if (n < length)
			break;
	}
	t->done = serve(v, t->moved);
}
