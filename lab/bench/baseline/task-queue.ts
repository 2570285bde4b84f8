// Where the baseline's worker and its callers meet.

export const BASELINE_TASK_QUEUE = 'bench-baseline';
