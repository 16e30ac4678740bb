/* Calls: info objects, and hints of communicators and windows, which change nothing. Those of windows are kept. */
#include <stdlib.h>
#include <string.h>

#include "object_calls.h"

static struct info *enter_info_call(struct vmpi *v, enum call_id call, VMPI_Info info, int *ret)
{
	struct info *i = info_find(&v->mpi.infos, info);

	rank_enter(v, call);
	*ret = VMPI_SUCCESS;
	if (!i)
		*ret = rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_INFO, "unknown info object %d", info);
	return i;
}

static int check_key(struct vmpi *v, const char *key)
{
	if (!key || !*key || strlen(key) >= VMPI_MAX_INFO_KEY)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_INFO_KEY, "key of %zu characters: expected 1 to %d",
				  key ? strlen(key) : 0, VMPI_MAX_INFO_KEY - 1);
	return VMPI_SUCCESS;
}

static int make_info(struct vmpi *v, const struct info *like, VMPI_Info *info)
{
	*info = info_create(&v->mpi.infos, like, &v->err);
	if (!*info)
		rank_stop(v);
	return VMPI_SUCCESS;
}

int vmpi_Info_create(struct vmpi *v, VMPI_Info *info)
{
	rank_enter(v, CALL_Info_create);
	return make_info(v, NULL, info);
}

/* It may come before Init and after Finalize. */
int vmpi_Info_create_env(struct vmpi *v, int argc, char *argv[], VMPI_Info *info)
{
	(void)argc;
	(void)argv;
	rank_enter(v, CALL_Info_create_env);
	return make_info(v, info_find(&v->mpi.infos, VMPI_INFO_ENV), info);
}

int vmpi_Info_dup(struct vmpi *v, VMPI_Info info, VMPI_Info *newinfo)
{
	int ret;
	const struct info *i = enter_info_call(v, CALL_Info_dup, info, &ret);

	return i ? make_info(v, i, newinfo) : ret;
}

int vmpi_Info_free(struct vmpi *v, VMPI_Info *info)
{
	int ret;

	if (!enter_info_call(v, CALL_Info_free, *info, &ret))
		return ret;
	info_release(&v->mpi.infos, *info);
	*info = VMPI_INFO_NULL;
	return VMPI_SUCCESS;
}

int vmpi_Info_set(struct vmpi *v, VMPI_Info info, const char *key, const char *value)
{
	int ret;
	struct info *i = enter_info_call(v, CALL_Info_set, info, &ret);

	if (!i || (ret = check_key(v, key)))
		return ret;
	if (!value || strlen(value) >= VMPI_MAX_INFO_VAL)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_INFO_VALUE,
				  "value of %zu characters: expected at most %d", value ? strlen(value) : 0,
				  VMPI_MAX_INFO_VAL - 1);
	if (info_set(i, key, value, &v->err) < 0)
		rank_stop(v);
	return VMPI_SUCCESS;
}

int vmpi_Info_delete(struct vmpi *v, VMPI_Info info, const char *key)
{
	int ret;
	struct info *i = enter_info_call(v, CALL_Info_delete, info, &ret);

	if (!i || (ret = check_key(v, key)))
		return ret;
	if (info_delete(i, key) < 0)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_INFO_NOKEY, "no key '%s'", key);
	return VMPI_SUCCESS;
}

int vmpi_Info_get(struct vmpi *v, VMPI_Info info, const char *key, int valuelen, char *value, int *flag)
{
	int ret;
	const struct info *i = enter_info_call(v, CALL_Info_get, info, &ret);
	const char *found;

	if (!i || (ret = check_key(v, key)))
		return ret;
	if (valuelen < 0)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_ARG, "length %d: expected 0 or more", valuelen);
	found = info_get(i, key);
	*flag = found != NULL;
	if (found)
		snprintf(value, (size_t)valuelen + 1, "%s", found);
	return VMPI_SUCCESS;
}

int vmpi_Info_get_valuelen(struct vmpi *v, VMPI_Info info, const char *key, int *valuelen, int *flag)
{
	int ret;
	const struct info *i = enter_info_call(v, CALL_Info_get_valuelen, info, &ret);
	const char *found;

	if (!i || (ret = check_key(v, key)))
		return ret;
	found = info_get(i, key);
	*flag = found != NULL;
	if (found)
		*valuelen = (int)strlen(found);
	return VMPI_SUCCESS;
}

