/*
 * Nodes as protobuf messages: each is preceded by its bytes as a varint; the first one is a GlobalMetadata, the others
 * are Nodes (et_def.proto; src/third_party/utils/protolib.py). The wire format is that of protobuf.dev, "Encoding": a
 * field is a varint, number x 8 + kind, and a value of the kind: 0 varint, 1 eight bytes, 2 bytes preceded by their
 * number, 5 four bytes. Fields that are not known are skipped.
 */
#include <errno.h>
#include <string.h>

#include "../../../psim/base/input.h"
#include "chakra_parts.h"

enum { KIND_VARINT, KIND_EIGHT, KIND_BYTES, KIND_FOUR = 5 };
enum { MESSAGE_MAX = 1 << 30, NAME_MAX_BYTES = 64 };

/* The rest of a message. */
struct wire {
	const unsigned char *at, *end;
};
/* A field: its number, kind and value. */
struct wire_field {
	unsigned number, kind;
	uint64_t value;
	struct wire bytes;
};

static bool take_varint(struct wire *w, uint64_t *value)
{
	*value = 0;
	for (unsigned shift = 0; w->at < w->end && shift < 64; shift += 7) {
		unsigned char byte = *w->at++;

		*value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return true;
	}
	return false;
}

static bool take_little(struct wire *w, unsigned bytes, uint64_t *value)
{
	if ((size_t)(w->end - w->at) < bytes)
		return false;
	*value = 0;
	for (unsigned i = bytes; i-- > 0;)
		*value = *value << 8 | w->at[i];
	w->at += bytes;
	return true;
}

/* Takes the next field: 1; 0 at the end; -1: the message is damaged. */
static int take_field(struct wire *w, struct wire_field *f)
{
	uint64_t key;
	bool whole = false;

	if (w->at == w->end)
		return 0;
	if (!take_varint(w, &key) || key >> 3 == 0 || key >> 3 > 1 << 29)
		return -1;
	*f = (struct wire_field){.number = (unsigned)(key >> 3), .kind = key & 7};
	switch (f->kind) {
	case KIND_VARINT: whole = take_varint(w, &f->value); break;
	case KIND_EIGHT: whole = take_little(w, 8, &f->value); break;
	case KIND_FOUR: whole = take_little(w, 4, &f->value); break;
	case KIND_BYTES:
		whole = take_varint(w, &f->value) && f->value <= (size_t)(w->end - w->at);
		if (whole) {
			f->bytes = (struct wire){w->at, w->at + f->value};
			w->at += f->value;
		}
		break;
	default: break;
	}
	return whole ? 1 : -1;
}

static int damaged(struct chakra *c, const char *what)
{
	return chakra_wrong(c, "%s is damaged, expected a protobuf message of et_def.proto", what);
}

static int must_be(struct chakra *c, const struct wire_field *f, unsigned kind, const char *what)
{
	return f->kind == kind ? 0 : damaged(c, what);
}

/* ---- attributes ---- */

/* The numbers of AttributeProto's values with their types. */
enum value_type {
	VALUE_NONE,
	VALUE_SIGNED,
	VALUE_ZIGZAG,
	VALUE_FOUR,
	VALUE_DOUBLE,
	VALUE_FLOAT,
	VALUE_TEXT,
	VALUE_BOOLS
};
static const unsigned char value_types[] = {
	[3] = VALUE_DOUBLE,  [5] = VALUE_FLOAT,   [7] = VALUE_SIGNED,  [9] = VALUE_SIGNED,  [11] = VALUE_SIGNED,
	[13] = VALUE_SIGNED, [15] = VALUE_ZIGZAG, [17] = VALUE_ZIGZAG, [19] = VALUE_SIGNED, [21] = VALUE_SIGNED,
	[23] = VALUE_FOUR,   [25] = VALUE_SIGNED, [27] = VALUE_SIGNED, [28] = VALUE_BOOLS,  [29] = VALUE_TEXT,
};

static int set_real(struct chakra *c, const char *name, double value)
{
	if (!chakra_keeps(name))
		return 0;
	if (!(value > -9e18 && value < 9e18) || (double)(int64_t)value != value)
		return chakra_wrong(c, "%s %g: expected a whole number", name, value);
	return chakra_set_whole(c, name, (int64_t)value);
}

