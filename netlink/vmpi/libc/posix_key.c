/* Values of threads by key, and functions that are called once. */
#include "posix_threads.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

enum { KEYS = 128, ROUNDS = 4 };

static struct key {
	bool used;
	void (*destructor)(void *);
} * keys; /* NULL: none yet, so that a rank's variables are few */

static bool is_key(pthread_key_t key)
{
	return keys && key < KEYS && keys[key].used;
}

WEAK int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
	if (!keys)
		keys = calloc(KEYS, sizeof(*keys));
	for (unsigned i = 0; keys && i < KEYS; i++)
		if (!keys[i].used) {
			keys[i] = (struct key){true, destructor};
			*key = i;
			return 0;
		}
	return EAGAIN;
}

/* Threads keep the values, of which a new key of this number begins with none where they are NULL. */
WEAK int pthread_key_delete(pthread_key_t key)
{
	if (!is_key(key))
		return EINVAL;
	keys[key] = (struct key){false, NULL};
	return 0;
}

WEAK void *pthread_getspecific(pthread_key_t key)
{
	const struct posix_thread *t = posix_self();

	return t->values && is_key(key) ? t->values[key] : NULL;
}

WEAK int pthread_setspecific(pthread_key_t key, const void *value)
{
	struct posix_thread *t = posix_self();

	if (key >= KEYS || !keys[key].used)
		return EINVAL;
	if (!t->values)
		t->values = calloc(KEYS, sizeof(*t->values));
	if (!t->values)
		return ENOMEM;
	t->values[key] = (void *)value;
	return 0;
}

void posix_end_values(void)
{
	struct posix_thread *t = posix_self();
	bool again = t->values != NULL;

	for (int round = 0; again && round < ROUNDS; round++) {
		again = false;
		for (unsigned i = 0; i < KEYS; i++) {
			void *value = t->values[i];

			t->values[i] = NULL;
			if (!value || !keys[i].used || !keys[i].destructor)
				continue;
			keys[i].destructor(value);
			again = true;
		}
	}
}

/* ---- once ---- */

enum { ONCE_BEGUN = 1, ONCE_DONE = 2 };

WEAK int pthread_once(pthread_once_t *once, void (*function)(void))
{
	struct posix_thread *t;

	POSIX_PLACE();
	if (*once == ONCE_DONE)
		return 0;
	posix_turn(THREAD_pthread_once);
	while (*once == ONCE_BEGUN)
		posix_wait(once, THREAD_pthread_once, -1);
	if (*once == ONCE_DONE)
		return 0;
	*once = ONCE_BEGUN;
	function();
	*once = ONCE_DONE;
	while ((t = posix_first(once)))
		posix_wake(t);
	return 0;
}
