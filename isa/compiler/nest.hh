/*
 * A loop nest as the plugin sees it: read from GIMPLE (nest_read.cc), planned (nest_plan.cc), written out as a kernel
 * (nest_kernel.cc) and as a call of the routine that runs it (nest_call.cc).
 *
 *     for i                            loop 0: each iteration is a lane      body: loop 1, node 5
 *         sum = 0
 *         for j                        loop 1, in each lane                  body: nodes 0, 1, 3, 4; carried: node 2
 *             sum += a[i][j] * x[j]
 *         y[i] = sum
 *
 *     nodes: 0 LOAD a   1 LOAD x   2 CARRIED sum   3 OP 0 * 1   4 OP 2 + 3   5 STORE y, of 2
 *     reference a + 8 n i + 8 j   family 0, coef = (8 n, 8)   has a stride of loop 0: dealt to the PEs
 *     reference x + 8 j           family 1, coef = (0, 8)     has none: broadcast
 *     reference y + 8 i           family 2, coef = (8, 0)     dealt, stored
 *
 * lane        an iteration of loop 0. Lanes are independent and are distributed over the PEs in blocks.
 * affine      a number that is rest + the sum of coef[l] * index of loop l, in 64 bits with wrap. Rest and coefficients
 *             are trees of the function that has the nest, invariant in it.
 * node        a real value of the body, or an integer that is data: a complex number is two.
 * reference   an access to memory at an affine address.
 * family      references of one pointer with the same coefficients (uniformly generated references: Wolf and Lam 1991).
 *             They move between memory and the PEs' buffer memories as one.
 * variant     a kernel for so many lanes and iterations of loop `jam_loop` at a time (unroll and jam). The best one
 *             that fits into the registers comes first.
 * table, data what the program gives to the routine when it calls it: psim_nest.h.
 *
 * A loop that is no such nest becomes one by a transformation of the literature, or by an inspector:
 *
 * stream      a loop around loop 0 stays outside: the kernel runs once for each of its iterations
 * interchange the loop over lanes moves out of the loops around it                                  nest_interchange.cc
 * distribute  a loop becomes several nests, one after the other (loop distribution)                 nest_distribute.cc
 * private     an array that each lane fills and reads is copied for each lane (privatization)       nest_private.cc
 * ragged      an inner loop counts more in later lanes                                              nest_ragged.cc
 * uniform     inner loops are of any kind, but the same in all lanes; a survey, which is an inspector,
 *             computes at run time what they access                                                 nest_uniform.cc
 *
 * Two facts reach beyond a nest. An array is resident if it stays in the buffer memories between nests, in a region of
 * OpenMP's `target data` (nest_maps.cc, nest_resident.cc). A function with nests has a copy, its version, in which the
 * calls are; it leaves the copy if the routine refuses the nest first (nest_version.cc, nest_leave.cc).
 */
#ifndef PSIM_COMPILER_NEST_H
#define PSIM_COMPILER_NEST_H

#define INCLUDE_STRING
#define INCLUDE_VECTOR
#define INCLUDE_MAP
#define INCLUDE_ALGORITHM
#define INCLUDE_SET
#include "gcc-plugin.h"

#include "tree.h"
#include "gimple.h"
#include "tree-pass.h"
#include "cfgloop.h"
#include "ssa.h"
#include "gimple-iterator.h"
#include "fold-const.h"
#include "internal-fn.h"

struct affine {
	tree rest = NULL_TREE;
	std::vector<tree> coef; /* by loop; NULL_TREE is 0 */
	tree root = NULL_TREE;  /* the pointer or object that the address comes from */
	/* of a subscript that is data: its name, and its coefficient (nest_gather.cc) */
	tree data = NULL_TREE, data_by = NULL_TREE;
};

/* Bits of array_unit.def, as rdsimd has them. */
enum array_unit_number {
#define U(name, text, what) UNIT_NUMBER_##name,
#include "array_unit.def"
#undef U
	UNIT_COUNT
};
enum array_unit {
#define U(name, text, what) UNIT_##name = 1 << UNIT_NUMBER_##name,
#include "array_unit.def"
#undef U
};
extern const char *const array_unit_text[UNIT_COUNT], *const array_unit_what[UNIT_COUNT];

