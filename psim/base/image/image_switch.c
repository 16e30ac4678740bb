/*
 * Registers are stored (image_capture), and a plan of system calls replaces the memory of the process (image_run). The
 * latter has no stack and no data but its arguments: it is copied to memory that no call of the plan touches.
 */
#include "image_state.h"

#if IMAGE_HERE
_Static_assert(sizeof(struct image_registers) == 72, "the offsets below");
_Static_assert(sizeof(struct image_call) == 64, "the offsets below");

/*
 * image_run(rdi calls, rsi count, rdx letter, rcx registers, r8 message, r9 its bytes). A system call changes rax, rcx
 * and r11 alone (System V ABI, AMD64, A.2.1).
 */
__asm__(".text\n"
	".globl image_capture\n	.type image_capture,@function\n"
	"image_capture:\n"
	"	movq %rbx, 0(%rdi)\n	movq %rbp, 8(%rdi)\n	movq %r12, 16(%rdi)\n"
	"	movq %r13, 24(%rdi)\n	movq %r14, 32(%rdi)\n	movq %r15, 40(%rdi)\n"
	"	leaq 8(%rsp), %rdx\n	movq %rdx, 48(%rdi)\n"
	"	movq (%rsp), %rdx\n	movq %rdx, 56(%rdi)\n"
	"	stmxcsr 64(%rdi)\n	movl $0, 68(%rdi)\n	fnstcw 68(%rdi)\n"
	"	xorl %eax, %eax\n	ret\n"
	".size image_capture,.-image_capture\n"
	".globl image_run\n	.globl image_run_end\n	.type image_run,@function\n"
	"image_run:\n"
	"	movq %rdi, %rbx\n	movq %rsi, %r12\n	movq %rdx, %r13\n"
	"	movq %rcx, %r14\n	movq %r8, %r15\n	movq %r9, %rbp\n"
	"1:	testq %r12, %r12\n	jz 2f\n"
	"	movq 0(%rbx), %rax\n	movq 8(%rbx), %rdi\n	movq 16(%rbx), %rsi\n"
	"	movq 24(%rbx), %rdx\n	movq 32(%rbx), %r10\n	movq 40(%rbx), %r8\n	movq 48(%rbx), %r9\n"
	"	syscall\n"
	"	cmpq 56(%rbx), %rax\n	jne 3f\n"
	"	addq $64, %rbx\n	decq %r12\n	jmp 1b\n"
	"2:	movq %r13, %rax\n	movq %r14, %rdi\n"
	"	ldmxcsr 64(%rdi)\n	fldcw 68(%rdi)\n"
	"	movq 0(%rdi), %rbx\n	movq 8(%rdi), %rbp\n	movq 16(%rdi), %r12\n"
	"	movq 24(%rdi), %r13\n	movq 32(%rdi), %r14\n	movq 40(%rdi), %r15\n"
	"	movq 48(%rdi), %rsp\n	jmpq *56(%rdi)\n"
	"3:	movl $1, %eax\n	movl $2, %edi\n	movq %r15, %rsi\n	movq %rbp, %rdx\n	syscall\n" /* write */
	"	movl $231, %eax\n	movl $1, %edi\n	syscall\n	ud2\n" /* exit_group */
	"image_run_end:\n"
	".size image_run,.-image_run\n");
#else
const unsigned char image_run[1], image_run_end[1];

struct image_letter *image_capture(struct image_registers *r)
{
	(void)r;
	return NULL;
}
#endif
