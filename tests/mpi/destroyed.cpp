// A program in C++ whose objects with static storage write to a rank's file when the rank exits, the last one made first;
// the file itself is such an object, as is the buffer of std::cout.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <mpi.h>
#include <string>

static const bool fast = (std::ios::sync_with_stdio(false), true); // before there are ranks
static std::ofstream file;

struct told {
	std::string what;
	~told() { file << what << "\n"; }
};

static told global{"global"};

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	file.open("destroyed." + std::to_string(rank));
	global.what += " of rank " + std::to_string(rank);
	static told local{"local of rank " + std::to_string(rank)};
	std::atexit([] { file << "atexit\n"; });
	std::cout << "rank " << rank << (fast ? " of " : "") << size << "\n";
	MPI_Finalize();
	if (rank == 1)
		std::exit(0);
	return 0;
}
