/* The name of the interface of PU files for those who write them; the installed tree has the same name. */
#include "netlink/wormhole/pu.h"
