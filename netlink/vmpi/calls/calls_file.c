/* Calls: files, their sizes, views and pointers (MPI 3.1, 13.2 and 13.3). Data move in calls_access.c. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <fcntl.h>

#include "../../../psim/base/mem.h"
#include "file_calls.h"

struct mpi_file *file_enter(struct vmpi *v, enum call_id call, VMPI_File fh, struct file_part **p, int *ret)
{
	struct mpi_file *f = file_find(v, fh);

	rank_enter(v, call);
	*ret = VMPI_SUCCESS;
	*p = NULL;
	if (f)
		*p = &f->part[comm_local(v, f->comm)];
	if (f && (*p)->set)
		return f;
	*ret = rank_error_by(v, rank_own(v)->file_errhandler, VMPI_FILE_NULL, VMPI_ERR_FILE, "unknown file %d", fh);
	return NULL;
}

int *file_errhandler(struct vmpi *v, int file)
{
	struct mpi_file *f = file_find(v, file);

	if (file == VMPI_FILE_NULL)
		return &rank_own(v)->file_errhandler;
	return f ? &f->part[comm_local(v, f->comm)].errhandler : NULL;
}

int file_error_class(int failed)
{
	switch (failed) {
	case ENOENT: return VMPI_ERR_NO_SUCH_FILE;
	case EEXIST: return VMPI_ERR_FILE_EXISTS;
	case EACCES:
	case EPERM: return VMPI_ERR_ACCESS;
	case EROFS: return VMPI_ERR_READ_ONLY;
	case ENOSPC: return VMPI_ERR_NO_SPACE;
	case EDQUOT: return VMPI_ERR_QUOTA;
	case ETXTBSY: return VMPI_ERR_FILE_IN_USE;
	case ENOMEM: return VMPI_ERR_NO_MEM;
	case EINVAL: return VMPI_ERR_ARG;
	case EISDIR:
	case ENOTDIR:
	case ENOTSUP:
	case ENXIO:
	case ELOOP:
	case ENAMETOOLONG: return VMPI_ERR_BAD_FILE;
	default: return VMPI_ERR_IO;
	}
}

int file_report(struct vmpi *v, VMPI_File fh, const char *what, int failed)
{
	const int *handler = file_errhandler(v, fh);

	if (!failed)
		return VMPI_SUCCESS;
	return rank_error_by(v, handler ? *handler : rank_own(v)->file_errhandler, fh, file_error_class(failed),
			     "%.200s: %s", what, failed == ENOTSUP ? "expected a regular file" : strerror(failed));
}

void file_wait(struct vmpi *v, int64_t done)
{
	struct rank *r = v->current;
	struct vmpi_cause c = {CAUSE_SENDING, r->world, r->now, 0};
	int64_t from = r->now;

	if (done <= from)
		return;
	rank_count_wait(v, r, done - from);
	r->now = done;
	rank_waited(v, r, from, &c);
}

/* ---- open and close ---- */

/* A name may begin with the kind of file system, "ufs:"; it has two letters at least. */
static const char *name_of(const char *name)
{
	const char *colon = strchr(name, ':');

	if (!colon || colon - name < 2)
		return name;
	for (const char *c = name; c < colon; c++)
		if (*c < 'a' || *c > 'z')
			return name;
	return colon + 1;
}

static const char *bad_mode(int amode)
{
	int access = amode & (VMPI_MODE_RDONLY | VMPI_MODE_WRONLY | VMPI_MODE_RDWR);

	if (access != VMPI_MODE_RDONLY && access != VMPI_MODE_WRONLY && access != VMPI_MODE_RDWR)
		return "one of MPI_MODE_RDONLY, MPI_MODE_WRONLY and MPI_MODE_RDWR";
	if (access == VMPI_MODE_RDONLY && amode & (VMPI_MODE_CREATE | VMPI_MODE_EXCL))
		return "no MPI_MODE_CREATE or MPI_MODE_EXCL with MPI_MODE_RDONLY";
	if (access == VMPI_MODE_RDWR && amode & VMPI_MODE_SEQUENTIAL)
		return "no MPI_MODE_SEQUENTIAL with MPI_MODE_RDWR";
	return NULL;
}

