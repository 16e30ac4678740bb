/*
 * The grammar of NDL: ranges, variables, resources, connections, routings.
 * Expressions are C's, without assignment; they are kept as text.
 */
%code requires {
#include "parser.h"
}
%define api.pure full
%define api.prefix {ndl_yy}
%define parse.error custom
%locations
%param {void *scanner}
%parse-param {struct ndl_parser *p}
%union {
	char *text;
	struct ndl_list list;
	struct ndl_reference ref;
	struct ndl_end end;
	struct { char *low, *high; } range;
}
%code {
#include <stdlib.h>
#include <string.h>

int ndl_yylex(YYSTYPE *value, YYLTYPE *place, void *scanner);
static void ndl_yyerror(YYLTYPE *place, void *scanner, struct ndl_parser *p, const char *text)
{
	(void)scanner;
	ndl_error(p, place->first_line, "%s", text);
}

#define ADD(vector, ...) \
	do { \
		if (vec_reserve(&p->d->vector, 1, p->e)) { \
			p->failed = true; \
			YYABORT; \
		} \
		p->d->vector.at[p->d->vector.count++] = __VA_ARGS__; \
	} while (0)
#define BINARY(result, a, operation, b) \
	do { \
		if (!((result) = ndl_join(p, (a), (operation), (b)))) \
			YYABORT; \
	} while (0)

static int range_of(struct ndl_parser *p, const char *name, int line, char **low, char **high);
static struct ndl_reference reference_of(char *name, const struct ndl_list *l, int line);
}

%token RANGE "range" VAR "var" IN "in" RESOURCE "resource" CONNECTION "connection" ROUTING "routing"
%token NODE "node" SWITCH "switch" SWITCH_SIZE "switch_size" LINK "link" VIRTUAL "#v" BAD
%token <text> NAME "name" NUMBER "number" BODY_TEXT "routing's body"
%token LEFT "<<" RIGHT ">>" LE "<=" GE ">=" EQ "==" NE "!=" ANDAND "&&" OROR "||"
%type <text> expr vcs item class_of
%type <list> list
%type <ref> reference
%type <end> end_out end_in
%type <range> bounds

%right '?' ':'
%left OROR
%left ANDAND
%left '^'
%left '&'
%left EQ NE
%left '<' '>' LE GE
%left LEFT RIGHT
%left '+' '-'
%left '*' '/' '%'
%precedence UNARY

%%

file: %empty | file part;
part: "range" ranges ';'
    | "var" variables ';'
    | "resource" '{' resource_statements '}'
    | "connection" '{' connections '}'
    | "routing" '{' routings '}'
    ;

ranges: range_item | ranges ',' range_item;
range_item: NAME '=' bounds { ADD(ranges, (struct ndl_range){$1, $3.low, $3.high, @1.first_line}); };
bounds: '[' expr ':' expr ']' { $$.low = $2; $$.high = $4; };
variables: variable | variables ',' variable;
variable: NAME "in" bounds { ADD(variables, (struct ndl_variable){$1, $3.low, $3.high, @1.first_line}); }
        | NAME "in" NAME {
		char *low = NULL, *high = NULL;
		if (range_of(p, $3, @3.first_line, &low, &high))
			YYABORT;
		ADD(variables, (struct ndl_variable){$1, low, high, @1.first_line});
	}
        ;

resource_statements: %empty | resource_statements resource_statement;
resource_statement: "node" nodes ';' | "switch" switches ';' | "switch_size" sizes ';' | "link" classes ';';
classes: class | classes ',' class;
class: NAME { ADD(classes, (struct ndl_class){$1, NULL, NULL, @1.first_line}); }
     | NAME '(' expr ')' { ADD(classes, (struct ndl_class){$1, $3, NULL, @1.first_line}); }
     | NAME '(' expr ',' expr ')' { ADD(classes, (struct ndl_class){$1, $3, $5, @1.first_line}); }
     ;
