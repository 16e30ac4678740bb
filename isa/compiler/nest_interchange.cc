/*
 * The loop over lanes moves out of the loops around it, if these contain nothing else that stores: they become inner
 * loops, so that an array is transferred once and not in each of their iterations. Lanes are independent of each
 * other, which the program checks; so each lane may run all its iterations before the next one does.
 */
#include "nest_reader.hh"

namespace
{

/* The loops around loop `lanes` have loads and arithmetic in front of it, nothing behind it, and hand nothing on. */
bool only_loops_around(const nest &n, int lanes)
{
	for (int k = 0; k <= lanes; k++)
		if (!n.loops[k].carried.empty() || n.loops[k].at_end)
			return false;
	for (int k = 0; k < lanes; k++) {
		const std::vector<step> &body = n.loops[k].body;
		if (body.empty() || body.back().loop != k + 1)
			return false;
		for (size_t s = 0; s + 1 < body.size(); s++)
			if (body[s].loop >= 0 || n.nodes[body[s].node].kind == NODE_STORE)
				return false;
	}
	return true;
}

/* Loop `lanes` of a nest becomes loop 0, those around it loops 1 to `lanes`. */
struct interchange {
	nest &n;
	int lanes;

	int moved(int l) const
	{
		return l < 0 || l > lanes ? l : l == lanes ? 0 : l + 1;
	}

	/* The innermost loop of what was in the loop. */
	int inside(int l) const
	{
		return l == lanes ? lanes : moved(l);
	}

	void rotate(std::vector<tree> &coef) const
	{
		if (!coef.empty())
			std::rotate(coef.begin(), coef.begin() + lanes, coef.begin() + lanes + 1);
	}

	void loops()
	{
		std::vector<step> body = n.loops[lanes].body;
		std::rotate(n.loops.begin(), n.loops.begin() + lanes, n.loops.begin() + lanes + 1);
		n.loops[lanes].body.pop_back();
		n.loops[lanes].body.insert(n.loops[lanes].body.end(), body.begin(), body.end());
		n.loops[0].body = {{-1, 0}};
		for (nest_loop &l : n.loops) {
			l.parent = inside(l.parent);
			rotate(l.count.coef);
			for (step &s : l.body)
				s.loop = moved(s.loop);
		}
		n.loops[0].parent = -1;
		n.loops[1].parent = 0;
	}

	void all()
	{
		loops();
		for (node &v : n.nodes) {
			v.loop = moved(v.loop);
			rotate(v.number.coef);
		}
		for (reference &r : n.refs) {
			r.loop = inside(r.loop);
			rotate(r.at.coef);
		}
		for (family &f : n.families) {
			rotate(f.coef);
			f.lane = f.coef[0] != NULL_TREE;
		}
	}
};

} // namespace

bool nest_same_in_all_lanes(const nest &n)
{
	for (const reference &r : n.refs)
		if (r.write && !r.at.coef[0])
			return false;
	for (const nest_loop &l : n.loops)
		if (l.count.coef[0])
			return false;
	for (tree c : n.loops[0].count.coef)
		if (c)
			return false;
	for (const node &v : n.nodes)
		if (v.kind == NODE_NUMBER && v.number.coef[0])
			return false;
	return true;
}

bool nest_interchange(nest &n, int lanes)
{
	if (!only_loops_around(n, lanes))
		return false;
	interchange h = {n, lanes};
	h.all();
	n.interchanged = lanes;
	return nest_same_in_all_lanes(n);
}

static bool interchange_from(nest &n, class loop *around, class loop *l)
{
	reader r(n);
	n.outer = around;
	r.interchanges = true;
	r.collect_stores();
	if (r.loop_of(around, -1) != 0 || !r.sums() || !n.sums.empty() || !r.results() || !r.families())
		return false;
	return nest_interchange(n, r.index[l]);
}

bool nest_read_interchanged(nest &n, class loop *l)
{
	std::vector<class loop *> around;
	for (class loop *p = loop_outer(l); p && loop_outer(p); p = loop_outer(p))
		around.push_back(p);
	for (; !around.empty(); around.pop_back()) {
		nest t = {};
		t.in = n.in;
		t.fun = n.fun;
		t.where = n.where;
		t.automatic = n.automatic;
		t.region_line = n.region_line;
		if ((n.automatic || resident_block(*n.in, n.fun, place_of(around.back())) == n.region_line) &&
		    interchange_from(t, around.back(), l)) {
			n = t;
			return true;
		}
	}
	return false;
}
