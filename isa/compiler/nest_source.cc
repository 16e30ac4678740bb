/* Reads OpenMP's directives and the blocks behind them in source text (nest_source.hh). */
#include "nest.hh"

#include "input.h"
#include "nest_source.hh"

static std::string line_of(const char *file, int line)
{
	char_span text = location_get_source_line(file, line);
	return text ? std::string(text.get_buffer(), text.length()) : "";
}

/* Single blanks, none at the ends. */
static std::string tidy(const std::string &line)
{
	std::string text;
	for (char c : line)
		if (!ISSPACE(c) || (!text.empty() && text.back() != ' '))
			text += ISSPACE(c) ? ' ' : c;
	if (!text.empty() && text.back() == ' ')
		text.pop_back();
	return text;
}

static std::string small_letters(std::string text)
{
	for (char &c : text)
		c = TOLOWER(c);
	return text;
}

static bool begins(const std::string &text, const char *with)
{
	size_t n = strlen(with);
	return !text.compare(0, n, with) && (text.size() == n || !(ISALNUM(text[n]) || text[n] == '_'));
}

static bool begins_with(const std::string &text, const char *with)
{
	return !text.compare(0, strlen(with), with);
}

bool directive::is(const char *words) const
{
	return begins(text, words);
}

static std::string cut_at(const std::string &text, const char *comment)
{
	return tidy(text.substr(0, text.find(comment)));
}

static directive directive_of_c(const source_text &s, int line, const std::string &start)
{
	directive d;
	std::string text = start.substr(start.find("omp") + 3);
	for (; !text.empty() && text.back() == '\\' && line + d.lines <= s.last; d.lines++) {
		text.pop_back();
		text += " " + tidy(line_of(s.file, line + d.lines));
	}
	d.text = cut_at(cut_at(text, "//"), "/*");
	return d;
}

static directive directive_of_fortran(const source_text &s, int line, const std::string &start)
{
	directive d;
	std::string text = cut_at(start.substr(5), "!");
	d.fortran = true;
	for (; !text.empty() && text.back() == '&' && line + d.lines <= s.last; d.lines++) {
		std::string more = small_letters(tidy(line_of(s.file, line + d.lines)));
		if (more.compare(0, 5, "!$omp"))
			break;
		more = cut_at(more.substr(5), "!");
		text.pop_back();
		text += " " + more.substr(!more.empty() && more[0] == '&');
	}
	d.text = tidy(text);
	return d;
}

directive source_text::directive_at(int line) const
{
	std::string text = tidy(line_of(file, line));
	if (begins(text, "#pragma omp") || begins(text, "# pragma omp"))
		return directive_of_c(*this, line, text);
	text = small_letters(text);
	if (begins(text, "!$omp"))
		return directive_of_fortran(*this, line, text);
	return directive();
}

/* ---- blocks of C ---- */

namespace
{
/* Statements and blocks of C, without comments and literals. */
struct c_text {
	int depth = 0, least = 0; /* brackets that are open, the fewest so far */
	bool in_comment = false, whole = false;

	/* Goes to the end of the literal that begins at character k of a line. */
	static size_t behind_literal(const std::string &line, size_t k)
	{
		char quote = line[k];
		for (k++; k < line.size() && line[k] != quote; k++)
			k += line[k] == '\\';
		return k;
	}

	/* Returns whether a statement that is in no bracket ends with a character of code. */
	bool ends_with(char c)
	{
		if (c == '{' || c == '(')
			depth++;
		if (c == '}' || c == ')') {
			depth--;
			least = depth < least ? depth : least;
		}
		return !whole && ((c == '}' && depth <= 0) || (c == ';' && depth == 0));
	}

	/* Returns whether a statement that is in no bracket ends in a line; reads on behind it if `whole`. */
	bool in(const std::string &line)
	{
		for (size_t k = 0; k < line.size(); k++) {
			char c = line[k], next = k + 1 < line.size() ? line[k + 1] : 0;
			if (in_comment) {
				in_comment = !(c == '*' && next == '/');
				k += !in_comment;
			} else if (c == '/' && next == '/') {
				return false;
			} else if (c == '/' && next == '*') {
				in_comment = true;
				k++;
			} else if (c == '"' || c == '\'') {
				k = behind_literal(line, k);
			} else if (ends_with(c)) {
				return true;
			}
		}
		return false;
	}
};
} // namespace

static bool is_preprocessor(const std::string &text)
{
	return !text.empty() && text[0] == '#';
}

/* The last line of the statement behind a line. */
static int block_end_c(const source_text &s, int line)
{
	c_text statement;
	for (; line <= s.last; line++) {
		std::string text = tidy(line_of(s.file, line));
		if (is_preprocessor(text)) {
			while (!text.empty() && text.back() == '\\' && line < s.last)
				text = tidy(line_of(s.file, ++line));
			continue;
		}
		if (statement.in(text))
			return line;
	}
	return s.last;
}

