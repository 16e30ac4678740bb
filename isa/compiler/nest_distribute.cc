/*
 * A loop without a directive whose iterations are not independent may be several nests that run one after the other,
 * each over lanes of its own: y[j] += a[i][j] * t[i] beside t[i] += a[i][j] * x[j]. A part is all that is needed for
 * the arrays that it stores to. Parts share no array that is stored to, but elements of one iteration that an earlier
 * part stores and a later one loads; psim_nest_parts.c verifies that arrays with different names do not overlap.
 */
#include "nest_reader.hh"

#include "options.h"

namespace
{

enum { PARTS_MAX = 4 }; /* as in psim_nest_parts.c */

struct part {
	std::set<int> arrays, nodes; /* that it stores to; that it needs */
};

struct parts_maker {
	nest &whole;
	std::vector<part> parts;

	parts_maker(nest &of) : whole(of)
	{
	}

	int array_stored(int id) const
	{
		const node &v = whole.nodes[id];
		return v.kind == NODE_STORE ? array_of(whole, whole.refs[v.ref].family) : -1;
	}

	/* Adds a node and what it is computed from. */
	void need(part &p, int id)
	{
		if (id < 0 || !p.nodes.insert(id).second)
			return;
		need(p, whole.nodes[id].a);
		need(p, whole.nodes[id].b);
		need(p, whole.nodes[id].x);
		need(p, whole.nodes[id].y);
	}

	void find()
	{
		for (int id = 0; id < (int)whole.nodes.size(); id++) {
			int array = array_stored(id);
			if (array < 0)
				continue;
			auto of = std::find_if(parts.begin(), parts.end(),
					       [array](const part &p) { return p.arrays.count(array); });
			if (of == parts.end()) {
				parts.emplace_back();
				of = parts.end() - 1;
				of->arrays.insert(array);
			}
			need(*of, id);
		}
	}

	/* Returns whether a part loads from an array that another one stores to. */
	bool loads_from(const part &p, const part &other) const
	{
		for (int id : p.nodes) {
			const node &v = whole.nodes[id];
			if (v.kind == NODE_LOAD && other.arrays.count(array_of(whole, whole.refs[v.ref].family)))
				return true;
		}
		return false;
	}

	/* Parts that load from each other, also by way of others, become one. */
	void join_cycles()
	{
		size_t count = parts.size();
		std::vector<std::vector<bool>> from(count, std::vector<bool>(count));
		for (size_t a = 0; a < count; a++)
			for (size_t b = 0; b < count; b++)
				from[a][b] = a != b && loads_from(parts[a], parts[b]);
		for (size_t k = 0; k < count; k++)
			for (size_t a = 0; a < count; a++)
				for (size_t b = 0; b < count; b++)
					from[a][b] = from[a][b] || (from[a][k] && from[k][b]);
		std::vector<part> joined;
		std::vector<bool> done(count);
		for (size_t a = 0; a < count; a++) {
			if (done[a])
				continue;
			joined.push_back(parts[a]);
			for (size_t b = a + 1; b < count; b++)
				if (from[a][b] && from[b][a]) {
					joined.back().arrays.insert(parts[b].arrays.begin(), parts[b].arrays.end());
					joined.back().nodes.insert(parts[b].nodes.begin(), parts[b].nodes.end());
					done[b] = true;
				}
		}
		parts = joined;
	}

	/* Parts that load come after those that store; there are no cycles. */
	void sort()
	{
		std::vector<part> sorted;
		while (!parts.empty())
			for (size_t a = 0; a < parts.size(); a++) {
				bool first = true;
				for (size_t b = 0; b < parts.size(); b++)
					first &= a == b || !loads_from(parts[a], parts[b]);
				if (!first)
					continue;
				sorted.push_back(parts[a]);
				parts.erase(parts.begin() + a);
				break;
			}
		parts = sorted;
	}

	/* The place in the body of loop 0 of what a node is in. */
	int place_of_node(int id) const
	{
		for (size_t l = 0; l < whole.loops.size(); l++)
			for (size_t s = 0; s < whole.loops[l].body.size(); s++) {
				if (whole.loops[l].body[s].node != id)
					continue;
				int top = (int)l;
				while (top > 0 && whole.loops[top].parent > 0)
					top = whole.loops[top].parent;
				if (top == 0)
					return (int)s;
				for (size_t k = 0; k < whole.loops[0].body.size(); k++)
					if (whole.loops[0].body[k].loop == top)
						return (int)k;
			}
		return -1;
	}

	/* Returns whether a load is of its iteration's element, which `first` stores in front of it, at one place. */
	bool flows(int load, const part &first) const
	{
		const reference &at = whole.refs[whole.nodes[load].ref];
		int array = array_of(whole, at.family);
		for (size_t l = 0; l < at.at.coef.size(); l++)
			if ((at.at.coef[l] != NULL_TREE) != (l == 0))
				return false;
		for (int id : first.nodes) {
			if (array_stored(id) != array)
				continue;
			if (whole.refs[whole.nodes[id].ref].base != at.base || place_of_node(id) >= place_of_node(load))
				return false;
		}
		return true;
	}

