// Objects that are made before main, each rank's own: maps and long strings that ranks read and change, registrars, inline
// variables, variables of templates, variables of threads and of functions, constructor functions. Each rank writes the
// order in which its own are destroyed.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mpi.h>
#include <string>
#include <thread>
#include <vector>

static int rank = -1, bad;

#define CHECK(condition) (void)((condition) || (bad++, std::fprintf(stderr, "rank %d: %s\n", rank, #condition)))

// All that happens, in order; it is no object, so it is there to the end.
static char story[2000];
static size_t told;

static void tell(const std::string &what)
{
	told += static_cast<size_t>(std::snprintf(story + told, sizeof(story) - told, " %s", what.c_str()));
}

struct teller {
	std::string name;
	explicit teller(const char *n) : name(n) { tell("+" + name); }
	~teller() { tell("-" + name); }
};

// Read by all ranks; each changes its own.
static const std::map<int, std::string> constant = {
	{1, "one"}, {2, "two"}, {3, "a text that is too long for the object itself, so it is on the heap"}};
static std::map<std::string, int> counts = {{"a", 1}, {"b", 2}};
static std::string text = "another text that is too long for the object itself, so it is on the heap";
static std::vector<int> numbers(1000, 7);
static std::unique_ptr<int> owned(new int(5));

// Registrars: the list is made by the first of them.
static std::vector<std::string> &registered()
{
	static std::vector<std::string> all;
	return all;
}
struct registrar {
	explicit registrar(const char *name) { registered().push_back(name); }
};
static registrar first("first"), second("second"), third("third");

inline std::vector<int> shared_by_files = {1, 2, 3};
template <typename T> struct counted {
	static std::vector<T> all;
};
template <typename T> std::vector<T> counted<T>::all = {T(1), T(2)};

static int *made;
__attribute__((constructor)) static void make()
{
	made = static_cast<int *>(std::malloc(100 * sizeof(int)));
	for (int i = 0; i < 100; i++)
		made[i] = i;
}

static teller one("one"), two("two");
static thread_local teller of_thread("thread");

static teller &of_function()
{
	static teller t("function");
	return t;
}

__attribute__((destructor)) static void end()
{
	std::free(made);
	std::printf("rank %d:%s%s\n", rank, story, bad ? ", and checks fail" : "");
	std::fflush(stdout);
}

static void check_values(int plus)
{
	CHECK(constant.size() == 3 && constant.at(3).size() == 67);
	CHECK(counts.size() == 2 + static_cast<size_t>(plus) && counts["b"] == 2 + plus);
	CHECK(text.size() == 73 + static_cast<size_t>(plus) * 5 && text[0] == 'a');
	CHECK(numbers.size() == 1000 + static_cast<size_t>(plus) && numbers[999] == 7 + plus);
	CHECK(*owned == 5 + plus);
	CHECK(registered().size() == 3 + static_cast<size_t>(plus) && registered()[2] == "third");
	CHECK(shared_by_files.size() == 3 + static_cast<size_t>(plus));
	CHECK(counted<long>::all.size() == 2 + static_cast<size_t>(plus) && counted<double>::all.size() == 2);
	CHECK(made[0] == plus && made[99] == 99 + plus);
}

static void change_values()
{
	for (int i = 0; i < rank; i++) {
		counts["of rank " + std::to_string(i)] = i;
		counts["b"]++;
		text += "+more";
		numbers.push_back(i);
		numbers[999]++;
		++*owned;
		registered().push_back("of main");
		shared_by_files.push_back(i);
		counted<long>::all.push_back(i);
		for (int k = 0; k < 100; k++)
			made[k]++;
	}
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	check_values(0);
	MPI_Barrier(MPI_COMM_WORLD);
	change_values();
	MPI_Barrier(MPI_COMM_WORLD);
	check_values(rank);
	CHECK(of_thread.name == "thread");
	std::atexit([] { tell("atexit"); });
	CHECK(of_function().name == "function");
	std::thread other([] { CHECK(of_thread.name == "thread"); });
	other.join();
	CHECK(two.name == "two");
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	tell("end");
	if (rank % 2)
		std::exit(0);
	return 0;
}
