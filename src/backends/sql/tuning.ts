/** Connections that stay open for the next query: a caller has a few at one time. */
export const MAX_IDLE_CONNECTIONS = 8

/** Share of its time, from 0 to 1, that a statement without memory waits for others to end. */
export const MEMORY_RETRY_SHARE = 1 / 4

/** Bytes without which DuckDB does not start. */
export const MIN_DUCKDB_BYTES = 64 * 2 ** 20

/** Bytes of memory for a call without a query. */
export const CALL_MEMORY_BYTES = 256 * 2 ** 20

/** Rows of a file whose values tell the types of its columns. */
export const TYPE_SAMPLE_ROWS = 1000

/** Processes that read one SQLite file, unless given: one for long statements, one for short ones. */
export const SQLITE_PROCESSES = 2

/** Connections to one PostgreSQL server, unless given: a server has 100 for everyone by default. */
export const POSTGRES_CONNECTIONS = 4

/** Rows of the first fetch from PostgreSQL, whose length decides how many the next one has. */
export const FIRST_FETCH_ROWS = 64

/** An operator of PostgreSQL may use one part in this many of the query memory: a few run at one time. */
export const OPERATOR_MEMORY_ONE_IN = 8

/** Heap limit of a database process, MiB: it holds batches in flight and no data. */
export const PROCESS_HEAP_MIB = 512

/** Threads that call DuckDB: a statement holds one while it runs, so that a short one does not wait for long ones. */
export const CALL_THREADS = 64

/** Batches that are in flight to a reader: one is read while the next is made. */
export const BATCHES_IN_FLIGHT = 2

/** Prepared statements of a connection; the least recently used is closed first. */
export const MAX_PREPARED_STATEMENTS = 64

/** Bytes that a process may use besides the memory of its statement: its code and page cache. */
export const PROCESS_SLACK_BYTES = 128 * 1024 * 1024

/** UTF-16 units from which a prefix is looked up in the word index: a shorter one stands for too many words. */
export const MIN_HINT_PREFIX_CHARS = 4

/** Longest name of a parameter, UTF-16 units; below the limit of every database. */
export const MAX_PARAMETER_NAME_CHARS = 40

/** Named parameters of a statement: SQLite searches all names that it has seen for each one. */
export const MAX_NAMED_PARAMETERS = 500

/** Characters of the widest set that a pattern lists. */
export const MAX_SET_CHARS = 200

/** Bytes of memory that a value of a result is counted as; its string is counted on top. */
export const VALUE_BYTES = 32

/** Strings of a list up to which each stands in every spelling, so that a plain index serves. */
export const MAX_SPELLED_STRINGS = 3

/** Days of a range whose zone offsets are computed; four years. */
export const MAX_ZONED_DAYS = 1500n

/** Spellings of the beginning of a string that are compared before it is lowered. */
export const MAX_BEGINNINGS = 2

/** Letters of the beginning that is spelled: each doubles the spellings. */
export const PREFIX_LETTERS = 3

/** Terms of one expression: a longer chain becomes a balanced tree, because databases limit its depth, and a longer CASE a bisection. */
export const MAX_FLAT_TERMS = 16

/** Phrases or values of one test in a statement: each brings a pattern of about 2 KB, or one search of an index. */
export const MAX_TEST_VALUES = 64

/** Values that a statement lists: distinct values of an indexed column, spellings in either case, periods of a calendar, of which a year of days fits. */
export const MAX_LISTED_VALUES = 1024
