#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- files: Landlock ---- */

enum {
	FS_READ = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
	/* an output has a temporary name until it is complete */
	FS_WRITE = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE,
	FS_FIRST = (1 << 13) - 1, /* all rights of the first version */
	FS_TRUNCATE = 1 << 14,    /* of the third; earlier ones cannot refuse truncate() */
	LANDLOCK_LEAST = 3,
};

/* Gives rights below `path`; a file has no rights of folders. */
static int allow_below(int rules, const char *path, uint64_t rights)
{
	struct landlock_path_beneath_attr row = {.allowed_access = rights, .parent_fd = -1};
	int result;

	row.parent_fd = open(path, O_PATH | O_CLOEXEC);
	if (row.parent_fd < 0)
		return -1;
	result = (int)syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &row, 0);
	close(row.parent_fd);
	return result;
}

/* Gives the rights of writing below the folder of `output`. */
static int allow_output(int rules, const char *output)
{
	char folder[PATH_MAX];
	const char *slash;

	if (!output || !strcmp(output, "-"))
		return 0;
	slash = strrchr(output, '/');
	if (strlen(output) >= sizeof(folder)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - output) + 1 : 1, slash ? output : ".");
	return allow_below(rules, folder, FS_READ | FS_WRITE);
}

static int limit_files(const char *program, const char *const *outputs, unsigned count, struct err *e)
{
	struct landlock_ruleset_attr all = {.handled_access_fs = FS_FIRST | FS_TRUNCATE};
	long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	int rules, result;

	if (version < LANDLOCK_LEAST)
		return err_set(e, STATUS_FAILED,
			       "--sandbox: the kernel has no Landlock of version %d (Linux 6.2), expected one: record "
			       "in a container or a virtual machine instead",
			       LANDLOCK_LEAST);
	rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof(all.handled_access_fs), 0);
	if (rules < 0)
		return err_set(e, STATUS_FAILED, "--sandbox: Landlock: %s", strerror(errno));
	/* the loader reports a program that is not there */
	result = !access(program, F_OK) && allow_below(rules, program, LANDLOCK_ACCESS_FS_READ_FILE);
	result = result || allow_below(rules, ".", FS_READ);
	for (unsigned n = 0; n < count && !result; n++)
		result = allow_output(rules, outputs[n]);
	if (!result)
		result = (int)syscall(SYS_landlock_restrict_self, rules, 0);
	if (result)
		err_set(e, STATUS_FAILED, "--sandbox: %s: Landlock: %s", program, strerror(errno));
	close(rules);
	return result ? -1 : 0;
}

/* ---- system calls: seccomp ---- */

#if defined(__x86_64__)
#define NATIVE_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCH AUDIT_ARCH_AARCH64
#endif

#ifdef NATIVE_ARCH
/* The calls that the recorder needs while it runs; all others fail with EPERM. */
static const int allowed[] = {
	SYS_read,
	SYS_write,
	SYS_readv,
	SYS_writev,
	SYS_pread64,
	SYS_pwrite64,
	SYS_preadv,
	SYS_pwritev,
	SYS_lseek,
	SYS_openat,
	SYS_close,
	SYS_fstat,
	SYS_newfstatat,
	SYS_statx,
	SYS_fstatfs,
	SYS_faccessat,
	SYS_faccessat2,
	SYS_readlinkat,
	SYS_getdents64,
	SYS_getcwd,
	SYS_ppoll,
	SYS_dup,
	SYS_pipe2,
	SYS_linkat,
	SYS_unlinkat,
	SYS_renameat,
	SYS_renameat2,
	SYS_fsync,
	SYS_fdatasync,
	SYS_ftruncate,
	SYS_fadvise64,
	SYS_umask,
	SYS_munmap,
	SYS_mremap,
	SYS_brk,
	SYS_madvise,
	SYS_futex,
	SYS_rt_sigaction,
	SYS_rt_sigprocmask,
	SYS_rt_sigreturn,
	SYS_restart_syscall,
	SYS_clock_gettime,
	SYS_clock_getres,
	SYS_clock_nanosleep,
	SYS_nanosleep,
	SYS_gettimeofday,
	SYS_getrandom,
	SYS_getpid,
	SYS_gettid,
	SYS_getuid,
	SYS_geteuid,
	SYS_getgid,
	SYS_getegid,
	SYS_sched_yield,
	SYS_sched_getaffinity,
	SYS_sysinfo,
	SYS_exit,
	SYS_exit_group,
#ifdef __x86_64__
	SYS_open,
	SYS_stat,
	SYS_lstat,
	SYS_access,
	SYS_readlink,
	SYS_poll,
	SYS_link,
	SYS_unlink,
	SYS_rename,
	SYS_time,
#endif
};

