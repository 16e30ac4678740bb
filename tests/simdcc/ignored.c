/*
 * Directives that bring no loop to the array, and say so: the comment is the line's message. Those of combined
 * constructs with simd do, and have none.
 */
static double a[4096], b[4096];

void target(int n)
{
#pragma omp target teams distribute parallel for // 'target teams distribute parallel for' without simd, expected
	for (int i = 0; i < n; i++)
		a[i] = 2 * b[i];
}

void nested(int n)
{
#pragma omp target map(to : b) map(from : a)
#pragma omp teams distribute // 'teams distribute' without simd, expected 'teams distribute simd'
	/* A comment
	   of two lines. */
	for (int i = 0; i < n; i++)
		a[i] = 2 * b[i];
}

double threads(int n)
{
	double s = 0;

#pragma omp parallel
#pragma omp for reduction(+ : s) schedule(static) // 'for' without simd, expected 'for simd'
	for (int i = 0; i < n; i++)
		s += b[i];
	return s;
}

void tasks(int n)
{
#pragma omp taskloop grainsize(16) // 'taskloop' without simd, expected 'taskloop simd'
	for (int i = 0; i < n; i++)
		a[i] = 2 * b[i];
}

void combined(int n)
{
#pragma omp target teams distribute parallel for simd
	for (int i = 0; i < n; i++)
		a[i] = 2 * b[i];
#pragma omp for simd collapse(2)
	for (int i = 0; i < n; i++)
		for (int j = 0; j < 8; j++)
			a[8 * i + j] = 3 * b[8 * i + j];
#pragma omp taskloop simd
	for (int i = 0; i < n; i++)
		a[i] = 4 * b[i];
}

void loops(int n)
{
#pragma omp loop bind(thread)
	for (int i = 0; i < n; i++)
		a[i] = 2 * b[i];
#pragma omp target teams loop
	for (int i = 0; i < n; i++)
		a[i] = 3 * b[i];
}

/* The preprocessor leaves out what is in #if 0; #ifdef _OPENMP says that the program can do without. */
void guarded(int n)
{
#ifdef _OPENMP
#pragma omp parallel for
#endif
	for (int i = 0; i < n; i++)
		a[i] = 2 * b[i];
#if 0
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		a[i] = 2 * b[i];
#endif
}

static void in_vain(int n)
{
#pragma omp simd // it never runs
	for (int i = 0; i < n; i++)
		a[i] = 2 * b[i];
}

void never(int n)
{
	if (n != n)
		in_vain(n);
	if (0)
#pragma omp simd // it never runs
		for (int i = 0; i < n; i++)
			a[i] = 2 * b[i];
#pragma omp simd // it never runs
	for (int i = 0; i < 0; i++)
		a[i] = 2 * b[i];
}

static void __attribute__((unused)) uncalled(int n)
{
#pragma omp simd // it never runs
	for (int i = 0; i < n; i++)
		a[i] = 2 * b[i];
}

/* A header's function may have no use. */
static inline void unused(int n)
{
#pragma omp simd
	for (int i = 0; i < n; i++)
		a[i] = 2 * b[i];
}

void once(int n)
{
#pragma omp simd // it has one iteration
	for (int i = 0; i < 1; i++)
		a[n + i] = 2 * b[n];
}

void chosen(int n, int wide)
{
#pragma omp simd if (wide) // an if clause whose condition is not a constant
	for (int i = 0; i < n; i++)
		a[i] = 2 * b[i];
}
