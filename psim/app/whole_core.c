#include "whole_core.h"

#include "../segments/segments.h"
#include "../replay/memo.h"
#include "../view/pipeview.h"

const struct core_hooks whole_core = {
	.replay = &memo_hooks,
	.view = &pipeview_hooks,
	.sync_point = segment_sync_point,
};
