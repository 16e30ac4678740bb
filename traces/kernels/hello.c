/* The smallest program that prints: the cost of start-up, printf and exit. */
#include <stdio.h>

int main(void)
{
	printf("hello, world: %d %s %.3f\n", 42, "text", 3.14159);
	return 0;
}
