/* Handlers for signals that the program causes or sends, and the way back from them. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static sigjmp_buf out;
static volatile int caught, code;
static char *volatile fault;

static void jump(int number, siginfo_t *info, void *context)
{
	(void)context;
	caught = number;
	code = info->si_code;
	fault = info->si_addr;
	siglongjmp(out, 1);
}

static void count(int number)
{
	double x = number; /* uses FP and windows of its own */
	char text[32];
	snprintf(text, sizeof(text), "%.2f", x / 3);
	caught += text[0] ? 1 : 0;
}

static char *page;
static void open_page(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	caught++;
	if ((char *)info->si_addr == page + 8)
		mprotect(page, 8192, PROT_READ | PROT_WRITE);
}

static void install(int number, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction a = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
	sigemptyset(&a.sa_mask);
	sigaction(number, &a, NULL);
}

int main(void)
{
	char *volatile nowhere = (char *)8;
	install(SIGSEGV, jump);
	install(SIGILL, jump);
	if (sigsetjmp(out, 1) == 0)
		*(volatile int *)nowhere = 1;
	printf("signal %d code %d address %p\n", caught, code, (void *)fault);
	if (sigsetjmp(out, 1) == 0)
		__asm__ volatile("illtrap 5");
	printf("signal %d code %d\n", caught, code);
	caught = 0;
	signal(SIGUSR1, count);
	double keep = 1.25;
	for (int i = 0; i < 5; i++) {
		raise(SIGUSR1);
		keep *= 2;
	}
	printf("handler ran %d times, %g\n", caught, keep);
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR1);
	printf("blocked: %d\n", caught);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	printf("unblocked: %d\n", caught);
	page = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	install(SIGSEGV, open_page);
	caught = 0;
	*(volatile char *)(page + 8) = 'x';
	printf("page opened in the handler: %c, ", page[8]);
	printf("%d\n", caught);
	fflush(stdout);
	abort();
}