/* The rank's part of a file that is open. */
static int set_part(struct vmpi *v, struct mpi_file *f, struct file_part *p, VMPI_Info info)
{
	struct type *byte = type_find(&v->types, VMPI_BYTE);
	struct stat s;

	p->errhandler = rank_own(v)->file_errhandler;
	p->split.end = CALL_NONE;
	p->hints = info_create(&v->mpi.infos, info_find(&v->mpi.infos, info), &v->err);
	if (!p->hints || file_view_create(&p->view, 0, byte, byte, false, &v->err) < 0)
		rank_stop(v);
	if (f->shared.amode & VMPI_MODE_APPEND && fstat(f->descriptor, &s) == 0) {
		p->position = f->shared.pointer = s.st_size;
		file_changed(v, f);
	}
	p->set = true;
	return VMPI_SUCCESS;
}

int vmpi_File_open(struct vmpi *v, VMPI_Comm comm, const char *filename, int amode, VMPI_Info info, VMPI_File *fh)
{
	const struct comm *c = comm_find(&v->comms, comm);
	const char *name = filename ? name_of(filename) : "", *bad = bad_mode(amode);
	int handler = rank_own(v)->file_errhandler, ret, failed;
	struct mpi_file *f;
	VMPI_Comm own;

	rank_enter(v, CALL_File_open);
	*fh = VMPI_FILE_NULL;
	if (!c || c->remote)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COMM, "communicator %d: expected an intracommunicator",
				  comm);
	if (bad)
		return rank_error_by(v, handler, VMPI_FILE_NULL, VMPI_ERR_AMODE, "mode %d: expected %s", amode, bad);
	if (info != VMPI_INFO_NULL && !info_find(&v->mpi.infos, info))
		return rank_error_by(v, handler, VMPI_FILE_NULL, VMPI_ERR_INFO, "unknown info object %d", info);
	ret = comm_split_all(v, comm, 0, (int)comm_local(v, comm), &own);
	if (ret)
		return ret;
	rank_in_order(v);
	*fh = file_of_comm(v, own);
	f = *fh ? file_find(v, *fh) : NULL;
	if (!f)
		rank_stop(v);
	if (!f->path)
		file_open(v, f, name, amode);
	failed = f->shared.failed;
	file_wait(v, file_done(v));
	if (!failed && f->shared.amode == amode)
		set_part(v, f, &f->part[comm_local(v, own)], info);
	collective_barrier(v, own); /* all have seen the result */
	if (!failed && f->shared.amode == amode)
		return VMPI_SUCCESS;
	rank_in_order(v);
	file_release(v, *fh);
	comm_drop(v, own);
	*fh = VMPI_FILE_NULL;
	if (failed)
		return file_report(v, VMPI_FILE_NULL, *name ? name : "an empty name", failed);
	return rank_error_by(v, handler, VMPI_FILE_NULL, VMPI_ERR_NOT_SAME, "mode %d: expected that of all ranks",
			     amode);
}

int vmpi_File_close(struct vmpi *v, VMPI_File *fh)
{
	int ret;
	struct file_part *p;
	struct mpi_file *f = file_enter(v, CALL_File_close, *fh, &p, &ret);
	int handler, failed;
	VMPI_Comm comm;

	if (!f)
		return ret;
	if (p->split.end != CALL_NONE)
		return rank_error_by(v, p->errhandler, *fh, VMPI_ERR_OTHER, "a split operation has begun: expected %s",
				     call_name(v, p->split.end));
	file_wait(v, file_done(v));
	collective_barrier(v, f->comm);
	rank_in_order(v);
	comm = f->comm;
	handler = p->errhandler;
	info_release(&v->mpi.infos, p->hints);
	file_view_finish(&p->view);
	p->set = false;
	failed = file_release(v, *fh);
	comm_drop(v, comm);
	*fh = VMPI_FILE_NULL;
	if (!failed)
		return VMPI_SUCCESS;
	return rank_error_by(v, handler, VMPI_FILE_NULL, file_error_class(failed), "%s", strerror(failed));
}

int vmpi_File_delete(struct vmpi *v, const char *filename, VMPI_Info info)
{
	const char *name = filename ? name_of(filename) : "";
	int failed = 0;

	(void)info;
	rank_enter(v, CALL_File_delete);
	rank_in_order(v);
	if (unlink(name) < 0)
		failed = errno;
	file_wait(v, file_done(v));
	return file_report(v, VMPI_FILE_NULL, *name ? name : "an empty name", failed);
}

/* ---- sizes ---- */

enum size_act { SIZE_SET, SIZE_RESERVE, SIZE_SYNC };

