/* In place of the other files of OTF2 where OTF2's library was not there when psim was built. */
#include "otf2_archive.h"
#include "otf2_write.h"

struct archive *archive_open(const char *path, struct err *e)
{
	err_set(e, STATUS_BAD_INPUT,
		"%s: an OTF2 archive: this build has no OTF2, expected one with libopen-trace-format2-dev", path);
	return NULL;
}

void archive_close(struct archive *a)
{
	(void)a;
}

void archive_taken(const struct archive *a, uint64_t *read, uint64_t *all)
{
	(void)a;
	*read = *all = 0;
}

uint32_t archive_ranks(const struct archive *a)
{
	(void)a;
	return 0;
}

int archive_next(struct archive *a, uint32_t rank, char *out, size_t size, uint32_t *number, struct err *e)
{
	(void)a, (void)rank, (void)out, (void)size, (void)number;
	return err_set(e, STATUS_BAD_INPUT, "this build has no OTF2");
}

int archive_make_comms(struct archive *a, struct vmpi *v, struct err *e)
{
	(void)a, (void)v, (void)e;
	return 0;
}

int archive_comm(const struct archive *a, long long id)
{
	(void)a, (void)id;
	return 0;
}

void archive_writer_place(struct archive_writer *w, uint32_t rank, uint32_t node, const char *name)
{
	(void)w, (void)rank, (void)node, (void)name;
}

struct archive_writer *archive_writer_create(const char *folder, uint32_t ranks, struct err *e)
{
	(void)ranks;
	err_set(e, STATUS_USAGE,
		"%s: an OTF2 archive: this build has no OTF2, expected one with libopen-trace-format2-dev", folder);
	return NULL;
}

int archive_write_call(struct archive_writer *w, const struct archive_call *call, struct err *e)
{
	(void)w, (void)call, (void)e;
	return 0;
}

void archive_write_end(struct archive_writer *w, uint32_t rank, int64_t time)
{
	(void)w, (void)rank, (void)time;
}

int archive_writer_finish(struct archive_writer *w, bool keep, struct err *e)
{
	(void)w, (void)keep, (void)e;
	return 0;
}
