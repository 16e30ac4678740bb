/*
 * The keywords of the routing part (NDL, section 3.4). The C program that `inspire` writes includes
 * it after the user's C part, so that the C part may use the same names. `ndl_view` is the hidden
 * argument of every routing function.
 */
#include "program.h"

#pragma GCC system_header /* the compiler's messages name the description's line, not this file's */

#define ndl_choice(port, vc, ...) ((struct routing_choice){(int32_t)(port), (int32_t)(vc)})
#define ndl_escape(port, vc, ...) ((struct routing_choice){(int32_t)(port), (int32_t)(vc), true})
/* 0, unless the number of arguments is neither 1 nor 2. */
#define ndl_nth(a, b, c, d, e, n, ...) n
#define ndl_arguments(...) \
	(0 * sizeof(struct { \
		 _Static_assert(sizeof(#__VA_ARGS__) > 1 && ndl_nth(__VA_ARGS__, 0, 0, 0, 1, 1, 0), \
				"expected an output, or an output and a virtual channel"); \
		 int ndl_member; \
	 }))
#define route(...) return (void)ndl_arguments(__VA_ARGS__), ndl_choice(__VA_ARGS__, 0, 0)
#define escape(...) return (void)ndl_arguments(__VA_ARGS__), ndl_escape(__VA_ARGS__, 0, 0)
#define retry return ndl_choice(ROUTE_RETRY, 0, 0)
#define msg_dest_dim(d) (routing_dest_dim(ndl_view, (int64_t)(d), __LINE__))
#define msg_bytes() ((int)ndl_view->bytes)
#define msg_in_port() (ndl_view->in_port)
#define msg_in_virt() (ndl_view->in_vc)
#define msg_trail_move() (ndl_view->trail_move(ndl_view))
#define ndl_port(word, p) routing_limit(ndl_view, word, "output", (int64_t)(p), ndl_view->outputs, __LINE__)
#define ndl_vc(word, v) routing_limit(ndl_view, word, "virtual channel", (int64_t)(v), ndl_view->vcs, __LINE__)
#define swt_phys_free(p) (ndl_view->phys_free(ndl_view, ndl_port("swt_phys_free", p)))
#define swt_virt_room(p, v) (ndl_view->virt_room(ndl_view, ndl_port("swt_virt_room", p), ndl_vc("swt_virt_room", v)))
#define swt_virt_free(p, v) (ndl_view->virt_free(ndl_view, ndl_port("swt_virt_free", p), ndl_vc("swt_virt_free", v)))