/* The upper half of a register that has an integer of 32 bits. */
enum integer_form {
	FORM_64,       /* anything, or it is an integer of 64 bits */
	FORM_SIGNED,   /* its sign */
	FORM_UNSIGNED, /* zeros */
	FORM_SMALL     /* zeros, and it is less than 2^31 */
};

enum node_kind {
	NODE_CONST,   /* value */
	NODE_OUTSIDE, /* value: a tree of the function, of type double */
	NODE_NUMBER,  /* number: an integer, converted */
	NODE_LOAD,    /* ref; a: a subscript that is data */
	NODE_STORE,   /* ref, a; b: a subscript that is data */
	NODE_OP,      /* code or function, a, b */
	NODE_FIRST,  /* of loops over rows: the PE's first element; is_unsigned: the place of some element of its own */
	NODE_CARRIED /* by loop `loop`: a before, b after an iteration */
};

struct node {
	node_kind kind;
	node(node_kind k) : kind(k)
	{
	}
	tree_code code = ERROR_MARK;
	internal_fn function = IFN_LAST; /* of a; IFN_LAST: `code` */
	int a = -1, b = -1, ref = -1, loop = -1, slot = -1;
	int x = -1, y = -1; /* of a choice: a if x `code` y, else b */
	tree value = NULL_TREE;
	tree type = NULL_TREE; /* of the value: float, double, or long for an integer of 32 or 64 bits */
	affine number;
	integer_form form = FORM_64;    /* of an integer */
	bool is_unsigned = false;       /* a load of one, a shift to the right */
	bool subscript = false;         /* a load of 4 bytes that is nothing but a subscript */
	bool lane = false, jam = false; /* differs between lanes, between iterations of the jammed loop */
};

struct step {           /* of a loop's body */
	int node, loop; /* one of them is -1 */
};

struct nest_loop {
	class loop *l;
	int parent = -1;
	affine count;
	bool at_end = false; /* the exit is tested after the body */
	bool ragged = false; /* later lanes count more */
	std::vector<step> body;
	std::vector<int> carried; /* nodes */
	tree iv_name = NULL_TREE; /* for a final value outside */
	affine iv_first;
	tree iv_step = NULL_TREE;
};

struct reference {
	affine at;
	int size;                   /* bytes */
	int family = -1, base = -1; /* the base is that of the same address */
	bool read = false, write = false;
	bool private_copy = false,
	     last = false;    /* each lane has its own copy; the last one's is left (nest_private.cc) */
	bool ragged = false;  /* an element of a ragged loop, which later lanes have more of */
	bool upwards = false; /* in a ragged loop: the lanes' stride has to be positive */
	bool twin = false;    /* it stores what a store in front of it has stored, as a[j][i] = a[i][j] = x does */
	bool flows = false;   /* an earlier part of the loop has stored it, in the same iteration */
	int loop;             /* the innermost loop that it is in */
	location_t where;
	/* with at.data: the reference that loads the subscript, or -1 and its least and largest value */
	int subscript = -1;
	bool of_row = false; /* or it counts a row's elements */
	HOST_WIDE_INT low = 0, high = 0;
};

struct family {
	tree root;
	int size; /* bytes of an element */
	std::vector<tree> coef;
	bool lane;
	bool gathered = false; /* each PE has a copy of the array, for subscripts that are data */
};

struct sum {
	int node;       /* carried by loop 0 */
	tree_code code; /* PLUS_EXPR; of integers also BIT_XOR_EXPR, BIT_IOR_EXPR */
};

/* A kernel that computes so many lanes and iterations of an inner loop at a time. */
struct variant {
	int lanes, jam_loop, jam;
	tree kernel, usable;
	bool pairs = false; /* of lanes, each in one register: singles */
};

/* A kernel that kernel_check.cc has to check. */
struct registered_kernel {
	tree function, usable;
	location_t where;
	bool last; /* of the nest's variants */
};

/* A call of the routine: whether arrays are resident behind it; whether it leaves them so (the end of a region). */
struct routine_call {
	bool resident, passes;
};

/* Where a function has a nest's call: what follows a refused run, and what a run on the array (nest_leave.cc). */
struct nest_place {
	basic_block scalar, ran;
	edge refused;          /* from the call to `scalar` */
	std::vector<edge> few; /* to it from the tests in front of the call */
	tree result;           /* of the call */
	bool once;             /* the nest is in no loop */
	bool leaves; /* the function may be left after a refused run; else another call follows, or arrays stay */
};

