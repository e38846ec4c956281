/** Operators that keep no rows in order ask for so many batches at a time: arrays of some size are cheaper than many. */
export const BATCHES_AT_ONCE = 4

/** An operator that looks for the first rows holds this many more than are wanted before it drops the rows that cannot be in its answer. */
export const SPARE_ROWS = 65_536

/** Bytes that a row is counted as which an operator holds by its place. */
export const PLACE_BYTES = 32

/**
 * Rows of a column are read one by one if at most one row in this many is in question: a scan of all rows takes about as long a row
 * as that. Set by `npm run bench -- --only Q05,Q08,Q09,Q10`.
 */
export const FEW_ROWS_ONE_IN = 16

/** Entries up to which a whole dictionary is ordered or turned into numbers at once, and the result is cached. */
export const WHOLE_DICTIONARY_ENTRIES = 65_536

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

/**
 * Slots of a table with one for each possible group: a pair of two keys, or a bucket of the time. Beyond them groups are found by their
 * hashes. Set by `npm run bench -- --only Q26,Q28,Q33`.
 */
export const MAX_TABLE_SLOTS = 2 ** 22

/** Bytes that a group is counted as: its key, or its state in one call. */
export const GROUP_BYTES = 160
