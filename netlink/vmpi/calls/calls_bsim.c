/* Calls for program skeletons (bsim.h): times of computation, models, phases, parameters. */
#include <math.h>

#include "../message/message.h"

void vmpi_BSIM_Add_time(struct vmpi *v, double seconds)
{
	rank_compute(v, rank_enter(v, CALL_BSIM_Add_time), seconds);
}

/* Returns the seconds that a model predicts; fails the run if it cannot. */
static double model_time(struct vmpi *v, const char *model, int count, const double *arguments)
{
	const struct vmpi_skeleton *s = v->setup.skeleton;
	char why[160] = "no models were given";
	double seconds = 0;

	if (!model || (count > 0 && !arguments)) {
		rank_error(v, 0, VMPI_ERR_ARG, "%s NULL, expected %s", model ? "arguments" : "model",
			   model ? "an array" : "a name");
		return 0;
	}
	if (!s || !s->time || !s->time(s->user, model, count, arguments, &seconds, why, sizeof(why)))
		rank_error(v, 0, VMPI_ERR_ARG, "model '%.32s': %s", model, why);
	return seconds;
}

double vmpi_BSIM_Time(struct vmpi *v, const char *model, int count, const double *arguments)
{
	rank_enter(v, CALL_BSIM_Time);
	return model_time(v, model, count, arguments);
}

void vmpi_BSIM_Add_model(struct vmpi *v, const char *model, int count, const double *arguments)
{
	const struct vmpi_skeleton *s = v->setup.skeleton;
	struct rank *r = rank_enter(v, CALL_BSIM_Add_model);
	double seconds = model_time(v, model, count, arguments);
	struct vmpi_cost cost;
	char why[160];

	if (s && s->cost && !s->cost(s->user, model, arguments, &cost, why, sizeof(why)))
		rank_error(v, 0, VMPI_ERR_ARG, "model '%.32s': %s", model, why);
	rank_compute_by(v, r, seconds, model, s && s->cost ? &cost : NULL);
}

int vmpi_BSIM_Has_model(struct vmpi *v, const char *model)
{
	const struct vmpi_skeleton *s = v->setup.skeleton;

	rank_enter(v, CALL_BSIM_Has_model);
	return model && s && s->has && s->has(s->user, model);
}

double vmpi_BSIM_Parameter(struct vmpi *v, const char *name, double otherwise)
{
	const struct vmpi_skeleton *s = v->setup.skeleton;
	double value = otherwise;

	rank_enter(v, CALL_BSIM_Parameter);
	return name && s && s->parameter && s->parameter(s->user, name, &value) ? value : otherwise;
}

void vmpi_BSIM_Flops(struct vmpi *v, double count)
{
	rank_enter(v, CALL_BSIM_Flops);
	if (!(count >= 0 && isfinite(count)))
		rank_error(v, 0, VMPI_ERR_ARG, "%g operations: expected 0 or more", count);
	rank_process(v)->flops += count;
}

void vmpi_BSIM_Checkpoint(struct vmpi *v)
{
	rank_enter(v, CALL_BSIM_Checkpoint);
	if (checkpoint_mark(v, rank_process(v)) < 0)
		rank_error(v, 0, VMPI_ERR_ARG, "more than %d checkpoints of a rank", VMPI_CHECKPOINTS_MOST);
}

void vmpi_BSIM_Phase(struct vmpi *v, const char *name)
{
	rank_enter(v, CALL_BSIM_Phase);
	if (name)
		phase_enter(v, rank_process(v), name);
	else
		rank_error(v, 0, VMPI_ERR_ARG, "name NULL, expected a string; \"\" ends a phase");
}
