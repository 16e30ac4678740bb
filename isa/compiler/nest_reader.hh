/* Internal to the plugin: the state while a nest is read (nest_read.cc, nest_affine.cc, nest_results.cc). */
#ifndef PSIM_COMPILER_NEST_READER_H
#define PSIM_COMPILER_NEST_READER_H

#include "nest.hh"
#include "psim_nest.h"

enum { LOOPS_MAX = 8 };
extern const char *const loaded_bounds_refusal;
enum { NEST_ROW_UNITS = UNIT_GATHER | UNIT_SELECT | UNIT_INTEGER }; /* of loops over rows (nest_rows.cc) */

struct reader {
	nest &n;
	int current = 0; /* the loop whose body is read */
	std::map<class loop *, int> index;
	std::vector<gimple *> stores;
	std::set<tree> locals;     /* variables whose lives end in the nest */
	bool interchanges = false; /* loop 0 does not stay the loop over lanes */

	reader(nest &to) : n(to)
	{
	}

	/* Notes why the nest is refused, if nothing has been noted. Returns false. */
	bool fail(location_t at, const char *format, ...) __attribute__((format(printf, 3, 4)));
	/* The same for what nest_uniform may understand. */
	bool uneven(location_t at, const char *why);
	bool inside(tree name) const;

	/* A try: what fails while it lives is no reason to refuse the nest. */
	struct attempt {
		reader &r;
		std::string refused;
		location_t at;
		bool not_affine, one_place;
		explicit attempt(reader &of);
		~attempt();
	};

	int add(const node &v);
	int leaf(node_kind kind, tree value);
	int operation(tree_code code, tree type, int a, int b);
	std::vector<int> value(tree t);
	tree outside_tree(int id);
	/* Notes that the nest needs a unit. Fails if the array is not said to have it. */
	bool need(array_unit_number unit, location_t at);
	bool real_operation(gimple *s, tree_code code);
	bool real_call(gimple *s);
	bool conversion(gimple *s);
	bool complex_operation(gimple *s, tree_code code);
	bool complex_product(gimple *s, tree lhs, const std::vector<int> &a, const std::vector<int> &b);
	bool number_assign(gimple *s);

	/* nest_integers.cc: integers that are data. Nodes go to the body of loop `l`, or of the present one. */
	struct choice_made {
		edge yes;
		tree_code code;
		int x, y;
	};
	std::map<gphi *, choice_made> choices; /* values behind conditions */
	std::map<tree, int> integers;          /* nodes of names that are neither loaded nor handed on */
	/* nest_rows.cc: a loop over a row of data */
	int row_loop = -1, row_first = -1, row_k = -1, row_stop = -1, row_place = -1; /* nodes */
	gphi *row_phi = NULL;
	tree row_end = NULL_TREE;
	gphi *row_counter(class loop *l, edge exit, tree *end);
	bool begin_rows(int id, edge exit);
	bool find_row_end();
	int row_index();
	bool end_rows(int id);
	/* nest_gather.cc: subscripts that are data */
	bool gathering = false; /* affine_of also takes them */
	tree widened_data(tree t) const;
	bool affine_sum(tree t, affine &to, location_t where);
	bool subscript_range(reference &r, location_t where);
	int subscript_node(const reference &r, location_t where);
	bool gathered_address(tree t, reference &r, location_t where);
	bool gathers_fit();
	/* Makes the node of a reference's subscript if it is data. */
	bool subscript(int ref, int &node);
	int integer_node(const node &v, integer_form form, class loop *l);
	int integer_constant(HOST_WIDE_INT value);
	int integer_operation(tree_code code, int a, int b, integer_form form, class loop *l);
	int extended(int id, tree type, class loop *l);
	int integer_choice(tree_code code, int x, int y, int a, int b, class loop *l);
	bool from_data(tree t, int depth);
	int integer_number(tree t, class loop *l);
	bool integer_comparison(tree_code code, tree a, tree b, class loop *l, int *x, int *y);
	bool compared(tree_code code, tree a, tree b, class loop *l, int *x, int *y);
	int integer_least(tree_code code, tree type, tree p, tree q, class loop *l);
	int integer_binary(gassign *s, tree type, class loop *l);
	int integer_converted(tree from, tree type, class loop *l);
	int integer_assign(gassign *s, tree type, class loop *l);
	int integer_behind(gphi *phi, class loop *l);
	int data_of(tree t); /* -1 if it is not understood */
	int integer_used(tree t, location_t where);
	bool integer_load(gimple *s);
	bool integer_store(gimple *s);
	bool integer_to_real(gimple *s);
	bool integer_carried(int id, gphi *phi);
	bool integer_carried_end(int id, gphi *phi);

