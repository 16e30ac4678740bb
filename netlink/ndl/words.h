/*
 * The keywords of the routing part (NDL, section 3.4). The C program that `inspire` writes includes
 * it after the user's C part, so that the C part may use the same names. `ndl_view` is the hidden
 * argument of every routing function.
 */
#include "program.h"

#define ndl_choice(port, vc, ...) ((struct routing_choice){(int32_t)(port), (int32_t)(vc)})
#define route(...) return ndl_choice(__VA_ARGS__, 0, 0)
#define retry return ndl_choice(ROUTE_RETRY, 0, 0)
#define msg_dest_dim(d) (ndl_view->dest[d])
#define msg_bytes() ((int)ndl_view->bytes)
#define msg_in_port() (ndl_view->in_port)
#define msg_in_virt() (ndl_view->in_vc)
#define msg_trail_move() (ndl_view->trail_move(ndl_view))
#define swt_phys_free(p) (ndl_view->phys_free(ndl_view, (int32_t)(p)))
#define swt_virt_room(p, v) (ndl_view->virt_room(ndl_view, (int32_t)(p), (int32_t)(v)))
#define swt_virt_free(p, v) (ndl_view->virt_free(ndl_view, (int32_t)(p), (int32_t)(v)))
