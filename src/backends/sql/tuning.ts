/** Milliseconds between two checks of the budget of a running statement: a cancel takes effect within 50. */
export const BUDGET_WATCH_MS = 20

/** Connections that stay open for the next query: a caller has a few at one time. */
export const MAX_IDLE_CONNECTIONS = 8

/** Share of its time, from 0 to 1, that a statement without memory waits for others to end. */
export const MEMORY_RETRY_SHARE = 1 / 4

/** Bytes without which DuckDB does not start. */
export const MIN_DUCKDB_BYTES = 64 * 2 ** 20

/** Milliseconds that a call waits for the successor of a process that ended, unless given: a start takes less than 1 s. */
export const PROCESS_AWAY_MS = 10_000

/** Milliseconds between two attempts to reach a process that is starting. */
export const RECONNECT_MS = 50

/** Milliseconds for a call without a query: the description of a table, or a plan. */
export const CALL_TIMEOUT_MS = 60_000

/** Bytes of memory for a call without a query. */
export const CALL_MEMORY_BYTES = 256 * 2 ** 20

/** Rows of a file whose values tell the types of its columns. */
export const TYPE_SAMPLE_ROWS = 1000

/** Bytes of lines below which an export does not write a batch; twice as many are held. */
export const MIN_LINE_BYTES = 1 << 20

/** Processes that read one SQLite file, unless given: one for long statements, one for short ones. */
export const SQLITE_PROCESSES = 2

/** Connections to one PostgreSQL server, unless given: a server has 100 for everyone by default. */
export const POSTGRES_CONNECTIONS = 4

/** Milliseconds for opening a connection. */
export const CONNECT_TIMEOUT_MS = 10_000

/** Rows of the first fetch from PostgreSQL, whose length decides how many the next one has. */
export const FIRST_FETCH_ROWS = 64

/** Bytes of text that a fetch from PostgreSQL aims at, so that a batch of long rows has few (bench `foreign`). */
export const FETCH_BYTES = 2 ** 20

/** Rows up to which a bounded statement is fetched at once, which lets the server use parallel workers (bench `foreign`, Q31). */
export const SINGLE_FETCH_ROWS = 1024

/** Bytes of received text between two extensions of the memory reservation. */
export const RESERVATION_STEP_BYTES = 2 ** 18

/** An operator of PostgreSQL may use one part in this many of the query memory: a few run at one time. */
export const OPERATOR_MEMORY_ONE_IN = 8

/** Milliseconds that a transaction may wait beyond the time of its query if this process stands still. */
export const IDLE_GRACE_MS = 10_000

/** Milliseconds before a cancel request is repeated; doubles up to `MAX_CANCEL_PAUSE_MS`. */
export const FIRST_CANCEL_PAUSE_MS = 20

/** Most milliseconds between two cancel requests. */
export const MAX_CANCEL_PAUSE_MS = 2_000

/** Milliseconds between two reports of progress from ClickHouse. */
export const PROGRESS_INTERVAL_MS = 500

/** Milliseconds for a statement that reads metadata alone. */
export const METADATA_TIMEOUT_MS = 10_000

/** Bytes of received rows after which a batch ends even if it could have more. */
export const MAX_BATCH_BYTES = 4 * 2 ** 20

/** Milliseconds after a stop request in which a statement has to end, before the database counts as stuck. */
export const STUCK_MS = 10_000

/** Milliseconds between two heartbeats of a database process. */
export const HEARTBEAT_MS = 250

/** Milliseconds without a heartbeat after which a database process is killed. */
export const HEARTBEAT_TIMEOUT_MS = 10_000

/** Heap limit of a database process, MiB: it holds batches in flight and no data. */
export const PROCESS_HEAP_MIB = 512

/** Threads that call DuckDB: a statement holds one while it runs, so that a short one does not wait for long ones. */
export const CALL_THREADS = 64

/** Milliseconds before a database process is started again; doubles up to `MAX_START_PAUSE_MS`. */
export const FIRST_START_PAUSE_MS = 100

/** Most milliseconds between two starts of a database process. */
export const MAX_START_PAUSE_MS = 5_000

/** Niceness of a database process, as of the workers that answer queries. */
export const PROCESS_NICENESS = 5

/** Batches that are in flight to a reader: one is read while the next is made. */
export const BATCHES_IN_FLIGHT = 2

/** Prepared statements of a connection; the least recently used is closed first. */
export const MAX_PREPARED_STATEMENTS = 64

/** Bytes that a process may use besides the memory of its statement: its code and page cache. */
export const PROCESS_SLACK_BYTES = 128 * 1024 * 1024

/** Times that a statement is written again because its file changed, before it is written without knowledge. */
export const MAX_RELEARNS = 3

/** Distinct values of an indexed column that are learned; a test is then decided value by value. */
export const MAX_KNOWN_VALUES = 256

/** Values of a list that an index looks up; with more, reading all rows is no slower. */
export const MAX_LOOKED_UP_VALUES = 64

/** Ranges of an index that are read for the spellings of one string. */
export const MAX_INDEX_RANGES = 8

/** Times in a row that a statement is compiled again because values were learned meanwhile; more is a fault. */
export const MAX_RECOMPILES = 10

/** UTF-16 units from which a prefix is looked up in the word index: a shorter one stands for too many words. */
export const MIN_HINT_PREFIX_CHARS = 4

/** Values of a list that is used although its complement is shorter: an index can look it up. */
export const MAX_INDEXED_LIST = 64

/** Terms of a chain that stays flat; longer ones become balanced trees, because databases limit the depth of expressions. */
export const MAX_FLAT_TERMS = 16

/** UTF-16 units of a line of a statement, for people who read it. */
export const LINE_CHARS = 100

/** Longest name of a parameter, UTF-16 units; below the limit of every database. */
export const MAX_PARAMETER_NAME_CHARS = 40

/** Named parameters of a statement: SQLite searches all names that it has seen for each one. */
export const MAX_NAMED_PARAMETERS = 500

/** Characters of the widest set that a pattern lists. */
export const MAX_SET_CHARS = 200

/** Bytes of memory that a value of a result is counted as; its string is counted on top. */
export const VALUE_BYTES = 32

/** Branches of one CASE; more are found by bisection. */
export const MAX_CASE_BRANCHES = 8

/** Strings of a list up to which each stands in every spelling, so that a plain index serves. */
export const MAX_SPELLED_STRINGS = 3

/** Phrases of one test in a statement: each brings a pattern of about 2 KB. */
export const MAX_PHRASES = 64

/** Runs of ASCII letters and digits that a database searches in one test. */
export const MAX_SEARCHED_RUNS = 16

/** Spellings of one string in either case that a statement lists. */
export const MAX_SPELLINGS = 256

/** Spellings of all strings of a list that a statement lists. */
export const MAX_LISTED_SPELLINGS = 1024

/** Periods of a calendar that a statement lists; a year of days fits. */
export const MAX_PERIODS = 400

/** Days of a range whose zone offsets are computed; four years. */
export const MAX_ZONED_DAYS = 1500n

/** Spellings of the beginning of a string that are compared before it is lowered. */
export const MAX_BEGINNINGS = 2

/** Letters of the beginning that is spelled: each doubles the spellings. */
export const PREFIX_LETTERS = 3
