/*
 * Arguments of calls, as rows of a table have them: one behind the other, "(IN, sendbuf)(IN_COUNT, sendcount)". Macros
 * here make parameters, lists of names, or text of them. Who uses parameters first defines ARGUMENT_TYPE(name): the
 * local name of a type of MPI, such as Datatype.
 *
 * A kind says what an argument is, and so how it is checked, written to a trace and read from one:
 *
 *   IN, OUT, BOTH            data that a rank gives, gets, or either; IN_ROOT, OUT_ROOT: at the root alone
 *   IN_COUNT, OUT_COUNT      elements
 *   IN_COUNTS, OUT_COUNTS    elements by rank, at places (IN_PLACES, OUT_PLACES) in elements, or (…_BYTES) in bytes
 *   IN_TYPE, OUT_TYPE        of an element; IN_TYPES, OUT_TYPES: by rank
 *   OP, ROOT, COMM           operation, rank, communicator
 *   PEER, TAG                of a message
 *   WIN, RANK, DISP          window, rank of it, displacement in units of that rank
 *   ASSERT, LOCK, GROUP      of synchronization
 *   REQUEST, STATUS, MESSAGE where the call has one, or an array of them
 *   NEW_COMM, NEW_WIN        where it puts what it makes
 *   NUMBER, NUMBERS, SIZE    an int, some ints, a number of bytes; RESULT: an int, or some, of the call's
 *   INFO                     hints
 *
 * A call with one count and one type for both directions has OUT_COUNT and OUT_TYPE.
 */
#ifndef PSIM_VMPI_CALL_ARGUMENTS_H
#define PSIM_VMPI_CALL_ARGUMENTS_H

/* Kinds of arguments that events have, and the bit of each. */
enum argument_kind {
	ARGUMENT_IN,
	ARGUMENT_IN_ROOT,
	ARGUMENT_OUT,
	ARGUMENT_OUT_ROOT,
	ARGUMENT_BOTH,
	ARGUMENT_IN_COUNT,
	ARGUMENT_OUT_COUNT,
	ARGUMENT_IN_COUNTS,
	ARGUMENT_OUT_COUNTS,
	ARGUMENT_IN_PLACES,
	ARGUMENT_OUT_PLACES,
	ARGUMENT_IN_TYPE,
	ARGUMENT_OUT_TYPE,
	ARGUMENT_OP,
	ARGUMENT_ROOT,
	ARGUMENT_COMM,
};
#define BIT(kind) (UINT32_C(1) << ARGUMENT_##kind)

/* A parameter of each kind. */
#define LIST_OF(name) *name
#define DECLARE_IN(name) const void *name
#define DECLARE_IN_ROOT(name) const void *name
#define DECLARE_OUT(name) void *name
#define DECLARE_OUT_ROOT(name) void *name
#define DECLARE_BOTH(name) void *name
#define DECLARE_IN_COUNT(name) int name
#define DECLARE_OUT_COUNT(name) int name
#define DECLARE_IN_COUNTS(name) const int *name
#define DECLARE_OUT_COUNTS(name) const int *name
#define DECLARE_IN_PLACES(name) const int *name
#define DECLARE_OUT_PLACES(name) const int *name
#define DECLARE_IN_BYTES(name) const ARGUMENT_TYPE(Aint) LIST_OF(name)
#define DECLARE_OUT_BYTES(name) const ARGUMENT_TYPE(Aint) LIST_OF(name)
#define DECLARE_IN_TYPE(name) ARGUMENT_TYPE(Datatype) name
#define DECLARE_OUT_TYPE(name) ARGUMENT_TYPE(Datatype) name
#define DECLARE_IN_TYPES(name) const ARGUMENT_TYPE(Datatype) LIST_OF(name)
#define DECLARE_OUT_TYPES(name) const ARGUMENT_TYPE(Datatype) LIST_OF(name)
#define DECLARE_OP(name) ARGUMENT_TYPE(Op) name
#define DECLARE_ROOT(name) int name
#define DECLARE_COMM(name) ARGUMENT_TYPE(Comm) name
#define DECLARE_PEER(name) int name
#define DECLARE_TAG(name) int name
#define DECLARE_WIN(name) ARGUMENT_TYPE(Win) name
#define DECLARE_RANK(name) int name
#define DECLARE_DISP(name) ARGUMENT_TYPE(Aint) name
#define DECLARE_ASSERT(name) int name
#define DECLARE_LOCK(name) int name
#define DECLARE_GROUP(name) ARGUMENT_TYPE(Group) name
#define DECLARE_REQUEST(name) ARGUMENT_TYPE(Request) LIST_OF(name)
#define DECLARE_STATUS(name) ARGUMENT_TYPE(Status) LIST_OF(name)
#define DECLARE_MESSAGE(name) ARGUMENT_TYPE(Message) LIST_OF(name)
#define DECLARE_NEW_COMM(name) ARGUMENT_TYPE(Comm) LIST_OF(name)
#define DECLARE_NEW_WIN(name) ARGUMENT_TYPE(Win) LIST_OF(name)
#define DECLARE_NUMBER(name) int name
#define DECLARE_NUMBERS(name) const int *name
#define DECLARE_SIZE(name) ARGUMENT_TYPE(Aint) name
#define DECLARE_RESULT(name) int *name
#define DECLARE_INFO(name) ARGUMENT_TYPE(Info) name

/* ", const void *sendbuf, int sendcount" */
#define PARAMETERS(arguments) ARGUMENTS_END(PARAMETER_A arguments)
#define PARAMETER_A(kind, name) , DECLARE_##kind(name) PARAMETER_B
#define PARAMETER_B(kind, name) , DECLARE_##kind(name) PARAMETER_A
#define PARAMETER_A_END
#define PARAMETER_B_END

/* ", sendbuf, sendcount" */
#define NAMES(arguments) ARGUMENTS_END(NAME_A arguments)
#define NAME_A(kind, name) , name NAME_B
#define NAME_B(kind, name) , name NAME_A
#define NAME_A_END
#define NAME_B_END

/* Either list without the first comma. */
#define WITHOUT_COMMA(...) WITHOUT_FIRST(__VA_ARGS__)
#define WITHOUT_FIRST(nothing, ...) __VA_ARGS__

/* Parameters as text: "const void *sendbuf, int sendcount". */
#define PARAMETERS_TEXT(arguments) ARGUMENTS_END(TEXT_FIRST arguments)
#define TEXT_FIRST(kind, name) TEXT_OF(DECLARE_##kind(name)) TEXT_A
#define TEXT_A(kind, name) ", " TEXT_OF(DECLARE_##kind(name)) TEXT_B
#define TEXT_B(kind, name) ", " TEXT_OF(DECLARE_##kind(name)) TEXT_A
#define TEXT_A_END
#define TEXT_B_END
#define TEXT_OF(...) TEXT_OF_NOW(__VA_ARGS__)
#define TEXT_OF_NOW(...) #__VA_ARGS__

/* Ends what goes from one argument to the next by two macros in turn. */
#define ARGUMENTS_END(...) ARGUMENTS_END_NOW(__VA_ARGS__)
#define ARGUMENTS_END_NOW(...) __VA_ARGS__##_END

#endif
