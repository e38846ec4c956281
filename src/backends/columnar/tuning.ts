/**
 * Number of batches that operators request at once if row order does not matter to them. Few large arrays are cheaper
 * than many small ones.
 */
export const BATCHES_AT_ONCE = 4

/**
 * Number of rows that a top-k operator holds beyond the wanted ones. Above it, the operator drops rows that cannot be
 * in the answer.
 */
export const SPARE_ROWS = 65_536

/** The bytes charged for each row that an operator holds as a reference instead of its values. */
export const PLACE_BYTES = 32

/**
 * Values of a column are read one by one if at most one row in this many is needed; otherwise the whole column is
 * scanned. At this fraction both ways take equally long. Set by `npm run bench -- --only Q05,Q08,Q09,Q10`.
 */
export const FEW_ROWS_ONE_IN = 16

/**
 * Maximum number of entries of a dictionary that is sorted or parsed as numbers completely, with a cached result. Of
 * larger dictionaries only the needed entries are processed.
 */
export const WHOLE_DICTIONARY_ENTRIES = 65_536

/**
 * Milliseconds for which an operator runs alone before it offers morsels. Another thread needs about 1 ms to wake up,
 * receive the task and return its result, so queries of up to 2 ms gain nothing. Set by `npm run bench -- --threads 2
 * --only Q13,Q25,Q33`.
 */
export const SHARE_AFTER_MS = 2

/**
 * Minimum number of rows per group for several threads to group rows together. With fewer rows per group, merging costs
 * more than the threads save. Set by `npm run bench -- threads --only Q26,Q27`.
 */
export const MIN_ROWS_PER_GROUP = 8

/**
 * Maximum number of slots of a direct table, which has a slot for each possible group: a pair of two keys, or a time
 * bucket. For more groups, hash tables are used. Set by `npm run bench -- --only Q26,Q28,Q33`.
 */
export const MAX_TABLE_SLOTS = 2 ** 22

/** The bytes charged for the keys of a group, and again for its state in each call. */
export const GROUP_BYTES = 160
