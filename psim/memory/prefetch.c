/* The part that all kinds of prefetchers share. */
#include "prefetch.h"

static const struct prefetch_kind *const rows[] = {
#define PREFETCHER_ROW(id, name) [id] = &id##_kind,
	PREFETCHERS(PREFETCHER_ROW)
#undef PREFETCHER_ROW
};

int prefetcher_init(struct prefetcher *p, const struct prefetch_params *cfg, uint64_t page_size, unsigned line_bytes)
{
	*p = (struct prefetcher){
		.row = rows[cfg->kind],
		.page_mask = page_size > line_bytes ? ~(page_size / line_bytes - 1) : ~0ull,
	};
	p->fills = cfg->enabled && p->row->fill;
	p->state = p->row->create(cfg);
	return p->state ? 0 : -1;
}

void prefetcher_finish(struct prefetcher *p)
{
	state_block_free(p->state);
	p->state = NULL;
}

void prefetcher_walk(struct prefetcher *p, const struct state_walk *w)
{
	state_piece(w, &p->wanting, sizeof(p->wanting));
	state_block_walk(w, p->state);
}

void prefetcher_digest(struct prefetcher *p, uint64_t now, struct digest *d)
{
	p->row->digest(p, now, d);
}

void prefetcher_storage(const struct prefetch_params *cfg, struct prefetch_storage *out)
{
	*out = (struct prefetch_storage){0};
	if (cfg->enabled)
		rows[cfg->kind]->storage(cfg, out);
}