/* The first rank acts for all, after they have met; then all have its result. */
static int act_for_all(struct vmpi *v, enum call_id call, VMPI_File fh, enum size_act act, VMPI_Offset size)
{
	int ret;
	struct file_part *p;
	struct mpi_file *f = file_enter(v, call, fh, &p, &ret);

	if (!f)
		return ret;
	if (size < 0)
		return rank_error_by(v, p->errhandler, fh, VMPI_ERR_ARG, "size %lld: expected 0 or more", size);
	collective_barrier(v, f->comm);
	if (comm_local(v, f->comm)) {
		rank_catch_up(v, v->current);
	} else {
		struct stat s;

		rank_in_order(v);
		file_changed(v, f);
		f->shared.failed = 0;
		if (act == SIZE_SET && ftruncate(f->descriptor, size) < 0)
			f->shared.failed = errno;
		if (act == SIZE_RESERVE && fstat(f->descriptor, &s) == 0 && size > s.st_size)
			f->shared.failed = posix_fallocate(f->descriptor, s.st_size, size - s.st_size);
		if (act == SIZE_SYNC && f->shared.amode & (VMPI_MODE_RDWR | VMPI_MODE_WRONLY) &&
		    fsync(f->descriptor) < 0)
			f->shared.failed = errno;
	}
	file_wait(v, file_done(v));
	collective_barrier(v, f->comm);
	return file_report(v, fh, f->path, f->shared.failed);
}

int vmpi_File_set_size(struct vmpi *v, VMPI_File fh, VMPI_Offset size)
{
	return act_for_all(v, CALL_File_set_size, fh, SIZE_SET, size);
}

int vmpi_File_preallocate(struct vmpi *v, VMPI_File fh, VMPI_Offset size)
{
	return act_for_all(v, CALL_File_preallocate, fh, SIZE_RESERVE, size);
}

int vmpi_File_sync(struct vmpi *v, VMPI_File fh)
{
	return act_for_all(v, CALL_File_sync, fh, SIZE_SYNC, 0);
}

int vmpi_File_get_size(struct vmpi *v, VMPI_File fh, VMPI_Offset *size)
{
	int ret;
	struct file_part *p;
	struct mpi_file *f = file_enter(v, CALL_File_get_size, fh, &p, &ret);
	struct stat s;

	if (!f)
		return ret;
	rank_in_order(v);
	file_wait(v, file_done(v));
	if (fstat(f->descriptor, &s) < 0)
		return file_report(v, fh, f->path, errno);
	*size = s.st_size;
	return VMPI_SUCCESS;
}

/* ---- what a file is ---- */

int vmpi_File_get_group(struct vmpi *v, VMPI_File fh, VMPI_Group *group)
{
	int ret;
	struct file_part *p;
	const struct mpi_file *f = file_enter(v, CALL_File_get_group, fh, &p, &ret);

	if (!f)
		return ret;
	*group = group_handle(&v->comms, comm_find(&v->comms, f->comm)->group, &v->err);
	if (!*group)
		rank_stop(v);
	return VMPI_SUCCESS;
}

int vmpi_File_get_amode(struct vmpi *v, VMPI_File fh, int *amode)
{
	int ret;
	struct file_part *p;
	const struct mpi_file *f = file_enter(v, CALL_File_get_amode, fh, &p, &ret);

	if (f)
		*amode = f->shared.amode;
	return ret;
}

int vmpi_File_set_info(struct vmpi *v, VMPI_File fh, VMPI_Info info)
{
	int ret;
	struct file_part *p;
	const struct mpi_file *f = file_enter(v, CALL_File_set_info, fh, &p, &ret);
	const struct info *from = info_find(&v->mpi.infos, info);
	const char *key;

	if (!f)
		return ret;
	if (info != VMPI_INFO_NULL && !from)
		return rank_error_by(v, p->errhandler, fh, VMPI_ERR_INFO, "unknown info object %d", info);
	for (int i = 0; from && (key = info_key(from, i)); i++)
		if (info_set(info_find(&v->mpi.infos, p->hints), key, info_get(from, key), &v->err) < 0)
			rank_stop(v);
	collective_barrier(v, f->comm);
	return VMPI_SUCCESS;
}

int vmpi_File_get_info(struct vmpi *v, VMPI_File fh, VMPI_Info *info)
{
	int ret;
	struct file_part *p;

	if (!file_enter(v, CALL_File_get_info, fh, &p, &ret))
		return ret;
	*info = info_create(&v->mpi.infos, info_find(&v->mpi.infos, p->hints), &v->err);
	if (!*info)
		rank_stop(v);
	return VMPI_SUCCESS;
}

int vmpi_File_set_atomicity(struct vmpi *v, VMPI_File fh, int flag)
{
	int ret;
	struct file_part *p;
	struct mpi_file *f = file_enter(v, CALL_File_set_atomicity, fh, &p, &ret);

	if (!f)
		return ret;
	collective_barrier(v, f->comm);
	f->atomic = flag != 0;
	return VMPI_SUCCESS;
}