	/* `part`: 0, or 1 for the imaginary part of a complex number */
	int reference_of(tree t, int part, bool write, location_t where);
	bool reference_address(tree t, reference &r, location_t where);
	bool load(gimple *s);
	bool store(gimple *s);
	bool statement(gimple *s);
	bool refuse_call(gimple *s);
	bool quiet(basic_block b);
	bool carried_values(int id);
	bool carried_ends(int id);
	/* nest_select.cc: a condition on real numbers, whose arms store nothing; *b becomes the block behind it. */
	bool choice(basic_block *b);
	bool choice_arm(basic_block b);
	bool choice_result(gphi *phi, edge yes, gcond *c, const std::vector<int> &x, const std::vector<int> &y);
	/*
	 * nest_break.cc: an inner loop that also ends when a comparison of real numbers fails. It runs as often as the
	 * other exit lets it; from then on, what it hands on stays.
	 */
	struct break_condition {
		edge counted, leaves; /* its exits */
		gcond *condition = NULL;
		std::vector<int> x, y;
		bool stays_if_true = false;
		std::map<tree, int> counts; /* of an integer that steps: the real node that counts it */
	};
	std::map<int, break_condition> breaks; /* by loop */
	edge exit_of(class loop *l);
	bool find_break(int id, class loop *l);
	bool read_break(int id, basic_block b);
	bool begin_counts(int id);
	bool end_break(int id);
	bool break_results(int id);
	int counted_by(tree name);
	bool body(int id, edge exit);
	int loop_of(class loop *l, int parent);

	/* nest_affine.cc: integers and addresses. False, with fail called, if they are not affine. */
	void collect_stores();
	bool affine_of(tree t, affine &to, location_t where);
	bool address_of(tree t, affine &to, location_t where);
	bool count_of(int id, edge exit);
	bool condition_of(int id, edge exit, struct exit_condition &to);
	bool not_affine(tree t, location_t where, const char *why);
	bool loaded_subscript(tree t, location_t where);
	bool affine_phi(gphi *phi, affine &to, location_t where);
	bool affine_operation(tree_code code, tree type, tree a, tree b, affine &to, location_t where);
	bool affine_quotient(tree a, tree by, affine &to, location_t where);
	bool affine_conversion(tree type, tree from, affine &to, location_t where);
	tree invariant(tree t, int depth = 0);
	tree invariant_operation(gassign *s, int depth);
	bool step_of(gphi *phi, tree &step);

	/* nest_loads.cc: a load of an integer or pointer that no store changes, in front of the nest; or NULL_TREE. */
	struct moved_load {
		tree from; /* what the program loads */
		class loop *in;
		tree load;
	};
	std::vector<moved_load> loads;
	tree nothing = NULL_TREE; /* a place that can be read always */
	tree invariant_load(gimple *s);
	tree guarded_load(gimple *s, tree t);
	tree at_entry(tree t, class loop *l);
	tree is_entered(class loop *l);

	/* nest_results.cc */
	bool chain(int id, int target, std::vector<bool> &in, tree_code code);
	bool used(int id);
	bool sums();
	bool result(tree name);
	bool results();
	bool families();
};

/* Returns whether a type is an integer of 4 or 8 bytes. */
bool is_integer(tree type);

/*
 * Returns whether an integer that depends on the lane is exact as the sum of real numbers: one of 32 bits, or what is
 * known to be small for less than 2^32 lanes.
 */
bool number_is_exact(tree type, const affine &a);

/* Return whether a type is a float, a double or a complex number of these; whether it is the latter. */
bool is_number(tree type);

/* Returns whether a name is used in the nest, or outside of it. */
bool used_in_nest(const nest &n, tree name, bool inside);

/* Why a type that is_number denies is refused. */
const char *number_refusal(tree type);
bool is_complex(tree type);

/* Bytes of a number, or of its parts. */
int size_of_part(tree type);

/* Makes an affine number 0. */
void affine_clear(affine &a);

bool same_affine(const affine &a, const affine &b);
bool same_tree(tree a, tree b);

/* Returns whether a statement is a mark of the plugin. */
bool simd_mark_is(gimple *s);

/* The function of a call that the array may do, in real numbers; IFN_LAST if there is none. */
internal_fn array_function(gimple *s);

#endif
