/*
 * Predefined datatypes: each has the size and extent of its type in C or Fortran, goes from rank 0 to rank 1 as it is,
 * and is of the class as which reductions take it: numbers have sums, logical values a conjunction, pairs a place.
 */
#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "check.h"

enum { COUNT = 3, BYTES = 32 };

/* Bytes of a gap in the type do not go; `size` are those of the others. */
static void goes(struct checks *c, MPI_Datatype type, const char *name, size_t size, size_t bytes)
{
	unsigned char sent[COUNT * BYTES], got[COUNT * BYTES] = {0};
	MPI_Aint low, extent;
	int its, before = c->bad;

	MPI_Type_get_extent(type, &low, &extent);
	MPI_Type_size(type, &its);
	CHECK(c, low == 0 && (size_t)extent == bytes && (size_t)its == size);
	for (size_t i = 0; i < sizeof(sent); i++)
		sent[i] = (unsigned char)(1 + i);
	if (c->rank == 0)
		MPI_Send(sent, COUNT, type, 1, 0, MPI_COMM_WORLD);
	if (c->rank == 1) {
		int count;
		size_t same = 0;
		MPI_Status status;

		MPI_Recv(got, COUNT, type, 0, 0, MPI_COMM_WORLD, &status);
		MPI_Get_count(&status, type, &count);
		for (size_t i = 0; i < COUNT * bytes; i++)
			same += got[i] == sent[i];
		CHECK(c, count == COUNT && same == COUNT * size);
	}
	if (c->bad > before)
		fprintf(stderr, "%s: that was %s\n", __FILE__, name);
}

#define NUMBER(type, ctype) \
	do { \
		ctype a = 1, b = 2; \
		goes(&c, MPI_##type, #type, sizeof(ctype), sizeof(ctype)); \
		MPI_Reduce_local(&a, &b, 1, MPI_##type, MPI_SUM); \
		CHECK(&c, b == 3); \
	} while (0)
#define LOGICAL(type, ctype) \
	do { \
		ctype a = 1, b = 0; \
		goes(&c, MPI_##type, #type, sizeof(ctype), sizeof(ctype)); \
		MPI_Reduce_local(&a, &b, 1, MPI_##type, MPI_LOR); \
		CHECK(&c, b == 1); \
	} while (0)
#define BITS(type, ctype) \
	do { \
		ctype a = 5, b = 6; \
		goes(&c, MPI_##type, #type, sizeof(ctype), sizeof(ctype)); \
		MPI_Reduce_local(&a, &b, 1, MPI_##type, MPI_BXOR); \
		CHECK(&c, b == 3); \
	} while (0)
#define TEXT(type, ctype) goes(&c, MPI_##type, #type, sizeof(ctype), sizeof(ctype))
#define PAIR(type, vtype, itype) \
	do { \
		struct { \
			vtype value; \
			itype index; \
		} a = {4, 9}, b = {4, 7}; \
		goes(&c, MPI_##type, #type, sizeof(vtype) + sizeof(itype), sizeof(a)); \
		MPI_Reduce_local(&a, &b, 1, MPI_##type, MPI_MAXLOC); \
		CHECK(&c, b.value == 4 && b.index == 7); \
	} while (0)

static void of_c(struct checks *checks)
{
	struct checks c = *checks;

	TEXT(CHAR, char);
	TEXT(WCHAR, wchar_t);
	TEXT(PACKED, char);
	BITS(BYTE, unsigned char);
	NUMBER(SIGNED_CHAR, signed char);
	NUMBER(UNSIGNED_CHAR, unsigned char);
	NUMBER(SHORT, short);
	NUMBER(UNSIGNED_SHORT, unsigned short);
	NUMBER(INT, int);
	NUMBER(UNSIGNED, unsigned);
	NUMBER(LONG, long);
	NUMBER(UNSIGNED_LONG, unsigned long);
	NUMBER(LONG_LONG, long long);
	NUMBER(UNSIGNED_LONG_LONG, unsigned long long);
	NUMBER(INT8_T, int8_t);
	NUMBER(INT16_T, int16_t);
	NUMBER(INT32_T, int32_t);
	NUMBER(INT64_T, int64_t);
	NUMBER(UINT8_T, uint8_t);
	NUMBER(UINT16_T, uint16_t);
	NUMBER(UINT32_T, uint32_t);
	NUMBER(UINT64_T, uint64_t);
	NUMBER(AINT, MPI_Aint);
	NUMBER(OFFSET, MPI_Offset);
	NUMBER(COUNT, MPI_Count);
	LOGICAL(C_BOOL, bool);
	NUMBER(FLOAT, float);
	NUMBER(DOUBLE, double);
	NUMBER(LONG_DOUBLE, long double);
	NUMBER(C_COMPLEX, float _Complex);
	NUMBER(C_FLOAT_COMPLEX, float _Complex);
	NUMBER(C_DOUBLE_COMPLEX, double _Complex);
	NUMBER(C_LONG_DOUBLE_COMPLEX, long double _Complex);
	PAIR(FLOAT_INT, float, int);
	PAIR(DOUBLE_INT, double, int);
	PAIR(LONG_INT, long, int);
	PAIR(SHORT_INT, short, int);
	PAIR(2INT, int, int);
	PAIR(LONG_DOUBLE_INT, long double, int);
	*checks = c;
}

static void of_fortran_and_cxx(struct checks *checks)
{
	struct checks c = *checks;

	TEXT(CHARACTER, char);
	NUMBER(INTEGER, int);
	NUMBER(INTEGER1, int8_t);
	NUMBER(INTEGER2, int16_t);
	NUMBER(INTEGER4, int32_t);
	NUMBER(INTEGER8, int64_t);
	NUMBER(REAL, float);
	NUMBER(REAL4, float);
	NUMBER(REAL8, double);
	NUMBER(DOUBLE_PRECISION, double);
	NUMBER(COMPLEX, float _Complex);
	NUMBER(COMPLEX8, float _Complex);
	NUMBER(DOUBLE_COMPLEX, double _Complex);
	NUMBER(COMPLEX16, double _Complex);
	LOGICAL(LOGICAL, int);
	PAIR(2INTEGER, int, int);
	PAIR(2REAL, float, float);
	PAIR(2DOUBLE_PRECISION, double, double);
	LOGICAL(CXX_BOOL, bool);
	NUMBER(CXX_FLOAT_COMPLEX, float _Complex);
	NUMBER(CXX_DOUBLE_COMPLEX, double _Complex);
	NUMBER(CXX_LONG_DOUBLE_COMPLEX, long double _Complex);
	*checks = c;
}

int main(int argc, char *argv[])
{
	struct checks c;

	checks_begin(&c, &argc, &argv);
	of_c(&c);
	of_fortran_and_cxx(&c);
	return checks_end(&c, "predefined datatypes");
}
