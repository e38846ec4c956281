/** Sizes of work and of memory that all modules share, so that a loop or a cache has no number of its own. */

/** Rows, samples or values that a loop goes through between two checkpoints or yields: at most about a millisecond of work. */
export const ITEMS_PER_CHECKPOINT = 256

/** Bytes, or UTF-16 units, that a loop goes through between two checkpoints or yields: at most about a millisecond of work. */
export const BYTES_PER_CHECKPOINT = 64 * 1024

/** Bytes that are read, copied, written or handed on at once: a larger chunk saves no time and holds more memory. */
export const CHUNK_BYTES = 2 ** 20

/** Keys of a cache, such as names or days: when it is full it is cleared, or takes no more. */
export const MAX_CACHED = 4096

/** Items of a buffer that grows: the first one has this many, and each next one twice as many. */
export const FIRST_CAPACITY = 256

/** Milliseconds for which a thread may run before its event loop has a turn. */
export const TURN_MS = 4

/** Milliseconds between two checks of the budget of a query that waits: a cancel takes effect within 50. */
export const BUDGET_WATCH_MS = 20

/** Milliseconds in which a message that repeats itself is logged once. */
export const LOG_REPEAT_MS = 60_000

/** Faults of one input that are told one by one; more would not be read. */
export const MAX_FAULTS = 20

/** Examples that a report or message gives of one kind, such as refused records, notes or fixes; further ones are counted or left out. */
export const KEPT_EXAMPLES = 5

/** UTF-16 units of a given string that a message shows. */
export const EXCERPT_CHARS = 120

/** Deepest nesting of a JSON value that is read: readers recurse, and a stack has an end. */
export const MAX_JSON_DEPTH = 128

/** Bytes of memory that an entry of a list, set or map is counted as; its string is counted on top. */
export const ENTRY_BYTES = 96

/** Milliseconds between two reports of progress: a person reads no faster. */
export const PROGRESS_INTERVAL_MS = 200

/** UTF-16 units of a line that is written for people. */
export const LINE_CHARS = 100

/** Rows of one batch that is passed on. */
export const BATCH_ROWS = 1024

/** Aliases in one document of YAML that are resolved: each may multiply what it names. */
export const MAX_YAML_ALIASES = 100

/** UTF-16 units of a document that is held whole: a catalog, or a resource. */
export const MAX_DOCUMENT_CHARS = 2 ** 20

/** Milliseconds between two heartbeats, and between two looks at them. */
export const HEARTBEAT_MS = 250

/** Milliseconds in which the other side has to answer: a connection, a handshake, a heartbeat, a stop, a process that starts. */
export const RESPONSE_TIMEOUT_MS = 10_000

/** Milliseconds for a call that no time limit of a query bounds: the description of a table, the start of a thread, the rest of a message. */
export const CALL_TIMEOUT_MS = 60_000

/** Milliseconds before an attempt is repeated; doubles up to `MAX_RETRY_MS`. */
export const FIRST_RETRY_MS = 20
export const MAX_RETRY_MS = 5_000

/** Milliseconds between two polls of a state for which no caller waits. */
export const POLL_MS = 1000

/** Rows whose values tell the types of columns. */
export const SAMPLE_ROWS = 100

/** Attempts after which nothing is repeated any more: a start, a read that was overtaken, a statement that is written again. */
export const MAX_ATTEMPTS = 5

/** Bytes that wait in one place for the next step: a page of an answer, a part of a body, rows for a batch, records to be stored. */
export const BUFFER_BYTES = 8 * 2 ** 20

/** Niceness of processes and threads that answer queries, so that requests and new records go first. */
export const QUERY_NICENESS = 5

/** Milliseconds before a thread that did not start is started again; doubles. */
export const RESTART_PAUSE_MS = 200
