/* Events as Paje's text. Times are seconds. */
#include <inttypes.h>
#include <string.h>

#include "../engine/engine.h"
#include "log_parts.h"
#include "log_text.h"

/* Numbers of the kinds of events, which the file's header defines. */
enum {
	PAJE_CONTAINER_TYPE = 1,
	PAJE_STATE_TYPE,
	PAJE_LINK_TYPE,
	PAJE_CONTAINER,
	PAJE_END_CONTAINER,
	PAJE_START_LINK,
	PAJE_END_LINK,
	PAJE_PUSH,
	PAJE_POP,
	PAJE_EVENT_TYPE,
	PAJE_EVENT,
	PAJE_VARIABLE_TYPE,
	PAJE_SET,
	PAJE_VALUE
};

/* Colours of states, of Okabe and Ito: computation has the first one, calls have the others in turn. */
static const char *const paje_colour[] = {"0.0 0.62 0.45", "0.9 0.62 0.0",   "0.34 0.71 0.91", "0.84 0.37 0.0",
					  "0.8 0.47 0.65", "0.94 0.89 0.26", "0.0 0.45 0.7"};
enum { PAJE_COLOURS = sizeof(paje_colour) / sizeof(paje_colour[0]), PAJE_VALUES_MOST = 1000 };

static const struct {
	const char *alias, *name;
} paje_variable[LOG_COUNTED] = {
	{"VC", "RanksThatCompute"}, {"VK", "RanksInCalls"},  {"VW", "RanksThatWait"},
	{"VM", "MessagesUnderWay"}, {"VB", "BytesUnderWay"}, {"VL", "BusyLinks"},
};

static void put_seconds(FILE *out, int64_t ps)
{
	fprintf(out, "%" PRId64 ".%012" PRId64, ps / 1000000000000, ps % 1000000000000);
}

/* Begins an event. */
static FILE *paje_next(const struct net_log *l, int number, int64_t time)
{
	FILE *out = l->setup.paje;

	fprintf(out, "%d ", number);
	put_seconds(out, time);
	return out;
}

/* ---- definitions ---- */

static void define(FILE *out, const char *name, unsigned number, const char *const *fields)
{
	fprintf(out, "%%EventDef %s %u\n", name, number);
	for (; *fields; fields += 2)
		fprintf(out, "%% %s %s\n", fields[0], fields[1]);
	fputs("%EndEventDef\n", out);
}

static void paje_header(FILE *out)
{
#define FIELDS(...) (const char *const[]){__VA_ARGS__, NULL}
	define(out, "PajeDefineContainerType", PAJE_CONTAINER_TYPE,
	       FIELDS("Alias", "string", "Type", "string", "Name", "string"));
	define(out, "PajeDefineStateType", PAJE_STATE_TYPE,
	       FIELDS("Alias", "string", "Type", "string", "Name", "string"));
	define(out, "PajeDefineLinkType", PAJE_LINK_TYPE,
	       FIELDS("Alias", "string", "Type", "string", "StartContainerType", "string", "EndContainerType", "string",
		      "Name", "string"));
	define(out, "PajeCreateContainer", PAJE_CONTAINER,
	       FIELDS("Time", "date", "Alias", "string", "Type", "string", "Container", "string", "Name", "string"));
	define(out, "PajeDestroyContainer", PAJE_END_CONTAINER,
	       FIELDS("Time", "date", "Type", "string", "Name", "string"));
	define(out, "PajeStartLink", PAJE_START_LINK,
	       FIELDS("Time", "date", "Container", "string", "Type", "string", "StartContainer", "string", "Value",
		      "string", "Key", "string"));
	define(out, "PajeEndLink", PAJE_END_LINK,
	       FIELDS("Time", "date", "Container", "string", "Type", "string", "EndContainer", "string", "Value",
		      "string", "Key", "string"));
	define(out, "PajePushState", PAJE_PUSH,
	       FIELDS("Time", "date", "Container", "string", "Type", "string", "Value", "string"));
	define(out, "PajePopState", PAJE_POP, FIELDS("Time", "date", "Container", "string", "Type", "string"));
	define(out, "PajeDefineEventType", PAJE_EVENT_TYPE,
	       FIELDS("Alias", "string", "Type", "string", "Name", "string"));
	define(out, "PajeNewEvent", PAJE_EVENT,
	       FIELDS("Time", "date", "Container", "string", "Type", "string", "Value", "string"));
	define(out, "PajeDefineVariableType", PAJE_VARIABLE_TYPE,
	       FIELDS("Alias", "string", "Type", "string", "Name", "string", "Color", "color"));
	define(out, "PajeSetVariable", PAJE_SET,
	       FIELDS("Time", "date", "Container", "string", "Type", "string", "Value", "double"));
	define(out, "PajeDefineEntityValue", PAJE_VALUE,
	       FIELDS("Alias", "string", "Type", "string", "Name", "string", "Color", "color"));
#undef FIELDS
}

/* Ends the line of a node's container. */
static void paje_put_node(const struct net_log *l, FILE *out, uint32_t node)
{
	fputc('"', out);
	log_put_node(out, l->setup.topology, "node", node);
	fputs("\"\n", out);
}

