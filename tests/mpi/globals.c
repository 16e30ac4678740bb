/* Each rank has its own variables: initialised, not initialised, static, and large. */
#include "check.h"

static int counter = 5;
static int zero;
static int large[100000];
static const char *text = "text";
int visible = 3;

static int count(void)
{
	static int calls = 100;

	return ++calls;
}

int main(int argc, char **argv)
{
	struct checks c;
	int other = -1;

	checks_begin(&c, &argc, &argv);
	CHECK(&c, counter == 5 && zero == 0 && visible == 3 && large[99999] == 0 && strcmp(text, "text") == 0);
	counter += c.rank;
	zero = c.rank;
	visible *= c.rank;
	large[99999] = c.rank;
	text = c.rank % 2 ? "odd" : "even";
	for (int i = 0; i < c.rank; i++)
		count();
	srand((unsigned)c.rank);
	MPI_Barrier(MPI_COMM_WORLD);
	CHECK(&c, counter == 5 + c.rank && zero == c.rank && visible == 3 * c.rank && large[99999] == c.rank);
	CHECK(&c, strcmp(text, c.rank % 2 ? "odd" : "even") == 0);
	CHECK(&c, count() == 101 + c.rank);
	/* a message out of, and into, such variables */
	MPI_Sendrecv(&large[99999], 1, MPI_INT, (c.rank + 1) % c.size, 0, &zero, 1, MPI_INT,
		     (c.rank + c.size - 1) % c.size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	CHECK(&c, zero == (c.rank + c.size - 1) % c.size);
	/* a sequence of random numbers for each rank: those of rank 0 and 1 are the same after the same seed */
	if (c.rank < 2) {
		srand(77);
		MPI_Sendrecv(&zero, 1, MPI_INT, 1 - c.rank, 0, &other, 1, MPI_INT, 1 - c.rank, 0, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
		zero = rand();
		MPI_Sendrecv(&zero, 1, MPI_INT, 1 - c.rank, 0, &other, 1, MPI_INT, 1 - c.rank, 0, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
		CHECK(&c, other == zero);
	}
	return checks_end(&c, "globals");
}
