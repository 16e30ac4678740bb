/*
 * Internal to the plugin: a function's source text and OpenMP's directives in it. Text is that behind "#pragma omp" or
 * "!$omp", with the lines that continue it, single blanks, and in Fortran small letters.
 */
#ifndef PSIM_COMPILER_NEST_SOURCE_H
#define PSIM_COMPILER_NEST_SOURCE_H

struct directive {
	std::string text; /* empty: the line has none */
	int lines = 1;
	bool fortran = false;

	/* Returns whether it begins with these words. */
	bool is(const char *words) const;
};

struct source_text {
	const char *file;
	int first, last; /* lines */

	source_text(const char *f, int from, int to) : file(f), first(from), last(to)
	{
	}

	directive directive_at(int line) const;

	/* The last line of the block behind a directive. */
	int block_end(int line, const directive &d) const;

	/* The first line from `line` on that has code; 0 if one of the preprocessor comes before. */
	int code_from(int line) const;

	/* How many blocks a line opens less what it closes, and the least of this on the way: -1 for "else". */
	struct depth {
		int change, least;
	};
	depth depth_of(int line) const;
};

/* Clauses and their arguments, behind the directive's words. */
std::vector<std::pair<std::string, std::string>> clauses_of(const std::string &text);

/* The first place of a character that is in no brackets, or npos. */
size_t find_outside(const std::string &text, char c);

/* The parts between commas that are in no brackets. */
std::vector<std::string> split_list(const std::string &text);

/* The variable of a list item: "a[0:n]" is a, "s->a" and "s%a" are s.a. */
std::string item_name(const std::string &item);

std::string last_word(const std::string &text);

#endif
