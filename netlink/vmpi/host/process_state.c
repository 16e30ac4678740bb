/* O_PATH, F_DUPFD_CLOEXEC are Linux-specific or of later standards. */
#define _GNU_SOURCE
#include "process_state.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_COPY = 3 }; /* above the standard descriptors, which a program may have closed */

static int open_here(void)
{
	return open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static int copy_of(int file)
{
	return fcntl(file, F_DUPFD_CLOEXEC, FIRST_COPY);
}

static void close_copy(int *file)
{
	if (*file >= 0)
		close(*file);
	*file = -1;
}

void process_state_create(struct process_state *p)
{
	p->known = true;
	p->folder = open_here();
	p->ranks_folder = -1;
	p->mask = umask(0);
	umask(p->mask);
	p->ranks_mask = p->mask;
	for (int i = 0; i < PROCESS_OUTPUTS; i++) {
		p->out[i] = copy_of(i + 1);
		p->ranks_out[i] = -1;
		p->own_out[i] = false;
	}
}

void process_state_finish(struct process_state *p)
{
	if (!p->known)
		return;
	close_copy(&p->folder);
	close_copy(&p->ranks_folder);
	for (int i = 0; i < PROCESS_OUTPUTS; i++) {
		close_copy(&p->out[i]);
		close_copy(&p->ranks_out[i]);
	}
	p->known = false;
}

/* ---- one after the other ---- */

static void put_output(int file, int copy)
{
	if (copy >= 0)
		dup2(copy, file);
	else
		close(file);
}

void process_state_begin(const struct process_state *p)
{
	/* a folder that cannot be entered any more is the program's own problem */
	if (p->ranks_folder >= 0 && fchdir(p->ranks_folder) < 0)
		return;
	umask(p->ranks_mask);
	for (int i = 0; i < PROCESS_OUTPUTS; i++)
		if (p->own_out[i])
			put_output(i + 1, p->ranks_out[i]);
}

static void leave_folder(struct process_state *p)
{
	struct stat here, own;

	close_copy(&p->ranks_folder);
	if (p->folder < 0 || fstat(p->folder, &own) < 0 || (stat(".", &here) == 0 && is_same_file(&here, &own)))
		return;
	p->ranks_folder = open_here();
	if (fchdir(p->folder) < 0)
		close_copy(&p->ranks_folder); /* the simulator's own does not let it in: both stay where they are */
}

static void leave_output(struct process_state *p, int i)
{
	struct stat here, own;
	bool open = fstat(i + 1, &here) == 0, was_open = p->out[i] >= 0 && fstat(p->out[i], &own) == 0;

	close_copy(&p->ranks_out[i]);
	p->own_out[i] = open != was_open || (open && !is_same_file(&here, &own));
	if (!p->own_out[i])
		return;
	p->ranks_out[i] = open ? copy_of(i + 1) : -1;
	put_output(i + 1, p->out[i]);
}

void process_state_end(struct process_state *p)
{
	leave_folder(p);
	p->ranks_mask = umask(p->mask);
	for (int i = 0; i < PROCESS_OUTPUTS; i++)
		leave_output(p, i);
}