struct region_table; /* regions of target data that have been read (nest_maps.cc) */

/* The plugin's state while a file is compiled. */
struct compilation {
	/* options; slow_ones: also loops that are not expected to be faster; regroup: complex multiply-adds */
	bool report = false, explain = false, every_loop = false, slow_ones = false, regroup = false;
	unsigned units = 0;              /* enum array_unit */
	std::set<class loop *> on_array; /* loops of the function that is compiled */
	std::vector<nest_place> places;  /* of its calls */
	std::set<tree> made;             /* functions of the plugin */
	std::set<location_t> unseen;     /* places of marks that are in no function which has been compiled */
	std::vector<registered_kernel> kernels;
	int numbers = 0;         /* of kernels, so far */
	bool has_macros = false; /* of the assembler (nest_array_code.cc) */
	region_table *regions;
	std::map<gimple *, routine_call> calls; /* of the function that is compiled (nest_resident.cc) */
	std::set<tree> own_arrays;              /* tables and data of these calls */

	compilation();
};

struct nest {
	compilation *in;
	function *fun;
	class loop *outer;
	location_t where;
	std::string refused;
	location_t refused_at = UNKNOWN_LOCATION;
	bool not_affine = false; /* why it is refused: nest_uniform may take it */
	unsigned needs = 0;      /* enum array_unit: what its kernels use */
	bool one_place = false;  /* why it is refused: all iterations store to one place */
	std::vector<nest_loop> loops;
	std::vector<node> nodes;
	std::vector<reference> refs;
	std::vector<family> families;
	std::vector<sum> sums;
	std::vector<int> bases;                     /* a reference of each base */
	std::vector<tree> outside;                  /* values by slot: longs and doubles */
	std::map<tree, std::vector<int>> values;    /* an SSA name's real nodes */
	std::vector<std::pair<tree, tree>> results; /* names used after the nest, and their final values if not sums */
	int lanes_at_once = 1, jam_loop = 0, jam = 1; /* of the variant that is written */
	bool pairs = false;                           /* of it */
	std::vector<variant> variants;
	int stream = 0;         /* a loop around loop 0, or 0 */
	bool regrouped = false; /* nest_reassociate has been called */
	bool beside = false;    /* the lanes are of the loop around the directive's */
	int ragged = -1;        /* a loop that counts more in later lanes, or -1: all such loops count the same */
	int interchanged = 0;   /* loops that were around loop 0 and are in it */
	bool automatic = false; /* without a directive: where the array is faster */
	long safelen = 0;       /* NEST_SAFELEN */
	bool in_caches = false; /* its data may be there at the first run */
	tree least_work = NULL_TREE, warm = NULL_TREE;   /* then, variables of the program: NEST_AUTO, NEST_WARM */
	int region_line = 0;                             /* the line of the block of target data that it is in, or 0 */
	int row_loop = -1, row_begin = -1, row_end = -1; /* a loop over rows (nest_rows.cc), the bounds' references */
	tree survey = NULL_TREE; /* a function that finds what is accessed, if inner loops are not affine */
};

/* x + (p - q) becomes (x + p) - q, two multiply-adds where p and q are products: -fpsim-regroup, -fassociative-math. */
void nest_reassociate(nest &n);

/* Reads the nest of loop `l`. Returns false with n.refused set if it cannot run on the array. */
bool nest_read(nest &n, class loop *l);

/* Returns whether ragged loops change nothing beyond the counts of the lanes (nest_ragged.cc). */
bool nest_ragged_fits(nest &n);

/* The same with arrays that each lane has for itself. */
bool nest_read_private(nest &n, class loop *l);

/*
 * Reads the nest of loop `l` and the loop around it, which hands on nothing. False if that cannot be; the nest of `l`
 * alone may still run on the array.
 */
bool nest_read_stream(nest &n, class loop *l);

/*
 * Reads the nest of loop `l` and as many loops around it as may become inner loops. False if there is none
 * (nest_interchange.cc).
 */
bool nest_read_interchanged(nest &n, class loop *l);

/*
 * Makes loop `lanes` of a nest, which has been read with reader::interchanges, the one over lanes. False if that cannot
 * be; the nest is then of no use.
 */
