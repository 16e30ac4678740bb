#include "whole_core.h"

#include "chunks.h"
#include "memo.h"
#include "pipeview.h"

const struct core_hooks whole_core = {
	.replay = &memo_hooks,
	.view = &pipeview_hooks,
	.sync_point = chunk_sync_point,
};
