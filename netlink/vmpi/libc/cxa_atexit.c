/*
 * __cxa_atexit: destructors of a rank's C++ objects. Those of global objects are registered while the program is
 * loaded: the list is among the program's variables, so each rank begins with it.
 */
#include "kept.h"

#include <stdbool.h>
#include <stdlib.h>

#include "gate.h"

struct destructor {
	void (*function)(void *object);
	void *object;
	struct destructor *next;
	bool of_all; /* registered before there were ranks */
};
static struct destructor *last_destructor;

WEAK int __cxa_atexit(void (*function)(void *), void *object, void *module)
{
	struct destructor *d = malloc(sizeof(*d));

	(void)module;
	if (!d)
		return -1;
	*d = (struct destructor){function, object, last_destructor, !vmpi_gate.v};
	last_destructor = d;
	return 0;
}

/* The simulator calls it when a rank exits. */
__attribute__((visibility("default"))) void vmpi_destroy_objects(void)
{
	while (last_destructor) {
		struct destructor d = *last_destructor;

		if (!d.of_all)
			free(last_destructor);
		last_destructor = d.next;
		d.function(d.object);
	}
}
