/* _GNU_SOURCE: signals and flags of every standard */
#define _GNU_SOURCE
#include "syscall.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>

enum { CARRY = 0x11 }; /* C of icc and xcc */

static const struct {
	const char *name;
	int64_t (*call)(struct guest *g, const uint64_t *a);
} table[] = {
#define Y(number, name) [number] = {#name, sys_##name},
#include "syscall.def"
#undef Y
};
enum { TABLE_SIZE = sizeof(table) / sizeof(*table) };

int sparc_errno(int host)
{
	switch (host) {
#define E(name, number) \
	case name: \
		return number;
#include "abi.def"
#undef E
	default: return host;
	}
}

int host_signal(int sparc)
{
	switch (sparc) {
#define G(name, number) \
	case number: \
		return SIG##name;
#include "abi.def"
#undef G
	default: return SIGKILL;
	}
}

const char *sparc_signal_name(int sparc)
{
	switch (sparc) {
#define G(name, number) \
	case number: \
		return #name;
#include "abi.def"
#undef G
	default: return "?";
	}
}

/* Calls that programs make, but a single recorded process does not support. */
static const char *unsupported(uint64_t number)
{
	switch (number) {
	case 2:
	case 66: return " (fork, vfork: other processes are not supported)";
	case 59: return " (execve: running another program is not supported)";
	case 97: return " (socket: the network is not supported)";
	default: return "";
	}
}

/* Warns once of a call that returns ENOSYS. */
static int64_t unknown(struct guest *g, uint64_t number, uint64_t pc, const char *why)
{
	unsigned slot = number % (sizeof(g->warned) / sizeof(*g->warned));
	if (!g->warned[slot]) {
		char place[128];
		guest_warn(g,
			   "unknown system call %" PRIu64 " at pc 0x%" PRIx64 " (%s)%s: "
			   "returns ENOSYS",
			   number, pc, guest_place(g, pc, place, sizeof(place)), why);
	}
	g->warned[slot] = true;
	return -ENOSYS;
}

int64_t guest_no_call(struct guest *g, const char *why)
{
	return unknown(g, g->cpu.r[1], g->cpu.pc - 4, why);
}

void guest_syscall(struct guest *g)
{
	struct cpu *c = &g->cpu;
	uint64_t number = c->r[1], pc = c->pc;
	c->pc = c->npc;
	c->npc += 4;
	if (number == 101) { /* rt_sigreturn: restores all registers, results included */
		guest_sigreturn(g);
		guest_deliver(g);
		return;
	}
	int64_t result = number < TABLE_SIZE && table[number].call ? table[number].call(g, &c->r[8])
								   : unknown(g, number, pc, unsupported(number));
	g->interrupted |= result == -EINTR;
	if (result < 0 && result > -4096) {
		c->r[8] = (uint64_t)sparc_errno((int)-result);
		c->ccr |= CARRY;
	} else {
		c->r[8] = (uint64_t)result;
		c->ccr &= (uint8_t)~CARRY;
	}
	guest_deliver(g);
}

void pack16(struct packer *p, uint16_t value)
{
	p->bytes[p->size++] = (uint8_t)(value >> 8);
	p->bytes[p->size++] = (uint8_t)value;
}

void pack32(struct packer *p, uint32_t value)
{
	pack16(p, (uint16_t)(value >> 16));
	pack16(p, (uint16_t)value);
}

void pack64(struct packer *p, uint64_t value)
{
	pack32(p, (uint32_t)(value >> 32));
	pack32(p, (uint32_t)value);
}

void pack_zero(struct packer *p, unsigned count)
{
	memset(p->bytes + p->size, 0, count);
	p->size += count;
}

int64_t packer_store(const struct packer *p, struct guest *g, uint64_t address)
{
	return address_space_write(&g->memory, address, p->bytes, p->size) < 0 ? -EFAULT : 0;
}