static int block_end_fortran(const source_text &s, int line)
{
	int depth = 0;
	for (; line <= s.last; line++) {
		directive d = s.directive_at(line);
		depth += d.is("target data");
		depth -= d.is("end target data") || d.is("endtarget data");
		if (depth == 0)
			return line;
	}
	return s.last;
}

int source_text::block_end(int line, const directive &d) const
{
	return d.fortran ? block_end_fortran(*this, line) : block_end_c(*this, line + d.lines);
}

int source_text::code_from(int line) const
{
	bool in_comment = false;
	for (; line <= last; line++) {
		std::string text = tidy(line_of(file, line));
		directive d = directive_at(line);
		if (in_comment || begins_with(text, "/*"))
			in_comment = text.find("*/") == std::string::npos;
		else if (!d.text.empty())
			line += d.lines - 1;
		else if (is_preprocessor(text) && !begins(text, "#pragma"))
			return 0;
		else if (!text.empty() && !is_preprocessor(text) && text[0] != '!' && !begins_with(text, "//"))
			return line;
	}
	return 0;
}

/* ---- depth ---- */

/* A construct of Fortran that a line opens (1), closes (-1), or goes on with (0 and *next). */
static int construct_of(std::string text, bool *next)
{
	size_t colon = text.find(':');
	if (colon != std::string::npos && text.find_first_of("(=' ") > colon && text.compare(colon, 2, "::"))
		text = tidy(text.substr(colon + 1)); /* its name */
	for (const char *word :
	     {"end", "enddo", "endif", "endselect", "endblock", "endassociate", "endsubroutine", "endfunction"})
		if (begins(text, word))
			return -1;
	for (const char *word : {"else", "elseif", "case", "contains"})
		if (begins(text, word))
			*next = true;
	for (const char *word : {"do", "select case", "select type", "block", "associate"})
		if (begins(text, word))
			return 1;
	return begins(text, "if") && text.size() > 4 && !text.compare(text.size() - 4, 4, "then");
}

source_text::depth source_text::depth_of(int line) const
{
	const char *dot = strrchr(file, '.');
	bool fortran = dot && TOLOWER(dot[1]) == 'f', next = false;
	std::string text = tidy(line_of(file, line));
	if (!fortran) {
		c_text c;
		c.whole = true;
		if (!is_preprocessor(text))
			c.in(text);
		return {c.depth, c.least};
	}
	text = small_letters(cut_at(text, "!"));
	for (int more = 1; !text.empty() && text.back() == '&' && line + more <= last; more++) {
		text.pop_back();
		text += cut_at(tidy(line_of(file, line + more)), "!");
	}
	int change = construct_of(text, &next);
	return {change, next ? -1 : change};
}

/* ---- clauses ---- */

size_t find_outside(const std::string &text, char c)
{
	int depth = 0;
	for (size_t k = 0; k < text.size(); k++) {
		if (depth == 0 && text[k] == c)
			return k;
		depth += text[k] == '(' || text[k] == '[';
		depth -= text[k] == ')' || text[k] == ']';
	}
	return std::string::npos;
}

std::vector<std::string> split_list(const std::string &text)
{
	std::vector<std::string> parts;
	for (std::string rest = text;;) {
		size_t comma = find_outside(rest, ',');
		parts.push_back(tidy(rest.substr(0, comma)));
		if (comma == std::string::npos)
			return parts;
		rest.erase(0, comma + 1);
	}
}

std::vector<std::pair<std::string, std::string>> clauses_of(const std::string &text)
{
	std::vector<std::pair<std::string, std::string>> found;
	for (size_t at = 0;;) {
		size_t open = text.find('(', at);
		if (open == std::string::npos)
			return found;
		size_t close = find_outside(text.substr(open + 1), ')');
		std::string inside = text.substr(open + 1, close);
		found.push_back({last_word(text.substr(at, open - at)), inside});
		if (close == std::string::npos)
			return found;
		at = open + 1 + close + 1;
	}
}

std::string last_word(const std::string &text)
{
	size_t end = text.size();
	while (end > 0 && !ISALNUM(text[end - 1]) && text[end - 1] != '_')
		end--;
	size_t begin = end;
	while (begin > 0 && (ISALNUM(text[begin - 1]) || text[begin - 1] == '_'))
		begin--;
	return text.substr(begin, end - begin);
}

std::string item_name(const std::string &item)
{
	std::string name;
	size_t k = item.find_first_not_of("(*& ");
	for (; k < item.size() && item[k] != '[' && item[k] != '(' && item[k] != ')'; k++)
		if (item[k] == '%' || (item[k] == '-' && k + 1 < item.size() && item[k + 1] == '>')) {
			name += '.';
			k += item[k] == '-';
		} else if (item[k] != ' ') {
			name += item[k];
		}
	return name;
}
