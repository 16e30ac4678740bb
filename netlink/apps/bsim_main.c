/* bsim: runs a program skeleton on the virtual ranks of a machine. */
#include "run/program_run.h"

static const char examples[] = "bsimcc -O2 skeleton.c -o skeleton.so\n"
			       "bsim -n 1024 -c primequest-580.ini skeleton.so 160000\n"
			       "bsim -c petascale.ini --engine flow --model dgemm=dgemm.model hpl.so 1310720\n"
			       "bsim -n 64 --engine none --set block=120 --each-rank skeleton.so\n"
			       "bsim -n 64 -p linear.latency=1us -p linear.bandwidth=10GB/s --json -o run.json prog.so";

static const struct run_program bsim = {
	.name = "bsim",
	.operands = "SKELETON.so [ARGUMENTS]",
	.summary = "Predicts the time of a program from its skeleton (compiled by bsimcc or "
		   "bsimf90) on many virtual ranks.",
	.examples = examples,
	.engine = "linear",
	.skeletons = true,
};

int main(int argc, char *argv[])
{
	return run_main(&bsim, argc, argv);
}