void paje_begin(struct net_log *l)
{
	const struct topology *t = l->setup.topology;
	FILE *out = l->setup.paje;

	paje_header(out);
	fputs("1 N 0 Network\n1 O N Node\n1 R O Rank\n1 L N Link\n2 S R State\n2 P R Phase\n2 B L Busy\n"
	      "3 M N O O Message\n3 A N R R Arrow\n10 E R Event\n",
	      out);
	for (int i = 0; i < LOG_COUNTED; i++)
		fprintf(out, "%d %s N %s \"0.0 0.45 0.7\"\n", PAJE_VARIABLE_TYPE, paje_variable[i].alias,
			paje_variable[i].name);
	fputs("4 0.0 net N 0 network\n", out);
	for (uint32_t i = 0; !l->window.on && i < t->nodes; i++) {
		l->known[i] |= KNOWN_PAJE;
		fprintf(out, "4 0.0 n%" PRIu32 " O net ", i);
		paje_put_node(l, out, i);
	}
	for (uint32_t i = 0; l->setup.packets && i < t->links; i++) {
		fprintf(out, "4 0.0 l%" PRIu32 " L net \"", i);
		log_put_link(out, t, i);
		fputs("\"\n", out);
	}
}

void paje_node(struct net_log *l, int64_t time, uint32_t node)
{
	FILE *out;

	if (l->known[node] & KNOWN_PAJE)
		return;
	l->known[node] |= KNOWN_PAJE;
	out = paje_next(l, PAJE_CONTAINER, time);
	fprintf(out, " n%" PRIu32 " O net ", node);
	paje_put_node(l, out, node);
}

void paje_rank(struct net_log *l, const struct log_event *v)
{
	paje_node(l, v->time, v->to);
	fprintf(paje_next(l, PAJE_CONTAINER, v->time), " r%" PRIu32 " R n%" PRIu32 " rank%" PRIu32 "\n", v->from, v->to,
		v->from);
}

/* ---- events ---- */

static void paje_link(const struct net_log *l, const struct log_event *v)
{
	bool begins = v->what == LOG_MESSAGE || v->what == LOG_ARROW, arrow = v->what >= LOG_ARROW;
	FILE *out = paje_next(l, begins ? PAJE_START_LINK : PAJE_END_LINK, v->time);

	fprintf(out, " net %s%" PRIu32 " %" PRIu64 " ", arrow ? "A r" : "M n", arrow || begins ? v->from : v->to,
		v->bytes);
	if (arrow)
		fprintf(out, "r%" PRIu64 ".%" PRIu64, v->serial >> LOG_ARROW_BITS,
			v->serial & ((UINT64_C(1) << LOG_ARROW_BITS) - 1));
	else
		log_put_serial(out, v->serial);
	fputc('\n', out);
}

static void paje_packet(const struct net_log *l, const struct log_event *v)
{
	bool begins = v->what == LOG_PUSH_PACKET;
	FILE *out = paje_next(l, begins ? PAJE_PUSH : PAJE_POP, v->time);

	fprintf(out, " l%" PRIu32 " B", v->from);
	if (begins) {
		fputc(' ', out);
		log_put_serial(out, v->serial);
	}
	fputc('\n', out);
}

/* Gives a state's value its colour when it comes first; beyond very many values the viewer chooses. */
static void paje_value(struct net_log *l, const struct log_event *v)
{
	size_t count = l->values.count;
	const char **at;

	for (size_t i = 0; i < count; i++)
		if (l->values.at[i] == v->name || strcmp(l->values.at[i], v->name) == 0)
			return;
	at = count < PAJE_VALUES_MOST ? vec_push(&l->values, NULL) : NULL;
	if (!at)
		return;
	*at = v->name;
	fprintf(l->setup.paje, "%d ", PAJE_VALUE);
	log_put_name(l->setup.paje, v->name);
	fputs(" S ", l->setup.paje);
	log_put_name(l->setup.paje, v->name);
	fprintf(l->setup.paje, " \"%s\"\n", paje_colour[v->computes ? 0 : 1 + count % (PAJE_COLOURS - 1)]);
}

static void paje_of_rank(const struct net_log *l, const struct log_event *v)
{
	int number = v->what == LOG_EVENT ? PAJE_EVENT : v->name ? PAJE_PUSH : PAJE_POP;
	FILE *out = paje_next(l, number, v->time);

	fprintf(out, " r%" PRIu32 " %c", v->from, v->what == LOG_PHASE ? 'P' : v->what == LOG_EVENT ? 'E' : 'S');
	if (v->name) {
		fputc(' ', out);
		log_put_name(out, v->name);
	}
	fputc('\n', out);
}

void paje_event(struct net_log *l, const struct log_event *v)
{
	switch (v->what) {
	case LOG_MESSAGE:
	case LOG_DELIVERED:
	case LOG_ARROW:
	case LOG_ARROW_END: paje_link(l, v); break;
	case LOG_PUSH_PACKET:
	case LOG_POP_PACKET: paje_packet(l, v); break;
	case LOG_STATE:
		if (v->name)
			paje_value(l, v);
		paje_of_rank(l, v);
		break;
	case LOG_PHASE:
	case LOG_EVENT: paje_of_rank(l, v); break;
	case LOG_WAIT: break;
	}
}

void paje_counters(const struct net_log *l, const struct log_counters *c)
{
	for (int i = 0; i < LOG_COUNTED; i++)
		if (log_counter_changed(c, (enum log_counted)i))
			fprintf(paje_next(l, PAJE_SET, c->time), " net %s %" PRIu64 "\n", paje_variable[i].alias,
				c->now[i]);
}