nodes: node | nodes ',' node;
node: reference { ADD(resources, (struct ndl_resource){$1, true}); };
switches: switch | switches ',' switch;
switch: reference { ADD(resources, (struct ndl_resource){$1, false}); };
sizes: size | sizes ',' size;
size: reference '{' NAME '(' expr ')' ',' NAME '(' expr ')' '}' vcs {
		bool right = !strcmp($3, "i") && !strcmp($8, "o");
		ADD(sizes, (struct ndl_size){$1, $5, $10, $13});
		if (!right) {
			ndl_error(p, @3.first_line, "expected {i(inputs),o(outputs)}");
			YYABORT;
		}
	};
vcs: %empty { $$ = NULL; } | "#v" '(' expr ')' { $$ = $3; };

connections: %empty | connections connection;
connection: end_out '|' end_in class_of ';' { ADD(connections, (struct ndl_connection){$1, $3, $4, @1.first_line}); };
class_of: %empty { $$ = NULL; } | ':' NAME { $$ = $2; };
end_out: reference '.' NAME '(' expr ')' {
		bool right = !strcmp($3, "o");
		$$.of = $1;
		$$.port = $5;
		if (!right) {
			ndl_error(p, @3.first_line, "expected an output, .o(…), on the left of '|'");
			YYABORT;
		}
	};
end_in: reference '.' NAME '(' expr ')' {
		bool right = !strcmp($3, "i");
		$$.of = $1;
		$$.port = $5;
		if (!right) {
			ndl_error(p, @3.first_line, "expected an input, .i(…), on the right of '|'");
			YYABORT;
		}
	};

routings: %empty | routings routing;
routing: reference '{' BODY_TEXT { ADD(routings, (struct ndl_routing){$1, $3, @3.first_line}); };

reference: NAME '(' list ')' { $$ = reference_of($1, &$3, @1.first_line); };
list: expr { $$ = (struct ndl_list){.item = {$1}, .count = 1}; }
    | list ',' expr {
		$$ = $1;
		if ($$.count == NDL_DIMS_MAX) {
			ndl_error(p, @3.first_line, "too many indices, expected at most %d", NDL_DIMS_MAX);
			YYABORT;
		}
		$$.item[$$.count++] = $3;
	};

item: NAME | NUMBER;
expr: item
    | '(' expr ')' { BINARY($$, NULL, "(", $2); BINARY($$, $$, ")", NULL); }
    | NAME '(' list ')' {
		char *all = ndl_join(p, $1, "(", NULL);
		for (unsigned k = 0; k < $3.count && all; k++)
			all = ndl_join(p, all, k ? ", " : "", $3.item[k]);
		if (!all || !($$ = ndl_join(p, all, ")", NULL)))
			YYABORT;
	}
    | '-' expr %prec UNARY { BINARY($$, NULL, "-", $2); }
    | '+' expr %prec UNARY { BINARY($$, NULL, "+", $2); }
    | '!' expr %prec UNARY { BINARY($$, NULL, "!", $2); }
    | '~' expr %prec UNARY { BINARY($$, NULL, "~", $2); }
    | expr '*' expr { BINARY($$, $1, " * ", $3); }
    | expr '/' expr { BINARY($$, $1, " / ", $3); }
    | expr '%' expr { BINARY($$, $1, " % ", $3); }
    | expr '+' expr { BINARY($$, $1, " + ", $3); }
    | expr '-' expr { BINARY($$, $1, " - ", $3); }
    | expr LEFT expr { BINARY($$, $1, " << ", $3); }
    | expr RIGHT expr { BINARY($$, $1, " >> ", $3); }
    | expr '<' expr { BINARY($$, $1, " < ", $3); }
    | expr '>' expr { BINARY($$, $1, " > ", $3); }
    | expr LE expr { BINARY($$, $1, " <= ", $3); }
    | expr GE expr { BINARY($$, $1, " >= ", $3); }
    | expr EQ expr { BINARY($$, $1, " == ", $3); }
    | expr NE expr { BINARY($$, $1, " != ", $3); }
    | expr '&' expr { BINARY($$, $1, " & ", $3); }
    | expr '^' expr { BINARY($$, $1, " ^ ", $3); }
    | expr ANDAND expr { BINARY($$, $1, " && ", $3); }
    | expr OROR expr { BINARY($$, $1, " || ", $3); }
    | expr '?' expr ':' expr { BINARY($$, $1, " ? ", $3); BINARY($$, $$, " : ", $5); }
    ;

