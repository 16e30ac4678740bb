#include "whole_core.h"

#include "../segments/segments.h"
#include "../replay/memo.h"
#include "../pipe_trace/pipe_trace.h"

const struct core_hooks whole_core = {
	.replay = &memo_hooks,
	.pipe_trace = &pipe_trace_hooks,
	.sync_point = segment_sync_point,
};
