/*
 * A TCG plugin for qemu-user 7.2: writes the pc of each executed instruction,
 * one hexadecimal number a line, from the first time control reaches `start`.
 *
 *     qemu-sparc64 -plugin ./insn_stream_plugin.so,start=0x1005c0,out=FILE prog
 *
 * Debian ships the plugin interface without its header, so what is used of it
 * is declared here (docs/devel/tcg-plugins.rst of QEMU, interface version 1).
 *
 * A SAVE or RESTORE that finds no window traps and is executed again: an
 * instruction that follows itself directly is written once. (No other can:
 * at least its delay slot is between two visits of a branch.)
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info;
typedef void tb_callback(plugin_id id, struct qemu_plugin_tb *tb);
typedef void insn_callback(unsigned vcpu, void *user);
typedef void exit_callback(plugin_id id, void *user);

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, tb_callback *cb);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, insn_callback *cb, int flags, void *user);
void qemu_plugin_register_atexit_cb(plugin_id id, exit_callback *cb, void *user);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(plugin_id id, const struct qemu_info *info, int argc, char **argv);

/* One plugin a process: its state has nowhere else to live. */
static FILE *out;
static uint64_t start, last = 1;
static bool started;

static void executed(unsigned vcpu, void *user)
{
	uint64_t pc = (uintptr_t)user;
	(void)vcpu;
	started |= pc == start;
	if (started && pc != last)
		fprintf(out, "%" PRIx64 "\n", pc);
	last = pc;
}

static void translated(plugin_id id, struct qemu_plugin_tb *tb)
{
	(void)id;
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		uintptr_t pc = (uintptr_t)qemu_plugin_insn_vaddr(insn);
		qemu_plugin_register_vcpu_insn_exec_cb(insn, executed, 0, (void *)pc);
	}
}

static void ended(plugin_id id, void *user)
{
	(void)id, (void)user;
	fclose(out);
}

int qemu_plugin_install(plugin_id id, const struct qemu_info *info, int argc, char **argv)
{
	(void)info;
	for (int i = 0; i < argc; i++) {
		if (strncmp(argv[i], "start=", 6) == 0)
			start = strtoull(argv[i] + 6, NULL, 0);
		if (strncmp(argv[i], "out=", 4) == 0)
			out = fopen(argv[i] + 4, "w");
	}
	if (!out || !start) {
		fprintf(stderr, "insn_stream_plugin: arguments: start=ADDRESS,out=FILE\n");
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, ended, NULL);
	return 0;
}