int vmpi_Info_get_string(struct vmpi *v, VMPI_Info info, const char *key, int *buflen, char *value, int *flag)
{
	int ret;
	const struct info *i = enter_info_call(v, CALL_Info_get_string, info, &ret);
	const char *found;

	if (!i || (ret = check_key(v, key)))
		return ret;
	if (*buflen < 0)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_ARG, "length %d: expected 0 or more", *buflen);
	found = info_get(i, key);
	*flag = found != NULL;
	if (!found)
		return VMPI_SUCCESS;
	if (*buflen)
		snprintf(value, (size_t)*buflen, "%s", found);
	*buflen = (int)strlen(found) + 1;
	return VMPI_SUCCESS;
}

int vmpi_Info_get_nkeys(struct vmpi *v, VMPI_Info info, int *nkeys)
{
	int ret;
	const struct info *i = enter_info_call(v, CALL_Info_get_nkeys, info, &ret);

	if (i)
		*nkeys = info_keys(i);
	return ret;
}

int vmpi_Info_get_nthkey(struct vmpi *v, VMPI_Info info, int n, char *key)
{
	int ret;
	const struct info *i = enter_info_call(v, CALL_Info_get_nthkey, info, &ret);
	const char *found = i ? info_key(i, n) : NULL;

	if (!i)
		return ret;
	if (!found)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_ARG, "key %d: expected 0 to %d", n, info_keys(i) - 1);
	strcpy(key, found);
	return VMPI_SUCCESS;
}

/* ---- hints ---- */

/* The hints of windows that the standard names (MPI 3.1, 11.2.1); others are dropped. */
static const char *const window_hint_names[] = {"no_locks",  "accumulate_ordering", "accumulate_ops",
						"same_size", "same_disp_unit",      "alloc_shared_noncontig"};

void hints_take(struct vmpi *v, int *hints, VMPI_Info info)
{
	const struct info *from = info_find(&v->mpi.infos, info);
	struct info *to;

	if (!from)
		return;
	if (!*hints)
		make_info(v, NULL, hints);
	to = info_find(&v->mpi.infos, *hints);
	for (size_t i = 0; i < sizeof(window_hint_names) / sizeof(window_hint_names[0]); i++) {
		const char *value = info_get(from, window_hint_names[i]);

		if (value && info_set(to, window_hint_names[i], value, &v->err) < 0)
			rank_stop(v);
	}
}

int vmpi_Comm_set_info(struct vmpi *v, VMPI_Comm comm, VMPI_Info info)
{
	rank_enter(v, CALL_Comm_set_info);
	if (!comm_find(&v->comms, comm))
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COMM, "unknown communicator %d", comm);
	if (info != VMPI_INFO_NULL && !info_find(&v->mpi.infos, info))
		return rank_error(v, comm, VMPI_ERR_INFO, "unknown info object %d", info);
	return VMPI_SUCCESS;
}

int vmpi_Comm_get_info(struct vmpi *v, VMPI_Comm comm, VMPI_Info *info)
{
	rank_enter(v, CALL_Comm_get_info);
	if (!comm_find(&v->comms, comm))
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_COMM, "unknown communicator %d", comm);
	return make_info(v, NULL, info);
}

int vmpi_Win_set_info(struct vmpi *v, VMPI_Win win, VMPI_Info info)
{
	rank_enter(v, CALL_Win_set_info);
	if (!window_exists(v, win))
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_WIN, "unknown window %d", win);
	if (info != VMPI_INFO_NULL && !info_find(&v->mpi.infos, info))
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_INFO, "unknown info object %d", info);
	hints_take(v, window_hints(v, win), info);
	return VMPI_SUCCESS;
}

int vmpi_Win_get_info(struct vmpi *v, VMPI_Win win, VMPI_Info *info)
{
	rank_enter(v, CALL_Win_get_info);
	if (!window_exists(v, win))
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_WIN, "unknown window %d", win);
	return make_info(v, info_find(&v->mpi.infos, *window_hints(v, win)), info);
}