int vmpi_File_get_atomicity(struct vmpi *v, VMPI_File fh, int *flag)
{
	int ret;
	struct file_part *p;
	const struct mpi_file *f = file_enter(v, CALL_File_get_atomicity, fh, &p, &ret);

	if (f)
		*flag = f->atomic;
	return ret;
}

/* ---- views ---- */

/* Reports what is wrong with the arguments of a view. */
static int check_view(struct vmpi *v, VMPI_File fh, const struct file_part *p, VMPI_Offset disp,
		      const struct type *etype, const struct type *filetype, const char *datarep)
{
	if (disp < 0)
		return rank_error_by(v, p->errhandler, fh, VMPI_ERR_ARG, "displacement %lld: expected 0 or more", disp);
	if (!etype || !etype->committed || !filetype || !filetype->committed)
		return rank_error_by(v, p->errhandler, fh, VMPI_ERR_TYPE, "expected committed datatypes");
	if (!etype->size || filetype->size % etype->size)
		return rank_error_by(v, p->errhandler, fh, VMPI_ERR_ARG,
				     "etype of %lld bytes, filetype of %lld: expected a multiple",
				     (long long)etype->size, (long long)filetype->size);
	if (!datarep ||
	    (strcmp(datarep, "native") != 0 && strcmp(datarep, "internal") != 0 && strcmp(datarep, "external32") != 0))
		return rank_error_by(v, p->errhandler, fh, VMPI_ERR_UNSUPPORTED_DATAREP,
				     "representation '%.40s': expected native, internal or external32",
				     datarep ? datarep : "");
	return VMPI_SUCCESS;
}

int vmpi_File_set_view(struct vmpi *v, VMPI_File fh, VMPI_Offset disp, VMPI_Datatype etype, VMPI_Datatype filetype,
		       const char *datarep, VMPI_Info info)
{
	int ret;
	struct file_part *p;
	struct mpi_file *f = file_enter(v, CALL_File_set_view, fh, &p, &ret);
	struct type *e = type_find(&v->types, etype), *t = type_find(&v->types, filetype);
	struct file_view view;
	struct err e_view;

	(void)info;
	if (!f)
		return ret;
	if (disp == VMPI_DISPLACEMENT_CURRENT && f->shared.amode & VMPI_MODE_SEQUENTIAL) {
		rank_in_order(v);
		disp = f->shared.pointer * p->view.unit + p->view.disp;
	}
	ret = check_view(v, fh, p, disp, e, t, datarep);
	if (ret)
		return ret;
	if (file_view_create(&view, disp, e, t, datarep[0] == 'e', &e_view) < 0)
		return rank_error_by(v, p->errhandler, fh, VMPI_ERR_NO_MEM, "%.200s", e_view.text);
	collective_barrier(v, f->comm);
	file_view_finish(&p->view);
	p->view = view;
	p->position = f->shared.pointer = 0;
	collective_barrier(v, f->comm);
	return VMPI_SUCCESS;
}

/* A handle of a view's type: basic types have their own, derived ones get a new one. */
static VMPI_Datatype view_type(struct vmpi *v, struct type *t)
{
	VMPI_Datatype handle = t->envelope ? type_handle(&v->types, t, &v->err) : t->handle;

	if (!handle)
		rank_stop(v);
	return handle;
}

int vmpi_File_get_view(struct vmpi *v, VMPI_File fh, VMPI_Offset *disp, VMPI_Datatype *etype, VMPI_Datatype *filetype,
		       char *datarep)
{
	int ret;
	struct file_part *p;

	if (!file_enter(v, CALL_File_get_view, fh, &p, &ret))
		return ret;
	*disp = p->view.disp;
	*etype = view_type(v, p->view.etype);
	*filetype = view_type(v, p->view.filetype);
	strcpy(datarep, p->view.external ? "external32" : "native");
	return VMPI_SUCCESS;
}

int vmpi_File_get_type_extent(struct vmpi *v, VMPI_File fh, VMPI_Datatype datatype, VMPI_Aint *extent)
{
	int ret;
	struct file_part *p;
	const struct type *t = type_find(&v->types, datatype);

	if (!file_enter(v, CALL_File_get_type_extent, fh, &p, &ret))
		return ret;
	if (!t)
		return rank_error_by(v, p->errhandler, fh, VMPI_ERR_TYPE, "unknown datatype %d", datatype);
	*extent = t->ub - t->lb;
	return VMPI_SUCCESS;
}

