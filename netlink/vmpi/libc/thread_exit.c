/* Destructors of C++ objects that each thread has (thread_local): called when it ends, or its rank exits. */
#include "libc_state.h"

#include <stdlib.h>

struct thread_object {
	void (*destroy)(void *object);
	void *object;
	struct thread_object *next;
};
static _Thread_local struct thread_object *latest;

WEAK int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *module)
{
	struct thread_object *o = malloc(sizeof(*o));

	(void)module;
	if (!o)
		return -1;
	*o = (struct thread_object){destroy, object, latest};
	latest = o;
	return 0;
}

WEAK int __cxa_thread_atexit(void (*destroy)(void *), void *object, void *module)
{
	return __cxa_thread_atexit_impl(destroy, object, module);
}

void thread_exit_run(void)
{
	while (latest) {
		struct thread_object o = *latest;

		free(latest);
		latest = o.next;
		o.destroy(o.object);
	}
}
