/**
 * The number of batches that operators without row order request at a time, since few large arrays are cheaper than
 * many small ones.
 */
export const BATCHES_AT_ONCE = 4

/**
 * The number of rows beyond the wanted ones that a top-k operator holds before it drops those that cannot be in the
 * answer.
 */
export const SPARE_ROWS = 65_536

/** The bytes charged for a row that an operator holds by its position. */
export const PLACE_BYTES = 32

/**
 * Values of a column are read one by one when at most one row in this many is needed; a scan of all rows then takes as
 * long. Set by `npm run bench -- --only Q05,Q08,Q09,Q10`.
 */
export const FEW_ROWS_ONE_IN = 16

/** The most entries of a dictionary that is ordered or parsed as numbers at once and cached. */
export const WHOLE_DICTIONARY_ENTRIES = 65_536

/**
 * Milliseconds for which an operator runs alone before it offers morsels. Another thread needs about 1 ms to wake up,
 * receive the task and return its result, so queries of up to 2 ms gain nothing. Set by `npm run bench -- --threads 2
 * --only Q13,Q25,Q33`.
 */
export const SHARE_AFTER_MS = 2

/**
 * The rows per group from which several threads compute groups, since merging a group costs as much as adding a few
 * rows. Set by `npm run bench -- threads --only Q26,Q27`.
 */
export const MIN_ROWS_PER_GROUP = 8

/**
 * The most slots of a table with one slot for each possible group: a pair of two keys, or a time bucket. Larger tables
 * use hashes. Set by `npm run bench -- --only Q26,Q28,Q33`.
 */
export const MAX_TABLE_SLOTS = 2 ** 22

/** The bytes charged for a group: its key, or its state in one call. */
export const GROUP_BYTES = 160