int vmpi_Register_datarep(struct vmpi *v, const char *datarep, VMPI_Datarep_conversion_function *read_conversion_fn,
			  VMPI_Datarep_conversion_function *write_conversion_fn,
			  VMPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state)
{
	(void)read_conversion_fn;
	(void)write_conversion_fn;
	(void)dtype_file_extent_fn;
	(void)extra_state;
	rank_enter(v, CALL_Register_datarep);
	return rank_error_by(v, rank_own(v)->file_errhandler, VMPI_FILE_NULL, VMPI_ERR_UNSUPPORTED_OPERATION,
			     "representation '%.40s' of the program: expected native, internal or external32", datarep);
}

/* ---- pointers ---- */

/* The etype that a seek goes to; false: it is negative. */
static bool seek_to(const struct mpi_file *f, const struct file_part *p, int64_t from, VMPI_Offset offset, int whence,
		    int64_t *to)
{
	struct stat s = {0};

	if (whence == VMPI_SEEK_SET)
		from = 0;
	else if (whence == VMPI_SEEK_END && fstat(f->descriptor, &s) == 0)
		from = file_view_etypes(&p->view, s.st_size);
	else if (whence != VMPI_SEEK_CUR)
		return false;
	return !__builtin_add_overflow(from, (int64_t)offset, to) && *to >= 0;
}

static int bad_seek(struct vmpi *v, VMPI_File fh, const struct file_part *p, VMPI_Offset offset, int whence)
{
	return rank_error_by(v, p->errhandler, fh, VMPI_ERR_ARG,
			     "offset %lld, whence %d: expected a place of 0 or more, by MPI_SEEK_…", offset, whence);
}

int vmpi_File_seek(struct vmpi *v, VMPI_File fh, VMPI_Offset offset, int whence)
{
	int ret;
	struct file_part *p;
	const struct mpi_file *f = file_enter(v, CALL_File_seek, fh, &p, &ret);
	int64_t to;

	if (!f)
		return ret;
	if (f->shared.amode & VMPI_MODE_SEQUENTIAL)
		return rank_error_by(v, p->errhandler, fh, VMPI_ERR_UNSUPPORTED_OPERATION,
				     "a sequential file: expected operations on the shared pointer");
	rank_in_order(v);
	if (!seek_to(f, p, p->position, offset, whence, &to))
		return bad_seek(v, fh, p, offset, whence);
	p->position = to;
	return VMPI_SUCCESS;
}

int vmpi_File_seek_shared(struct vmpi *v, VMPI_File fh, VMPI_Offset offset, int whence)
{
	int ret;
	struct file_part *p;
	struct mpi_file *f = file_enter(v, CALL_File_seek_shared, fh, &p, &ret);
	int64_t to;

	if (!f)
		return ret;
	collective_barrier(v, f->comm);
	rank_catch_up(v, v->current);
	if (!seek_to(f, p, f->shared.pointer, offset, whence, &to)) {
		ret = bad_seek(v, fh, p, offset, whence);
		collective_barrier(v, f->comm);
		return ret;
	}
	collective_barrier(v, f->comm); /* all know the place before it changes */
	f->shared.pointer = to;
	collective_barrier(v, f->comm);
	return VMPI_SUCCESS;
}

int vmpi_File_get_position(struct vmpi *v, VMPI_File fh, VMPI_Offset *offset)
{
	int ret;
	struct file_part *p;

	if (file_enter(v, CALL_File_get_position, fh, &p, &ret))
		*offset = p->position;
	return ret;
}

int vmpi_File_get_position_shared(struct vmpi *v, VMPI_File fh, VMPI_Offset *offset)
{
	int ret;
	struct file_part *p;
	const struct mpi_file *f = file_enter(v, CALL_File_get_position_shared, fh, &p, &ret);

	if (!f)
		return ret;
	rank_in_order(v);
	*offset = f->shared.pointer;
	return VMPI_SUCCESS;
}

int vmpi_File_get_byte_offset(struct vmpi *v, VMPI_File fh, VMPI_Offset offset, VMPI_Offset *disp)
{
	int ret;
	struct file_part *p;
	int64_t at, place, length;

	if (!file_enter(v, CALL_File_get_byte_offset, fh, &p, &ret))
		return ret;
	if (offset < 0 || __builtin_mul_overflow((int64_t)offset, p->view.unit, &at) ||
	    file_view_find(&p->view, at, 1, &place, &length) < 0)
		return rank_error_by(v, p->errhandler, fh, VMPI_ERR_ARG, "offset %lld: expected one in the view",
				     offset);
	*disp = place;
	return VMPI_SUCCESS;
}
