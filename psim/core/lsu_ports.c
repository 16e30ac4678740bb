#include "lsu_ports.h"

/* Bytes of the banks' row that an access of `size` occupies in a cycle: whole banks. */
static unsigned row_bytes(const struct core *c, unsigned size)
{
	unsigned bank = c->cfg->l1d.bank_bytes;

	size = lsu_first_bytes(c, size);
	return size < bank ? bank : size;
}

bool lsu_wide_fits(const struct core *c, unsigned size)
{
	unsigned used = row_bytes(c, size) + c->ls.held_before * row_bytes(c, c->ls.beat_bytes);

	for (unsigned n = 0; n < c->ls.ports_checked; n++)
		used += row_bytes(c, c->ls.port_size[n]);
	return used <= c->cfg->l1d.banks * c->cfg->l1d.bank_bytes;
}

bool lsu_take_spare_port(struct core *c, uint64_t ea, unsigned size)
{
	if (!c->ls.ports_busy && c->ls.held.count) {
		release_ports(&c->ls.held, c->now);
		c->ls.ports_busy = c->ls.held_before = c->ls.held.count;
	}
	if (c->ls.ports_busy >= c->cfg->core.address_pipes || !lsu_row_fits(c, size) || lsu_bank_taken(c, ea, size))
		return false;
	lsu_take_port(c, ea, size);
	return true;
}

void lsu_forget_ports(struct core *c)
{
	c->ls.ports_checked = c->ls.ports_busy = c->ls.held_before = 0;
}
