/* A violated assertion ends the program and names its place: file, function, condition. */
#include "tap.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "psim/memory/cache.h"
#include "psim/memory/channel.h"

/* Runs `violate` in a process; writes what it says to `said`. Returns the signal that ends it, or 0. */
static int violated(void (*violate)(void), char said[512])
{
	int ends[2], status = 0;
	ssize_t got, all = 0;
	pid_t child;

	if (pipe(ends))
		abort();
	child = fork();
	if (!child) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		violate();
		_exit(0);
	}
	close(ends[1]);
	while (all < 511 && (got = read(ends[0], said + all, (size_t)(511 - all))) > 0)
		all += got;
	said[all] = '\0';
	close(ends[0]);
	if (child < 0 || waitpid(child, &status, 0) != child)
		abort();
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void use_a_miss_buffer_behind_the_last(void)
{
	struct mshr m;

	if (!mshr_init(&m, 4))
		mshr_place(&m, 4, 10);
}

static void remove_an_empty_way(void)
{
	struct cache c;

	if (!cache_init(&c, 4096, 2, 64))
		cache_remove_at(&c, 0);
}

static void a_violated_assertion_names_its_place(void)
{
#ifdef NDEBUG
	(void)violated;
	(void)use_a_miss_buffer_behind_the_last;
	(void)remove_an_empty_way;
#else
	static const struct {
		void (*violate)(void);
		const char *file, *function, *condition;
	} cases[] = {
		{use_a_miss_buffer_behind_the_last, "psim/memory/channel.c:", "mshr_place", "i < m->count"},
		{remove_an_empty_way, "psim/memory/cache.c:", "cache_remove_at", "LINE_VALID"},
	};
	char said[512];

	for (unsigned n = 0; n < sizeof(cases) / sizeof(*cases); n++) {
		CHECK_I64(violated(cases[n].violate, said), SIGABRT);
		CHECK(strstr(said, cases[n].file) != NULL);
		CHECK(strstr(said, cases[n].function) != NULL);
		CHECK(strstr(said, cases[n].condition) != NULL);
	}
#endif
}

static const struct tap_test tests[] = {
	{"a violated assertion names its place", a_violated_assertion_names_its_place},
};

int main(void)
{
	return tap_main("assertions", tests, TAP_COUNT(tests));
}
