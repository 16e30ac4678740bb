#include "traffic_classes.h"

#include <stdlib.h>

int traffic_class_weights(const struct net_config *c, uint32_t weight[TRAFFIC_CLASSES_MAX], struct err *e)
{
	const char *at = c->router.class_weights;
	unsigned count = 0;
	char *end;

	for (unsigned i = 0; i < TRAFFIC_CLASSES_MAX; i++)
		weight[i] = 1;
	if (c->router.class_order == CLASS_STRICT)
		return 0;
	for (; count < c->router.classes; at = end + 1) {
		unsigned long w = strtoul(at, &end, 10);

		if (*at < '0' || *at > '9' || !w || w > CLASS_WEIGHT_MAX)
			break;
		weight[count++] = (uint32_t)w;
		if (*end != ',')
			break;
	}
	if (count == c->router.classes && !*end)
		return 0;
	return err_set(e, STATUS_USAGE,
		       "router.class_weights = %s, expected %u whole numbers from 1 to %d with commas between them",
		       c->router.class_weights, c->router.classes, CLASS_WEIGHT_MAX);
}
