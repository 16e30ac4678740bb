#include "seeds.h"

#include <stdio.h>
#include <stdlib.h>

#include "tap.h"

struct seeds seeds_of(const char *name, uint64_t count)
{
	const char *text = getenv(name);
	unsigned long long first = 1, number = count;
	char more;

	if (text) {
		int read = sscanf(text, "%llu:%llu%c", &first, &number, &more);

		if (read != 2 || !number)
			fprintf(stderr, "%s is \"%s\", expected FIRST:COUNT\n", name, text);
		REQUIRE(read == 2 && number);
	}
	return (struct seeds){first, number, text != NULL};
}

void seeds_run(const char *name, uint64_t count, double (*compare)(uint64_t seed), double least)
{
	struct seeds seeds = seeds_of(name, count);
	double sum = 0;

	for (uint64_t n = 0; n < seeds.count; n++) {
		double compared;

		if (seeds.given) /* before it runs: the seed of a crash is known */
			fprintf(stderr, "seed %llu: ", (unsigned long long)(seeds.first + n));
		compared = compare(seeds.first + n);
		if (seeds.given)
			fprintf(stderr, "%.6g\n", compared);
		sum += compared;
	}
	CHECK(seeds.count < count || sum / (double)seeds.count > least);
}
