#include "warnings.h"

#include "../../psim/base/message_line.h"
#include "../../psim/base/version.h"
#include "estimates.h"
#include "point_kind.h"

/* Warns of combinations that are left out: a design that is missing is no bad one. */
void warn_skipped(const struct plan *p)
{
	char label[STUDY_LABEL_MAX];

	if (!p->skips.count)
		return;
	study_label(p->study, p->skips.at[0].combination, label);
	message("psim-explore: warning: %zu of %zu combinations are skipped (table study.skipped_reasons), the first: "
		"%s (%s)",
		p->skips.count, p->study->combinations, p->skips.at[0].why, label);
}

/* Warns of designs whose figures come from beyond the laws of energy and area. */
void warn_doubted(const struct plan *p)
{
	char label[STUDY_LABEL_MAX];

	if (!p->doubted)
		return;
	study_label(p->study, p->first_doubted, label);
	message("psim-explore: warning: %zu of %zu combinations are beyond the range of the models, the first: %s: %s",
		p->doubted, p->study->combinations, label, p->doubt);
}

/* Says what the results file lacks: the best of some designs is not the best of all. */
void warn_missing(const struct plan *p, const char *results, bool no_run)
{
	const size_t missing = plan_missing_count(p), other = plan_other_version_count(p);

	if (other)
		message("psim-explore: warning: %s has %zu points of another version only, expected %s", results, other,
			version_text());
	if (missing && no_run)
		message("psim-explore: warning: %zu of %zu points have no results in %s", missing, p->live, results);
}

/* Systems have energy where [power] has figures, and the engine knows what they need. */
void warn_no_energy(const struct plan *p)
{
	size_t none = 0, first = 0, known = 0;
	char label[STUDY_LABEL_MAX];

	for (size_t n = p->count; n-- > 0;) {
		if (p->points[n].skipped || !plan_has(&p->points[n]))
			continue;
		known++;
		if (p->points[n].figures.value[FIGURE_system_j] > 0)
			continue;
		none++;
		first = n;
	}
	if (!p->study->kind->cost || !none)
		return;
	study_label(p->study, p->points[first].combination, label);
	if (none == known)
		message("psim-explore: warning: %s: no point has energy, expected figures in [power]", p->study->path);
	else
		message("psim-explore: warning: %s: %zu of %zu points have no energy, the first: %s; fronts and means "
			"take it for 0, "
			"expected the same [power] and engines that know it, or --front time,cost",
			p->study->path, none, known, label);
}

void warn_unestimated(const struct plan *p)
{
	size_t sampled = 0;

	for (size_t n = 0; n < p->count; n++)
		sampled += p->points[n].sampled && p->points[n].units.count && !plan_has(&p->points[n]) &&
			   !p->points[n].left_out && !p->points[n].skipped && !p->points[n].wide;
	if (sampled)
		message("psim-explore: warning: %zu points are sampled and have no estimates yet, since "
			"units or whole runs that they need have no results: other shares have them (--merge)",
			sampled);
}
