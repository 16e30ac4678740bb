/* Info objects: mpi_info.h. */
#include "mpi_info.h"

#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"

static void entry_free(struct info_entry *t)
{
	free(t->key);
	free(t->value);
	free(t);
}

static void info_free(struct info *i)
{
	if (!i)
		return;
	while (i->first) {
		struct info_entry *t = i->first;

		i->first = t->next;
		entry_free(t);
	}
	free(i);
}

int infos_create(struct infos *n, struct err *e)
{
	*n = (struct infos){.count = 1};
	return info_create(n, NULL, e) ? 0 : -1;
}

void infos_finish(struct infos *n)
{
	for (int i = 0; n->at && i < n->count; i++)
		info_free(n->at[i]);
	free(n->at);
	*n = (struct infos){0};
}

int info_create(struct infos *n, const struct info *like, struct err *e)
{
	struct info *new = mem_alloc(1, sizeof(*new), e);
	int handle = 0;

	for (const struct info_entry *t = new &&like ? like->first : NULL; t; t = t->next)
		if (info_set(new, t->key, t->value, e) < 0) {
			info_free(new);
			return 0;
		}
	for (int i = INFO_HANDLE_ENV + 1; n->count == n->room && i < n->count && !handle; i++)
		if (!n->at[i])
			handle = i;
	if (new && !handle && n->count >= n->room) {
		int room = n->room ? 2 * n->room : 8;
		struct info **at = mem_resize(n->at, (size_t)room, sizeof(struct info *), e);

		if (!at) {
			info_free(new);
			return 0;
		}
		memset(at + n->room, 0, (size_t)(room - n->room) * sizeof(struct info *));
		n->at = at;
		n->room = room;
	}
	if (!new)
		return 0;
	if (!handle)
		handle = n->count++;
	n->at[handle] = new;
	return handle;
}

struct info *info_find(const struct infos *n, int handle)
{
	return handle > 0 && handle < n->count ? n->at[handle] : NULL;
}

void info_release(struct infos *n, int handle)
{
	if (handle <= INFO_HANDLE_ENV || !info_find(n, handle))
		return;
	info_free(n->at[handle]);
	n->at[handle] = NULL;
}

/* The link to the entry of a key, or to the end of the list. */
static struct info_entry **entry_link(struct info *i, const char *key)
{
	struct info_entry **link = &i->first;

	while (*link && strcmp((*link)->key, key) != 0)
		link = &(*link)->next;
	return link;
}

int info_set(struct info *i, const char *key, const char *value, struct err *e)
{
	struct info_entry **link = entry_link(i, key), *t = *link;
	char *copy = mem_copy_text(value, e);

	if (!copy)
		return -1;
	if (t) {
		free(t->value);
		t->value = copy;
		return 0;
	}
	t = mem_alloc(1, sizeof(*t), e);
	if (t)
		t->key = mem_copy_text(key, e);
	if (!t || !t->key) {
		free(copy);
		free(t);
		return -1;
	}
	t->value = copy;
	*link = t;
	return 0;
}

const char *info_get(const struct info *i, const char *key)
{
	for (const struct info_entry *t = i->first; t; t = t->next)
		if (strcmp(t->key, key) == 0)
			return t->value;
	return NULL;
}

int info_delete(struct info *i, const char *key)
{
	struct info_entry **link = entry_link(i, key), *t = *link;

	if (!t)
		return -1;
	*link = t->next;
	entry_free(t);
	return 0;
}

int info_keys(const struct info *i)
{
	int n = 0;

	for (const struct info_entry *t = i->first; t; t = t->next)
		n++;
	return n;
}

const char *info_key(const struct info *i, int number)
{
	const struct info_entry *t = i->first;

	for (; t && number > 0; t = t->next)
		number--;
	return t && number == 0 ? t->key : NULL;
}