%%

static struct ndl_reference reference_of(char *name, const struct ndl_list *l, int line)
{
	struct ndl_reference r = {.name = name, .dims = l->count, .line = line};

	for (unsigned k = 0; k < l->count; k++)
		r.index[k] = l->item[k];
	return r;
}

static int range_of(struct ndl_parser *p, const char *name, int line, char **low, char **high)
{
	for (size_t k = 0; k < p->d->ranges.count; k++) {
		const struct ndl_range *r = &p->d->ranges.at[k];
		if (strcmp(r->name, name))
			continue;
		*low = r->low;
		*high = r->high;
		return 0;
	}
	return ndl_error(p, line, "unknown range %s, expected `range %s = [low:high];` before", name, name);
}

enum expected { IS_WORD, STARTS_EXPRESSION, IS_OPERATOR };

static enum expected expected_kind(yysymbol_kind_t symbol)
{
	switch (symbol) {
	case YYSYMBOL_NUMBER:
	case YYSYMBOL_UNARY: return STARTS_EXPRESSION;
	case YYSYMBOL_LEFT:
	case YYSYMBOL_RIGHT:
	case YYSYMBOL_LE:
	case YYSYMBOL_GE:
	case YYSYMBOL_EQ:
	case YYSYMBOL_NE:
	case YYSYMBOL_ANDAND:
	case YYSYMBOL_OROR: return IS_OPERATOR;
	default: break;
	}
	const char *name = yysymbol_name(symbol);
	return name[0] == '\'' && strchr("*/%+-<>&^?!~", name[1]) ? IS_OPERATOR : IS_WORD;
}

/*
 * "unexpected X, expected Y or Z" in the words of the language. Operators count as one word, and so do
 * the many ways to begin an expression.
 */
static int yyreport_syntax_error(const yypcontext_t *context, void *scanner, struct ndl_parser *p)
{
	yysymbol_kind_t expected[YYNTOKENS], token = yypcontext_token(context);
	int count = yypcontext_expected_tokens(context, expected, YYNTOKENS), words = 0;
	bool begins = false, follows = false;
	char text[400];
	size_t used = 0;

	(void)scanner;
	for (int k = 0; k < count; k++) {
		begins |= expected_kind(expected[k]) == STARTS_EXPRESSION;
		follows |= expected[k] == YYSYMBOL_ANDAND;
	}
	if (token != YYSYMBOL_YYEMPTY)
		used = (size_t)snprintf(text, sizeof(text), token == YYSYMBOL_NAME && p->word ? "unexpected '%.60s'" : "unexpected %s",
		                        token == YYSYMBOL_NAME && p->word ? p->word : yysymbol_name(token));
	if (begins || follows)
		used += (size_t)snprintf(text + used, sizeof(text) - used, ", expected an %s",
		                         begins ? "expression" : "operator"), words++;
	for (int k = 0; k < count && !begins && used < sizeof(text); k++)
		if (!follows || expected_kind(expected[k]) == IS_WORD)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s",
			                         words++ ? " or " : ", expected ", yysymbol_name(expected[k]));
	if (follows && token != YYSYMBOL_YYEMPTY && !strcmp(yysymbol_name(token), "'['") && used < sizeof(text))
		snprintf(text + used, sizeof(text) - used,
		         "; an expression has no array elements: write a C function, deg(j) for deg[j]");
	if (!p->failed)
		ndl_error(p, yypcontext_location(context)->first_line, "%s", used ? text : "unexpected text");
	return 0;
}
