/*
 * One-sided communication: windows of all kinds, the three ways to synchronize, all operations. Values are worked out
 * by hand; the same source runs under a real MPI.
 */
#include "check.h"

enum { WORDS = 16 };

/* Rank r writes 100 r + i to word i of its right neighbour, and adds 1 to word 8 of all. */
static void fences(struct checks *c)
{
	int right = (c->rank + 1) % c->size, left = (c->rank + c->size - 1) % c->size, mine[WORDS] = {0}, put[4],
	    got[4], one = 1;
	MPI_Win win;

	MPI_Win_create(mine, sizeof(mine), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	for (int i = 0; i < 4; i++)
		put[i] = 100 * c->rank + i;
	MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
	MPI_Put(put, 4, MPI_INT, right, 2, 4, MPI_INT, win);
	for (int i = 0; i < c->size; i++)
		MPI_Accumulate(&one, 1, MPI_INT, i, 8, 1, MPI_INT, MPI_SUM, win);
	MPI_Put(put, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
	MPI_Win_fence(0, win);
	for (int i = 0; i < 4; i++)
		CHECK(c, mine[2 + i] == 100 * left + i);
	CHECK(c, mine[8] == c->size && mine[0] == 0);
	MPI_Get(got, 4, MPI_INT, right, 2, 4, MPI_INT, win);
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
	for (int i = 0; i < 4; i++)
		CHECK(c, got[i] == put[i]);
	MPI_Win_free(&win);
	CHECK(c, win == MPI_WIN_NULL);
}

/* Every second word of the target, by a vector at the target. */
static void types(struct checks *c)
{
	int right = (c->rank + 1) % c->size, left = (c->rank + c->size - 1) % c->size, *mine, put[3];
	MPI_Datatype every_second;
	MPI_Win win;

	MPI_Win_allocate(WORDS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
	for (int i = 0; i < WORDS; i++)
		mine[i] = -1;
	for (int i = 0; i < 3; i++)
		put[i] = 10 * c->rank + i;
	MPI_Type_vector(3, 1, 2, MPI_INT, &every_second);
	MPI_Type_commit(&every_second);
	MPI_Win_fence(0, win);
	MPI_Put(put, 3, MPI_INT, right, 1, 1, every_second, win);
	MPI_Type_free(&every_second);
	MPI_Win_fence(0, win);
	for (int i = 0; i < WORDS; i++)
		CHECK(c, mine[i] == (i == 1 || i == 3 || i == 5 ? 10 * left + i / 2 : -1));
	MPI_Win_free(&win);
}

/* Even ranks expose their memory to the odd rank behind them. */
static void posts(struct checks *c)
{
	int mine = -1, value = 7 + c->rank, partner = c->rank ^ 1, flag = 0;
	MPI_Group world, group, of_window;
	MPI_Win win;

	MPI_Win_create(&mine, sizeof(mine), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Win_get_group(win, &of_window);
	MPI_Group_compare(world, of_window, &flag);
	CHECK(c, flag == MPI_IDENT);
	MPI_Group_free(&of_window);
	if (partner < c->size) {
		MPI_Group_incl(world, 1, &partner, &group);
		if (c->rank % 2 == 0) {
			MPI_Win_post(group, 0, win);
			if (c->rank % 4 == 0)
				MPI_Win_wait(win);
			else
				for (flag = 0; !flag;)
					MPI_Win_test(win, &flag);
			CHECK(c, mine == 8 + c->rank);
		} else {
			MPI_Win_start(group, 0, win);
			MPI_Put(&value, 1, MPI_INT, partner, 0, 1, MPI_INT, win);
			MPI_Win_complete(win);
		}
		MPI_Group_free(&group);
	}
	MPI_Group_free(&world);
	MPI_Win_free(&win);
}

/* Rank 0's counter, by all ways to change it under locks. */
static void locks(struct checks *c)
{
	int counter[4] = {0, 0, 0, -1}, one = 1, old = -1, mine = c->rank, free_ = -1, sum;
	MPI_Request request;
	MPI_Win win;

	MPI_Win_create(counter, c->rank ? 0 : sizeof(counter), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	/* each rank alone reads and writes back: without the lock increments would be lost */
	for (int i = 0; i < 5; i++) {
		MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
		MPI_Get(&old, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
		MPI_Win_flush(0, win);
		old++;
		MPI_Put(&old, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
		MPI_Win_unlock(0, win);
	}
	/* together: each gets another ticket, whose sum is 0 + … + size - 1 */
	MPI_Win_lock_all(0, win);
	MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 1, MPI_SUM, win);
	MPI_Win_flush_local(0, win);
	MPI_Raccumulate(&one, 1, MPI_INT, 0, 2, 1, MPI_INT, MPI_SUM, win, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Win_flush_all(win);
	MPI_Compare_and_swap(&mine, &free_, &sum, MPI_INT, 0, 3, win);
	MPI_Win_flush_local_all(win);
	MPI_Win_sync(win);
	MPI_Win_unlock_all(win);
	CHECK(c, sum >= -1 && sum < c->size);
	sum = sum == -1; /* one rank alone found it free */
	MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	CHECK(c, sum == 1);
	MPI_Allreduce(&old, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	CHECK(c, sum == c->size * (c->size - 1) / 2);
	if (c->rank == 0) {
		MPI_Win_lock(MPI_LOCK_SHARED, 0, MPI_MODE_NOCHECK, win);
		CHECK(c, counter[0] == 5 * c->size && counter[1] == c->size && counter[2] == c->size);
		CHECK(c, counter[3] >= 0 && counter[3] < c->size);
		MPI_Win_unlock(0, win);
	}
	MPI_Win_free(&win);
}

static void requests(struct checks *c)
{
	int right = (c->rank + 1) % c->size, left = (c->rank + c->size - 1) % c->size, mine[4] = {1, 2, 3, 4}, put[2],
	    got[2] = {0}, before[2] = {0}, nothing = 0;
	MPI_Request request[3];
	MPI_Win win;

	MPI_Win_create(mine, sizeof(mine), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	put[0] = put[1] = c->rank + 50;
	MPI_Win_lock_all(0, win);
	MPI_Rput(put, 1, MPI_INT, right, 0, 1, MPI_INT, win, &request[0]);
	MPI_Rget(got, 1, MPI_INT, right, 1, 1, MPI_INT, win, &request[1]);
	MPI_Rget_accumulate(put, 2, MPI_INT, before, 2, MPI_INT, right, 2, 2, MPI_INT, MPI_REPLACE, win, &request[2]);
	MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
	CHECK(c, got[0] == 2 && before[0] == 3 && before[1] == 4);
	MPI_Win_flush(right, win);
	MPI_Get_accumulate(&nothing, 1, MPI_INT, got, 2, MPI_INT, right, 2, 2, MPI_INT, MPI_NO_OP, win);
	MPI_Win_unlock_all(win);
	CHECK(c, got[0] == 50 + c->rank && got[1] == 50 + c->rank);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock(MPI_LOCK_SHARED, c->rank, 0, win);
	CHECK(c, mine[0] == 50 + left && mine[1] == 2 && mine[2] == 50 + left && mine[3] == 50 + left);
	MPI_Win_unlock(c->rank, win);
	MPI_Win_free(&win);
}

/* Memory of one node: of two ranks here, whatever the machine. */
static void shared(struct checks *c)
{
	MPI_Comm node;
	MPI_Aint size;
	MPI_Win win;
	int *mine, *first, unit, rank, ranks;

	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, c->rank, MPI_INFO_NULL, &node);
	MPI_Comm_rank(node, &rank);
	MPI_Comm_size(node, &ranks);
	MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, node, &mine, &win);
	MPI_Win_shared_query(win, 0, &size, &unit, &first);
	CHECK(c, size == sizeof(int) && unit == sizeof(int) && first + rank == mine);
	MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
	*mine = 3 * rank;
	MPI_Win_sync(win);
	MPI_Barrier(node);
	MPI_Win_sync(win);
	CHECK(c, first[ranks - 1] == 3 * (ranks - 1));
	MPI_Barrier(node);
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
	MPI_Comm_free(&node);
}

/* Addresses in a dynamic window are absolute. */
static void dynamic(struct checks *c)
{
	int right = (c->rank + 1) % c->size, left = (c->rank + c->size - 1) % c->size, *mine = calloc(2, sizeof(int)),
	    value = 9 * c->rank;
	MPI_Aint own, *all = calloc((size_t)c->size, sizeof(*all));
	MPI_Win win;

	MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_attach(win, mine, 2 * sizeof(int));
	MPI_Get_address(mine, &own);
	MPI_Allgather(&own, 1, MPI_AINT, all, 1, MPI_AINT, MPI_COMM_WORLD);
	MPI_Win_fence(0, win);
	MPI_Put(&value, 1, MPI_INT, right, MPI_Aint_add(all[right], sizeof(int)), 1, MPI_INT, win);
	MPI_Win_fence(0, win);
	CHECK(c, mine[0] == 0 && mine[1] == 9 * left);
	CHECK(c, MPI_Aint_diff(all[c->rank] + 8, all[c->rank]) == 8);
	MPI_Win_detach(win, mine);
	MPI_Win_free(&win);
	free(mine);
	free(all);
}

static int copies, deletions;

static int copy(MPI_Win win, int keyval, void *extra, void *value, void *out, int *flag)
{
	(void)win, (void)keyval, (void)extra;
	*(void **)out = value;
	copies++;
	return *flag = 1, MPI_SUCCESS;
}

static int delete (MPI_Win win, int keyval, void *value, void *extra)
{
	(void)win, (void)keyval, (void)value;
	++*(int *)extra;
	return MPI_SUCCESS;
}

static int errors;

static void on_error(MPI_Win *win, int *code, ...)
{
	int class;

	(void)win;
	MPI_Error_class(*code, &class);
	errors = class;
}

static void attributes(struct checks *c)
{
	char name[MPI_MAX_OBJECT_NAME];
	MPI_Errhandler handler, got;
	MPI_Info info;
	MPI_Win win;
	int key, flag, *unit, *flavor, length, mine, value = 5;
	MPI_Aint *size;
	void *base, *found;

	MPI_Win_create(&mine, sizeof(mine), 2, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag);
	CHECK(c, flag && base == &mine);
	MPI_Win_get_attr(win, MPI_WIN_SIZE, &size, &flag);
	CHECK(c, flag && *size == sizeof(mine));
	MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &unit, &flag);
	CHECK(c, flag && *unit == 2);
	MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &flavor, &flag);
	CHECK(c, flag && *flavor == MPI_WIN_FLAVOR_CREATE);
	MPI_Win_create_keyval(copy, delete, &key, &deletions);
	MPI_Win_set_attr(win, key, &value);
	MPI_Win_get_attr(win, key, &found, &flag);
	CHECK(c, flag && found == &value);
	MPI_Win_delete_attr(win, key);
	CHECK(c, deletions == 1);
	MPI_Win_get_attr(win, key, &found, &flag);
	CHECK(c, !flag);
	MPI_Win_set_attr(win, key, &value);
	MPI_Win_free_keyval(&key);
	CHECK(c, key == MPI_KEYVAL_INVALID && copies == 0);
	MPI_Win_set_name(win, "counter");
	MPI_Win_get_name(win, name, &length);
	CHECK(c, strcmp(name, "counter") == 0 && length == 7);
	MPI_Info_create(&info);
	MPI_Win_set_info(win, info);
	MPI_Info_free(&info);
	MPI_Win_get_info(win, &info);
	MPI_Info_free(&info);
	MPI_Win_create_errhandler(on_error, &handler);
	MPI_Win_set_errhandler(win, handler);
	MPI_Win_get_errhandler(win, &got);
	CHECK(c, got == handler);
	MPI_Errhandler_free(&handler);
	MPI_Win_call_errhandler(win, MPI_ERR_OTHER);
	CHECK(c, errors == MPI_ERR_OTHER);
	MPI_Win_free(&win);
	CHECK(c, deletions == 2);
}

int main(int argc, char **argv)
{
	struct checks c;

	checks_begin(&c, &argc, &argv);
	fences(&c);
	types(&c);
	posts(&c);
	locks(&c);
	requests(&c);
	shared(&c);
	dynamic(&c);
	attributes(&c);
	return checks_end(&c, "windows");
}
