/*
 * What qemu-user 7.2 does not do: traps of integer division by zero, an enabled
 * IEEE exception, a tag overflow, each with the signal that Linux sends; and a
 * context that ends and goes on in the one linked to it.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>

static sigjmp_buf out;
static volatile int caught, code;

static void jump(int number, siginfo_t *info, void *context)
{
	(void)context;
	caught = number;
	code = info->si_code;
	siglongjmp(out, 1);
}

static void tell(const char *what)
{
	printf("%s: signal %d code %d\n", what, caught, code);
	caught = code = 0;
}

static ucontext_t main_context, other_context;

static void other(void)
{
	printf("in the other context\n");
}

static void linked_context(void)
{
	static char stack[65536];
	getcontext(&other_context);
	other_context.uc_stack.ss_sp = stack;
	other_context.uc_stack.ss_size = sizeof(stack);
	other_context.uc_link = &main_context;
	makecontext(&other_context, other, 0);
	swapcontext(&main_context, &other_context);
	printf("and back\n");
}

int main(void)
{
	struct sigaction a = {.sa_sigaction = jump, .sa_flags = SA_SIGINFO};
	long zero = 0, r = 1;
	sigemptyset(&a.sa_mask);
	sigaction(SIGFPE, &a, NULL);
	sigaction(SIGEMT, &a, NULL);
	sigaction(SIGBUS, &a, NULL);
	if (sigsetjmp(out, 1) == 0)
		__asm__ volatile("sdivx %1, %1, %0" : "=r"(r) : "r"(zero));
	tell("division by zero");
	if (sigsetjmp(out, 1) == 0) {
		unsigned long fsr = 0x02ul << 23; /* TEM: division by zero */
		double one = 1, none = 0, q;
		__asm__ volatile("ldx %1, %%fsr; fdivd %2, %3, %0" : "=e"(q) : "m"(fsr), "e"(one), "e"(none));
	}
	tell("1.0 / 0.0 enabled");
	if (sigsetjmp(out, 1) == 0)
		__asm__ volatile("taddcctv %1, %1, %0" : "=r"(r) : "r"(1l) : "cc");
	tell("tagged addition");
	static long pair[3];
	if (sigsetjmp(out, 1) == 0)
		__asm__ volatile("ldx [%1 + 4], %0" : "=r"(r) : "r"(pair) : "memory");
	tell("misaligned load");
	linked_context();
	return 0;
}