static int set_bools(struct chakra *c, const char *name, struct wire list)
{
	struct wire_field f;
	int ret;

	if (strcmp(name, "involved_dim") != 0)
		return 0;
	while ((ret = take_field(&list, &f)) > 0) {
		if (f.number == 1 && f.kind == KIND_VARINT && chakra_set_involved(c, f.value != 0) < 0)
			return -1;
		for (uint64_t value; f.number == 1 && f.kind == KIND_BYTES && f.bytes.at < f.bytes.end;)
			if (!take_varint(&f.bytes, &value))
				return damaged(c, name);
			else if (chakra_set_involved(c, value != 0) < 0)
				return -1;
	}
	return ret < 0 ? damaged(c, name) : 0;
}

static int set_text(struct chakra *c, const char *name, struct wire bytes)
{
	char text[CHAKRA_TEXT_MAX];
	size_t length = (size_t)(bytes.end - bytes.at);

	if (strcmp(name, "pg_name") != 0 && strcmp(name, "comm_group") != 0 && strcmp(name, "comm_type") != 0)
		return 0;
	if (length >= sizeof(text))
		return chakra_wrong(c, "%s: %zu characters, expected at most %d", name, length, CHAKRA_TEXT_MAX - 1);
	memcpy(text, bytes.at, length);
	text[length] = '\0';
	return chakra_set_text(c, name, text, length);
}

static int set_value(struct chakra *c, const char *name, const struct wire_field *f)
{
	enum value_type type = f->number < sizeof(value_types) ? value_types[f->number] : VALUE_NONE;
	uint32_t four = (uint32_t)f->value;
	double real;
	float single;

	switch (type) {
	case VALUE_SIGNED: return chakra_set_whole(c, name, (int64_t)f->value);
	case VALUE_FOUR: return chakra_set_whole(c, name, (int32_t)four);
	case VALUE_ZIGZAG: return chakra_set_whole(c, name, (int64_t)(f->value >> 1) ^ -(int64_t)(f->value & 1));
	case VALUE_DOUBLE: memcpy(&real, &f->value, sizeof(real)); return set_real(c, name, real);
	case VALUE_FLOAT: memcpy(&single, &four, sizeof(single)); return set_real(c, name, (double)single);
	case VALUE_TEXT: return f->kind == KIND_BYTES ? set_text(c, name, f->bytes) : damaged(c, name);
	case VALUE_BOOLS: return f->kind == KIND_BYTES ? set_bools(c, name, f->bytes) : damaged(c, name);
	case VALUE_NONE: break;
	}
	return chakra_keeps(name) ? chakra_wrong(c, "%s: a list or bytes, expected a whole number", name) : 0;
}

static int read_proto_attribute(struct chakra *c, struct wire w)
{
	struct wire_field f, value = {0};
	char name[NAME_MAX_BYTES] = "";
	int ret;

	while ((ret = take_field(&w, &f)) > 0) {
		if (f.number == 1 && f.kind == KIND_BYTES && f.value < sizeof(name)) {
			memcpy(name, f.bytes.at, f.value);
			name[f.value] = '\0';
		} else if (f.number > 2) {
			value = f; /* of a oneof the last one counts */
		}
	}
	if (ret < 0)
		return damaged(c, *name ? name : "an attribute");
	return value.number ? set_value(c, name, &value) : 0;
}

/* ---- nodes ---- */

static int add_proto_dep(struct chakra *c, bool control, uint64_t id)
{
	uint64_t *dep = control ? vec_push(&c->node.ctrl_deps, c->e) : vec_push(&c->node.data_deps, c->e);

	if (!dep)
		return -1;
	*dep = id;
	return 0;
}

/* One id, or several in a row of bytes. */
static int read_proto_deps(struct chakra *c, bool control, struct wire_field *f)
{
	uint64_t id;

	if (f->kind == KIND_VARINT)
		return add_proto_dep(c, control, f->value);
	if (f->kind != KIND_BYTES)
		return damaged(c, control ? "ctrl_deps" : "data_deps");
	while (f->bytes.at < f->bytes.end)
		if (!take_varint(&f->bytes, &id))
			return damaged(c, control ? "ctrl_deps" : "data_deps");
		else if (add_proto_dep(c, control, id) < 0)
			return -1;
	return 0;
}