bool nest_interchange(nest &n, int lanes);

/* Returns whether all PEs run the same instructions, and each element that is stored to has its lane. */
bool nest_same_in_all_lanes(const nest &n);

/*
 * Reads loop `l`, which has no directive, and makes several nests of it, which may run one after the other in place of
 * it. False if that cannot be (nest_distribute.cc).
 */
bool nest_distribute(nest &whole, class loop *l, std::vector<nest> &parts);

/* The line of a loop's condition. */
location_t place_of(class loop *l);

/*
 * Reads the nest of loop `l`, whose inner loops are not affine, and makes its kernel and its survey. Returns false with
 * n.refused set if it cannot run on the array.
 */
bool nest_uniform(nest &n, class loop *l);

/* The type of a number, or of its parts: float_type_node or double_type_node (nest_read.cc). */
tree part_type(tree type);

/* Chooses the variants, the best first; later ones need fewer registers. */
void nest_plan(nest &n);

/* Instructions of the array in an iteration of a loop's body, without loops in it, for a lane. */
struct nest_work {
	int arithmetic, loads, stores; /* a division as the cycles of its unit */
	int divider;                   /* of these, cycles of the divider, which works beside the rest */
};
nest_work work_of(const nest &n, int loop);

/*
 * Cycles of the scalar core from an iteration of a loop's body to the next one that needs its result: the longest chain
 * of operations through a value that is handed on in a register or in memory; 0 if there is none (nest_chain.cc).
 */
int chain_of(const nest &n, int loop);

/* Instructions of a loop's body on the scalar core, or as many as it could run in the time of its chain. */
int scalar_work(const nest &n, int loop);

/* Returns whether a product becomes a multiply-add with what uses it. */
bool joins_sum(const nest &n, const nest_loop &l, int id);

/* Registers that a variant needs, about. */
int registers_of(const nest &n, const variant &v);

/* Makes variant `v` the one that is written. */
void nest_take(nest &n, const variant &v);

/* Makes the variants' kernels, functions, and variables that are 0 if a kernel's code turns out to be unfit. */
void nest_kernels(nest &n);

/* Instructions of the array for which a call without a directive is worth its time. */
enum { AUTO_LEAST = 20000 };

/* Bytes that are transferred for each element of a family (nest_worth.cc). */
int moved_bytes(const nest &n, int family);

/* Instructions that the scalar core does, with data in caches, while so many bytes are transferred. */
int paid_by(int bytes);

/*
 * The innermost loop of a family whose elements differ between the iterations of all its loops, by their strides; -1 if
 * they do not.
 */
int varying_loop(const nest &n, int family);

/*
 * Returns whether a loop without a directive takes longer on the array however often it runs: it has too few
 * iterations, or its data may be in caches and its transfers take longer than the scalar core with them.
 */
bool nest_never_worth(const nest &n);

/*
 * Returns whether a nest's data may be in the caches of the scalar core before it first runs: a loop around it repeats
 * it, or a loop before it, which is scalar, uses all arrays of the nest that have most dimensions (nest_warm.cc).
 */
bool nest_in_caches(const nest &n, const std::set<class loop *> &on_array);

/*
 * Prints a message on a nest with a directive that takes longer on the array with as many iterations as its bounds
 * permit, if these are known.
 */
void nest_tell_slow(const nest &n);

/* Puts the call in front of the loop, which stays as what runs without the array. */
void nest_call(nest &n);

/* The same for a loop that has become several nests. */
void nest_call_parts(nest &whole, std::vector<nest> &parts);

/*
 * Copies the function that is compiled, so that its nests' calls are in the copy alone (nest_version.cc). NULL if it
 * has to have them itself.
 */
cgraph_node *version_make(compilation &in, function *fun);

/* The copy, which is what is compiled now, has calls; or it has none and is dropped. */
void version_finish(cgraph_node *copy);
void version_drop(compilation &in, cgraph_node *copy);

/*
 * Puts a jump to the copy in front of the function: it runs where there is an array. `leaves`: the copy may come back
 * without having done anything; then the function runs itself.
 */
void version_choose(function *fun, cgraph_node *copy, bool leaves);

/*
 * Makes the copy that is compiled, if it has one nest, come back when a run of the nest is refused before it has done
 * anything. Returns whether it may (nest_leave.cc).
 */
