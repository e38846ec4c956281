/**
 * Time that an operator runs alone before its morsels are offered, milliseconds. Another thread needs about 1 ms to be woken, to receive
 * the task and to give its result, so queries of up to 2 ms gain nothing. Set by `npm run bench -- --threads 2 --only Q13,Q25,Q33`.
 */
export const SHARE_AFTER_MS = 2

/**
 * Rows per group from which groups are computed by several threads: merging a group costs as much as adding a few rows to it. Set by
 * `npm run bench -- threads --only Q26,Q27`.
 */
export const MIN_ROWS_PER_GROUP = 8