static int read_proto_inputs(struct chakra *c, struct wire w)
{
	struct wire_field f;
	int ret;

	while ((ret = take_field(&w, &f)) > 0)
		if (f.number == 1 && f.kind == KIND_BYTES &&
		    chakra_set_values(c, (const char *)f.bytes.at, (size_t)f.value) < 0)
			return -1;
	return ret < 0 ? damaged(c, "inputs") : 0;
}

static int read_proto_field(struct chakra *c, struct wire_field *f)
{
	switch (f->number) {
	case 1: c->node.id = f->value; return must_be(c, f, KIND_VARINT, "id");
	case 3: c->node.type = (int64_t)f->value; return must_be(c, f, KIND_VARINT, "type");
	case 4: return read_proto_deps(c, true, f);
	case 5: return read_proto_deps(c, false, f);
	case 7: c->node.micros = f->value; return must_be(c, f, KIND_VARINT, "duration_micros");
	case 8: return f->kind == KIND_BYTES ? read_proto_inputs(c, f->bytes) : damaged(c, "inputs");
	case 10: return f->kind == KIND_BYTES ? read_proto_attribute(c, f->bytes) : damaged(c, "attr");
	default: return 0;
	}
}

static int read_proto_node(struct chakra *c, struct wire w)
{
	struct wire_field f;
	int ret;

	chakra_begin_node(c);
	c->node.type = CHAKRA_INVALID; /* proto3 leaves out a field of 0 */
	while ((ret = take_field(&w, &f)) > 0)
		if (read_proto_field(c, &f) < 0)
			return -1;
	return ret < 0 ? damaged(c, "the node") : chakra_end_node(c);
}

/* ---- files ---- */

/* The bytes of the next message: 1; 0 at the end of the file; -1 with the error. */
static int read_length(struct chakra *c, FILE *file, uint64_t *length)
{
	int byte, shift = 0;

	*length = 0;
	for (; (byte = getc(file)) != EOF && shift < 35; shift += 7) {
		*length |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return *length <= MESSAGE_MAX ? 1
						      : chakra_wrong(c, "a message of %llu bytes, expected at most %d",
								     (unsigned long long)*length, MESSAGE_MAX);
	}
	if (byte == EOF && !shift && !ferror(file))
		return 0;
	if (ferror(file))
		return err_set(c->e, err_errno(STATUS_BAD_INPUT), "%s: cannot read: %s", c->path, input_failure());
	return chakra_wrong(c, "the length of a message is damaged, expected a varint");
}

/* Reads a message in pieces, so that a length that the file has not needs no memory. */
static int read_message(struct chakra *c, FILE *file, uint64_t length, struct chakra_bytes *b)
{
	enum { PIECE = 1 << 16 };

	b->count = 0;
	if (vec_reserve(b, 1, c->e) < 0) /* an empty message has a place, too */
		return -1;
	while (b->count < length) {
		size_t piece = length - b->count < PIECE ? (size_t)(length - b->count) : PIECE, got;

		if (vec_reserve(b, piece, c->e) < 0)
			return -1;
		got = fread(b->at + b->count, 1, piece, file);
		b->count += got;
		if (got == piece)
			continue;
		if (ferror(file))
			return err_set(c->e, err_errno(STATUS_BAD_INPUT), "%s: cannot read: %s", c->path,
				       input_failure());
		return chakra_wrong(c, "ends in message %zu, %zu of whose %llu bytes it has; expected all",
				    c->ops.count + 1, b->count, (unsigned long long)length);
	}
	return 0;
}

int chakra_read_protobuf(struct chakra *c, FILE *file)
{
	struct chakra_bytes b = {0};
	bool metadata = true;
	uint64_t length;
	int ret = 0;

	while (ret == 0) {
		int next;

		c->in_node = false;
		next = read_length(c, file, &length);
		if (next <= 0 && !(next == 0 && metadata)) {
			ret = next;
			break;
		}
		ret = next == 0 ? chakra_wrong(c, "no message, expected those of a Chakra trace")
				: read_message(c, file, length, &b);
		if (ret == 0 && !metadata)
			ret = read_proto_node(c, (struct wire){b.at, b.at + b.count});
		metadata = false;
	}
	vec_finish(&b);
	return ret;
}