bool nest_leave(compilation &in, function *fun);

/* A variable of the run-time routine, of type long. */
tree routine_long(const char *name);

/* The place in the function itself of what may come from an inlined one. */
location_t outer_place(location_t at);

/* The line of the directive of the innermost region of target data that a place is in, or 0 (nest_maps.cc). */
int resident_block(compilation &in, function *fun, location_t where);

/*
 * What the regions' clauses say of a family of a nest in them: NEST_MOVES, NEST_STAYS, or the line of the region at
 * whose end it is forgotten.
 */
int resident_map(const nest &n, int family);

/* Reports what clauses name and no nest of the function has. */
void resident_unused(compilation &in, function *fun);

/* First and last line of the regions at whose ends arrays are forgotten. */
std::vector<std::pair<int, int>> resident_forgetting(compilation &in, function *fun);

/* Marks these ends (nest_forget.cc); the region's line of a mark, or 0. */
void forget_marks(compilation &in, function *fun);
int forget_mark_line(gimple *s);

/* Replaces the marks by calls, if `keeps`. */
void forget_calls(compilation &in, function *fun, bool keeps);

/* A call that leaves resident arrays as they are for the scalar core. */
void resident_passes(compilation &in, gimple *call);

/* Remembers a call of psim_nest_run, its arrays and whether they stay in the buffer memories behind it. */
void resident_call(compilation &in, gimple *call, tree data, tree table, bool resident);

/* In front of what may use memory that arrays in the buffer memories belong to, calls that write it back. */
void resident_guards(compilation &in, function *fun);

/* The name of what a pointer or object comes from; members as s.a. Empty if it has none (nest_maps.cc). */
std::string source_name(tree t);

/* Prints why a loop stays on the scalar core; with -fpsim-explain also what would run on the array. */
void nest_tell_refused(const compilation &in, location_t where, const char *reason);

/* Prints what is known of a nest, a line for each loop, array and kernel. */
void nest_explain(const nest &n);

/* The first family of the same array or pointer. */
int array_of(const nest &n, int family);

/* Returns whether the stride of a family in a loop is a constant of the kernel. */
bool stride_fixed(const nest &n, int family, int loop);

/* Index of a value that the kernel takes from outside. */
int nest_outside(nest &n, tree value);

/* Returns whether a node is an integer. */
bool is_integer(const node &v);

/* Marks loads that are subscripts alone (nest_gather.cc). */
void nest_mark_subscripts(nest &n);

/* Uses of a node by others. */
int uses_of(const nest &n, int id);

/* Returns whether kernels need the number of a lane as a real number. */
bool nest_numbered(const nest &n);

/* Words of the kernel's data before base, strides, sums and outside values. */
int data_base(const nest &n, int base);
int data_stride(const nest &n, int base, int loop);
int data_sum(const nest &n, int sum);
int data_outside(const nest &n, int slot);
int data_words(const nest &n);

/* A static variable of the program. */
tree static_long(const char *name, long initial);

/* Makes a finished function the kernel of a variant. */
void kernel_made(nest &n, variant &v, tree function, bool last);

/* Refuses kernels whose code has instructions that the array has not (kernel_check.cc). */
opt_pass *kernel_check_pass(gcc::context *c, compilation &in);

/* Marks loops with a simd directive before it is lowered (simd_marks.cc). */
opt_pass *simd_marks_pass(gcc::context *c, compilation &in);

/*
 * Says which of a function's directives of loops bring none to the array (nest_ignored.cc). The others report loops
 * that never run: in functions that GCC leaves out, and at the end elsewhere.
 */
void ignored_in(compilation &in, function *fun);
void ignored_functions();
void ignored_at_end(void *, void *in);
#define NEVER_RUNS "not on the array: it never runs, and GCC leaves it out"

/* The mark among a loop's own statements, at the directive's place, or NULL. */
gimple *simd_mark_of(class loop *l);

/* Returns NEST_SAFELEN of a mark; 0 without one. */
long simd_mark_safelen(gimple *mark);

/* Strikes the marks of a function from compilation::unseen. */
void simd_marks_seen(compilation &in, function *fun);

/* Removes all marks of a function. Returns whether it had any. */
bool simd_marks_remove(function *fun);

/* One line on a loop: "file:line: text". */
void nest_message(location_t where, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
