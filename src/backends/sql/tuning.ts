/** Maximum number of idle connections kept open for the next queries; one caller seldom needs more at a time. */
export const MAX_IDLE_CONNECTIONS = 8

/**
 * Fraction of a query's remaining time. A statement that ran out of memory waits at most this long for other statements
 * before it is retried.
 */
export const MEMORY_RETRY_SHARE = 1 / 4

/** Minimum memory with which DuckDB starts, bytes. */
export const MIN_DUCKDB_BYTES = 64 * 2 ** 20

/** Memory limit of a database call that belongs to no query, bytes. */
export const CALL_MEMORY_BYTES = 256 * 2 ** 20

/** Number of rows of a file that are read to guess the types of its columns. */
export const TYPE_SAMPLE_ROWS = 1000

/** Default number of processes that read one SQLite file: one for long statements, one for short statements. */
export const SQLITE_PROCESSES = 2

/**
 * Default number of connections to one PostgreSQL server. By default, a server allows 100 connections for all its
 * clients.
 */
export const POSTGRES_CONNECTIONS = 4

/**
 * Number of rows in the first fetch from PostgreSQL. Their size in bytes decides how many rows the next fetch requests.
 */
export const FIRST_FETCH_ROWS = 64

/**
 * A PostgreSQL operator may use the query's memory divided by this number, since a statement runs a few operators at a
 * time.
 */
export const OPERATOR_MEMORY_ONE_IN = 8

/** Heap limit in MiB of a process that has a database open; its heap holds only batches in flight. */
export const PROCESS_HEAP_MIB = 512

/**
 * Number of threads that call DuckDB. A statement occupies a thread while it runs, so there are enough that a short
 * statement need not wait for long ones.
 */
export const CALL_THREADS = 64

/** Number of batches in flight to a reader, which reads one batch while the next is computed. */
export const BATCHES_IN_FLIGHT = 2

/** Maximum number of prepared statements that a connection caches; the least recently used one is closed first. */
export const MAX_PREPARED_STATEMENTS = 64

/** Bytes that a process may use beyond the memory limit of its statement, for code and page cache. */
export const PROCESS_SLACK_BYTES = 128 * 1024 * 1024

/**
 * Minimum length of a word prefix that is searched in the word index, UTF-16 units. Shorter prefixes match too many
 * words.
 */
export const MIN_HINT_PREFIX_CHARS = 4

/** Maximum length of a parameter name in UTF-16 units; below the limit of every database. */
export const MAX_PARAMETER_NAME_CHARS = 40

/** Maximum number of named parameters of a statement. SQLite finds a name by searching all earlier names. */
export const MAX_NAMED_PARAMETERS = 500

/** Maximum number of characters that a character set of a pattern lists one by one. */
export const MAX_SET_CHARS = 200

/** Bytes charged for each value of a result; the bytes of a string are added. */
export const VALUE_BYTES = 32

/**
 * Maximum number of strings for which a case-insensitive list test writes out each string in all upper- and lower-case
 * variants, so that a plain index can be used.
 */
export const MAX_SPELLED_STRINGS = 3

/** Maximum length, in days, of a time range for which zone offsets are computed in advance; about four years. */
export const MAX_ZONED_DAYS = 1500n

/**
 * Maximum number of spellings of a string's first letters that are compared before the whole string is converted to
 * lower case.
 */
export const MAX_BEGINNINGS = 2

/** Number of first letters that are compared in upper and lower case; each letter doubles the number of spellings. */
export const PREFIX_LETTERS = 3

/**
 * Maximum number of terms in one flat expression, since databases limit the depth of expressions. Longer chains become
 * balanced trees, and a longer CASE becomes a binary search.
 */
export const MAX_FLAT_TERMS = 16

/**
 * Maximum number of phrases or values of one test that a statement contains. Each adds a pattern of about 2 KB or one
 * index search.
 */
export const MAX_TEST_VALUES = 64

/**
 * Maximum number of values that a statement lists: distinct values of an indexed column, spellings of a string, or
 * calendar periods. Large enough for the days of a year.
 */
export const MAX_LISTED_VALUES = 1024
