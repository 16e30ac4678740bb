	.text
	.globl _start, second
	.type _start,#function
	.type second,#function
	.type __second_alias,#function
	.type tail,#function
_start:	mov 7,%o0
	mov 1,%g1
	ta 0x6d
	nop
	.size _start,16
second:
__second_alias: nop
	nop
	.size second,8
	.size __second_alias,8
tail:	retl
	nop
