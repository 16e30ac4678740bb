/* The public path of the PU interface; the installed tree has the same path. */
#include "netlink/wormhole/pu.h"