	/* Marks what flows from an earlier part to a later one. False if it is more than elements of one iteration. */
	bool mark_flows()
	{
		for (size_t p = 0; p < parts.size(); p++)
			for (int id : parts[p].nodes) {
				const node &v = whole.nodes[id];
				if (v.kind != NODE_LOAD)
					continue;
				for (size_t q = 0; q < parts.size(); q++) {
					if (q == p || !parts[q].arrays.count(array_of(whole, whole.refs[v.ref].family)))
						continue;
					if (!flows(id, parts[q]))
						return false;
					whole.refs[v.ref].flows = true;
				}
			}
		return true;
	}

	bool all()
	{
		find();
		join_cycles();
		sort();
		return parts.size() > 1 && parts.size() <= PARTS_MAX && mark_flows();
	}
};

/* A nest with some nodes of another one: numbers of loops, nodes and references change. */
struct extract {
	const nest &from;
	const std::set<int> &nodes;
	std::vector<int> loop, node_at;

	extract(const nest &of, const std::set<int> &which) : from(of), nodes(which)
	{
	}

	int mapped(const std::vector<int> &by, int k) const
	{
		return k < 0 ? k : by[k];
	}

	std::vector<tree> mapped(const std::vector<tree> &coef, size_t count) const
	{
		std::vector<tree> to(count, NULL_TREE);
		for (size_t l = 0; l < coef.size() && l < loop.size(); l++)
			if (coef[l] && loop[l] >= 0)
				to[loop[l]] = coef[l];
		return to;
	}

	/* Loops of the nodes, and those around them. */
	void find_loops()
	{
		std::vector<bool> used(from.loops.size());
		for (size_t l = 0; l < from.loops.size(); l++) {
			bool any = false;
			for (const step &s : from.loops[l].body)
				any |= s.node >= 0 && nodes.count(s.node);
			for (int at = (int)l; any && at >= 0; at = from.loops[at].parent)
				used[at] = true;
		}
		int next = 0;
		for (size_t l = 0; l < used.size(); l++)
			loop.push_back(used[l] ? next++ : -1);
	}

	void find_nodes(nest &to)
	{
		for (int id = 0; id < (int)from.nodes.size(); id++) {
			node_at.push_back(nodes.count(id) ? (int)to.nodes.size() : -1);
			if (nodes.count(id))
				to.nodes.push_back(from.nodes[id]);
		}
	}

	void copy_loops(nest &to)
	{
		for (size_t l = 0; l < from.loops.size(); l++) {
			if (loop[l] < 0)
				continue;
			nest_loop of = from.loops[l];
			of.parent = mapped(loop, of.parent);
			of.body.clear();
			of.carried.clear();
			for (const step &s : from.loops[l].body)
				if (s.node >= 0 ? node_at[s.node] >= 0 : loop[s.loop] >= 0)
					of.body.push_back({mapped(node_at, s.node), mapped(loop, s.loop)});
			for (int id : from.loops[l].carried)
				if (node_at[id] >= 0)
					of.carried.push_back(node_at[id]);
			to.loops.push_back(of);
		}
		for (nest_loop &l : to.loops)
			l.count.coef = mapped(l.count.coef, to.loops.size());
	}

	void copy_refs(nest &to)
	{
		for (node &v : to.nodes) {
			v.a = mapped(node_at, v.a);
			v.b = mapped(node_at, v.b);
			v.x = mapped(node_at, v.x);
			v.y = mapped(node_at, v.y);
			v.loop = mapped(loop, v.loop);
			v.number.coef = mapped(v.number.coef, to.loops.size());
			if (v.ref < 0)
				continue;
			reference r = from.refs[v.ref];
			v.ref = (int)to.refs.size();
			r.at.coef = mapped(r.at.coef, to.loops.size());
			r.loop = loop[r.loop];
			r.family = -1;
			r.base = v.ref;
			for (int k = 0; k < v.ref && r.base == v.ref; k++)
				if (to.refs[k].size == r.size && same_affine(to.refs[k].at, r.at))
					r.base = k;
			to.refs.push_back(r);
		}
	}

	bool all(nest &to)
	{
		to.in = from.in;
		to.fun = from.fun;
		to.outer = from.outer;
		to.where = from.where;
		to.automatic = true;
		find_loops();
		find_nodes(to);
		copy_loops(to);
		copy_refs(to);
		return reader(to).families();
	}
};

/* Chooses the loop over lanes: the outermost if it can be, or one in it. */
bool choose_lanes(nest &n)
{
	if (nest_same_in_all_lanes(n))
		return true;
	for (int lanes = 1; lanes < (int)n.loops.size(); lanes++) {
		nest t = n;
		if (nest_interchange(t, lanes)) {
			n = t;
			return true;
		}
	}
	return false;
}

} // namespace

bool nest_distribute(nest &whole, class loop *l, std::vector<nest> &parts)
{
	reader r(whole);
	whole.outer = l;
	r.interchanges = true;
	r.collect_stores();
	if (r.loop_of(l, -1) != 0 || !r.sums() || !whole.sums.empty() || !r.results() || !r.families() ||
	    whole.loops[0].at_end)
		return false;
	parts_maker m(whole);
	if (!m.all())
		return false;
	bool worth = false;
	for (const part &p : m.parts) {
		nest n = {};
		if (!extract(whole, p.nodes).all(n) || !choose_lanes(n))
			return false;
		n.in_caches = nest_in_caches(n, whole.in->on_array);
		whole.in_caches |= n.in_caches;
		worth |= !nest_never_worth(n);
		parts.push_back(n);
	}
	return worth;
}
