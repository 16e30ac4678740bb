/*
 * State of the C library is each rank's own, and as new: every rank goes a step, lets the others go theirs, and on.
 * With the options -v -n 5 input -o name, and lines on standard input for rank 0.
 */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <fenv.h>
#include <getopt.h>
#include <locale.h>
#include <math.h>
#include <search.h>
#include <time.h>

static __thread int counter = 7; /* static and initialised, static, visible */
static __thread char large[50000];
__thread double visible;

static void others_run(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
}

static void options(struct checks *c, int argc, char **argv)
{
	int n = 0, verbose = 0;
	const char *name = "";

	CHECK(c, optind == 1 && opterr == 1);
	for (int o; (o = getopt(argc, argv, "vn:o:")) != -1; others_run()) {
		verbose += o == 'v';
		n = o == 'n' ? atoi(optarg) : n;
		name = o == 'o' ? optarg : name;
	}
	CHECK(c, verbose == 1 && n == 5 && strcmp(name, "name") == 0);
	CHECK(c, argc - optind == 1 && strcmp(argv[optind], "input") == 0);
}

static void words(struct checks *c)
{
	char text[32], rank[12];
	const char *third;

	snprintf(text, sizeof(text), "a b %d", c->rank);
	snprintf(rank, sizeof(rank), "%d", c->rank);
	strtok(text, " ");
	others_run();
	strtok(NULL, " ");
	others_run();
	third = strtok(NULL, " ");
	CHECK(c, third && strcmp(third, rank) == 0);
}

/* After the same seed the same numbers, whatever the others draw between. */
static void randoms(struct checks *c)
{
	int a[2];
	double x[2];
	long y[2];

	for (int k = 0; k < 2; k++) {
		srand(5);
		srand48(6);
		for (int i = 0; i < c->rank * k; i++)
			others_run();
		for (int i = 0; i < 3; i++) {
			a[k] = rand();
			x[k] = drand48();
			y[k] = lrand48();
			others_run();
		}
		for (int i = c->rank * k; i < c->size * k; i++)
			others_run();
	}
	CHECK(c, a[0] == a[1] && x[0] == x[1] && y[0] == y[1]);
}

static void places(struct checks *c)
{
	time_t t = (time_t)c->rank * 86400;
	const struct tm *u = gmtime(&t);
	ENTRY entry = {(char *)"rank", (void *)(size_t)c->rank}, *found;
	double g;

	hcreate(16);
	hsearch(entry, ENTER);
	g = lgamma(c->rank % 2 ? -0.5 : 0.5); /* gamma(-0.5) is negative */
	errno = 100 + c->rank;
	others_run();
	CHECK(c, errno == 100 + c->rank);
	CHECK(c, u->tm_yday == c->rank);
	found = hsearch(entry, FIND);
	CHECK(c, found && (size_t)found->data == (size_t)c->rank);
	CHECK(c, g > 0 && signgam == (c->rank % 2 ? -1 : 1));
	hdestroy();
}

static void locales(struct checks *c)
{
	int own = c->rank % 2;

	CHECK(c, strcmp(setlocale(LC_ALL, NULL), "C") == 0 && MB_CUR_MAX == 1);
	if (own)
		CHECK(c, setlocale(LC_CTYPE, "C.UTF-8") != NULL);
	CHECK(c, setlocale(LC_ALL, "no such place") == NULL);
	others_run();
	CHECK(c, (MB_CUR_MAX > 1) == own);
	CHECK(c, (strchr(setlocale(LC_ALL, NULL), ';') != NULL) == own);
	CHECK(c, setlocale(LC_ALL, setlocale(LC_ALL, NULL)) != NULL && (MB_CUR_MAX > 1) == own);
	fesetround(own ? FE_UPWARD : FE_TONEAREST);
	others_run();
	CHECK(c, fegetround() == (own ? FE_UPWARD : FE_TONEAREST));
	fesetround(FE_TONEAREST);
}

static void streams(struct checks *c)
{
	char line[32] = "", name[32];
	FILE *f;

	/* input is of rank 0 */
	if (fgets(line, sizeof(line), stdin))
		line[strcspn(line, "\n")] = '\0';
	CHECK(c, strcmp(line, c->rank == 0 ? "first" : "") == 0);
	/* output of the odd ones goes elsewhere, and of nobody else */
	snprintf(name, sizeof(name), "out.%d", c->rank);
	if (c->rank % 2)
		CHECK(c, freopen(name, "w", stdout) != NULL);
	others_run();
	if (c->rank)
		printf("rank %d\n", c->rank);
	others_run();
	if (c->rank % 2 == 0)
		return;
	CHECK(c, fclose(stdout) == 0);
	others_run();
	f = fopen(name, "r");
	CHECK(c, f && fgets(line, sizeof(line), f) && atoi(line + 5) == c->rank && !fgets(line, sizeof(line), f));
	if (f)
		fclose(f);
	remove(name);
}

static void thread_locals(struct checks *c)
{
	counter += c->rank;
	large[49999] = (char)c->rank;
	visible = c->rank + 0.5;
	others_run();
	CHECK(c, counter == 7 + c->rank && large[49999] == (char)c->rank && visible == c->rank + 0.5);
}

static int ended;

static void end(void)
{
	if (ended++ == 0)
		fprintf(stderr, "end of %s\n", large[49999] % 2 ? "an odd rank" : "an even rank");
}

int main(int argc, char **argv)
{
	struct checks c;
	int all;

	checks_begin(&c, &argc, &argv);
	atexit(end);
	thread_locals(&c);
	options(&c, argc, argv);
	words(&c);
	randoms(&c);
	places(&c);
	locales(&c);
	streams(&c);
	if (c.rank % 2 == 0)
		others_run();
	all = checks_end(&c, "state of the library");
	exit(all);
}