/* Calls that are allowed with one of these values of an argument, or without these bits of it. */
static const struct {
	int call, argument;
	uint32_t without; /* bits; 0: `value` counts */
	uint32_t value;
} limited[] = {
	{SYS_mmap, 2, PROT_EXEC, 0},        {SYS_mprotect, 2, PROT_EXEC, 0},
	{SYS_ioctl, 1, 0, TCGETS},          {SYS_ioctl, 1, 0, FIONREAD},
	{SYS_ioctl, 1, 0, TIOCGWINSZ},      {SYS_fcntl, 1, 0, F_DUPFD},
	{SYS_fcntl, 1, 0, F_DUPFD_CLOEXEC}, {SYS_fcntl, 1, 0, F_GETFD},
	{SYS_fcntl, 1, 0, F_SETFD},         {SYS_fcntl, 1, 0, F_GETFL},
	{SYS_fcntl, 1, 0, F_SETFL},         {SYS_prlimit64, 2, 0, 0}, /* no new limit */
};

enum {
	ALLOWED = sizeof(allowed) / sizeof(*allowed),
	LIMITED = sizeof(limited) / sizeof(*limited),
	FILTER = 8 + 2 * ALLOWED + 6 * LIMITED + 6,
};

struct filter {
	struct sock_filter at[FILTER];
	unsigned short count;
};

static void add_step(struct filter *f, uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
	f->at[f->count++] = (struct sock_filter)BPF_JUMP(code, k, yes, no);
}

static void add_return(struct filter *f, uint32_t action)
{
	add_step(f, BPF_RET | BPF_K, action, 0, 0);
}

static void add_load_of(struct filter *f, size_t offset)
{
	add_step(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/* Allows `call` with this lower half of `argument`; otherwise the next rows count. */
static void add_limited(struct filter *f, int call, int argument, uint32_t without, uint32_t value)
{
	add_step(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 4);
	add_load_of(f, offsetof(struct seccomp_data, args) + 8 * (size_t)argument);
	if (without)
		add_step(f, BPF_JMP | BPF_JSET | BPF_K, without, 1, 0);
	else
		add_step(f, BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
	add_return(f, SECCOMP_RET_ALLOW);
	add_load_of(f, offsetof(struct seccomp_data, nr));
}

static int limit_calls(struct err *e)
{
	struct filter f = {.count = 0};
	struct sock_fprog program = {.filter = f.at};

	add_load_of(&f, offsetof(struct seccomp_data, arch));
	add_step(&f, BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCH, 1, 0);
	add_return(&f, SECCOMP_RET_KILL_PROCESS);
	add_load_of(&f, offsetof(struct seccomp_data, nr));
	for (unsigned n = 0; n < ALLOWED; n++) {
		add_step(&f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)allowed[n], 0, 1);
		add_return(&f, SECCOMP_RET_ALLOW);
	}
	for (unsigned n = 0; n < LIMITED; n++)
		add_limited(&f, limited[n].call, limited[n].argument, limited[n].without, limited[n].value);
	add_limited(&f, SYS_tgkill, 0, 0, (uint32_t)getpid());
	add_return(&f, SECCOMP_RET_ERRNO | EPERM);
	program.len = f.count;
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program))
		return err_set(e, STATUS_FAILED, "--sandbox: seccomp: %s", strerror(errno));
	return 0;
}
#endif

int sandbox_enter(const char *program, const char *const *outputs, unsigned count, struct err *e)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return err_set(e, STATUS_FAILED, "--sandbox: %s", strerror(errno));
#ifdef NATIVE_ARCH
	return limit_files(program, outputs, count, e) < 0 ? -1 : limit_calls(e);
#else
	(void)limit_files;
	(void)program, (void)outputs, (void)count;
	return err_set(e, STATUS_FAILED, "--sandbox: expected a processor of x86-64 or AArch64, whose calls are known");
#endif
}
