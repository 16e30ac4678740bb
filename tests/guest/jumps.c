/* Windows: deep recursion, setjmp and longjmp over many frames, contexts, nested functions. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

static jmp_buf out;
static volatile int depth_seen;

static __attribute__((noinline)) long deep(long n, long a, long b)
{
	char pad[64];
	memset(pad, (int)n, sizeof(pad));
	if (n == 0)
		return a - b;
	return deep(n - 1, a + n, b ^ pad[n % 64]) + pad[3] - (char)n;
}

static __attribute__((noinline)) void thrower(int n)
{
	depth_seen = n;
	if (n == 40)
		longjmp(out, 7);
	if (n < 50)
		thrower(n + 1);
	depth_seen = -n;
}

static ucontext_t main_context, other_context;
static int steps;

static void other(void)
{
	for (int i = 0; i < 3; i++) {
		steps = steps * 10 + i + 1;
		swapcontext(&other_context, &main_context);
	}
	steps = steps * 10 + 9;
}

static int ackermann(int m, int n)
{
	return m == 0 ? n + 1 : ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

int main(void)
{
	printf("deep %ld, ackermann %d\n", deep(2000, 1, 2), ackermann(2, 60));
	for (int round = 0; round < 3; round++) {
		int r = setjmp(out);
		if (r == 0)
			thrower(round * 10);
		printf("longjmp gave %d from depth %d\n", r, depth_seen);
	}
	static char stack[65536];
	getcontext(&other_context);
	other_context.uc_stack.ss_sp = stack;
	other_context.uc_stack.ss_size = sizeof(stack);
	other_context.uc_link = &main_context;
	makecontext(&other_context, other, 0);
	for (int i = 0; i < 3; i++) {
		swapcontext(&main_context, &other_context);
		printf("back from the other context, steps %d, %ld\n", steps, deep(20, i, 1));
	}
	return 0;
}
