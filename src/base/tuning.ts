/** Sizes and pauses that modules share instead of defining their own. */

/** Rows, samples or values processed between two checkpoints or yields: at most about a millisecond of work. */
export const ITEMS_PER_CHECKPOINT = 256

/** Bytes, or UTF-16 units, processed between two checkpoints or yields: at most about a millisecond of work. */
export const BYTES_PER_CHECKPOINT = 64 * 1024

/** Bytes that are read, copied, written or passed on in one step. Larger chunks save no time and need more memory. */
export const CHUNK_BYTES = 2 ** 20

/** Maximum number of entries in a cache, such as names or days. A full cache is cleared, or accepts no more entries. */
export const MAX_CACHED = 4096

/** Number of items in the first allocation of a growing buffer; each further allocation doubles it. */
export const FIRST_CAPACITY = 256

/** Milliseconds for which a thread may run before it lets its event loop run. */
export const TURN_MS = 4

/** Milliseconds between two checks of the budget of a waiting query, so that a cancel takes effect within 50 ms. */
export const BUDGET_WATCH_MS = 20

/** Milliseconds within which a repeated message is logged only once. */
export const LOG_REPEAT_MS = 60_000

/** Maximum number of faults that are reported for one input; further ones are dropped. */
export const MAX_FAULTS = 20

/**
 * Maximum number of examples of each kind in a report or message, such as refused records, notes or fixes. Further ones
 * are counted or dropped.
 */
export const KEPT_EXAMPLES = 5

/** Maximum length of a user's string that a message quotes, UTF-16 units. */
export const EXCERPT_CHARS = 120

/** Maximum nesting of a JSON value that is read. Readers recurse, and the stack is limited. */
export const MAX_JSON_DEPTH = 128

/** Estimated memory in bytes of an entry of a list, set or map, without its string. */
export const ENTRY_BYTES = 96

/** Milliseconds between two progress reports; a person reads no faster. */
export const PROGRESS_INTERVAL_MS = 200

/** Maximum length of a line in output for people, UTF-16 units. */
export const LINE_CHARS = 100

/** Maximum number of rows in one batch between operators. */
export const BATCH_ROWS = 1024

/** Maximum number of YAML aliases that are resolved in one document, since nested aliases multiply the content. */
export const MAX_YAML_ALIASES = 100

/** Maximum length of a document that is held in memory completely, such as a catalog or a resource, UTF-16 units. */
export const MAX_DOCUMENT_CHARS = 2 ** 20

/** Milliseconds between two heartbeats, and between two checks of a heartbeat. */
export const HEARTBEAT_MS = 250

/**
 * Milliseconds within which a peer must respond: to a connection attempt, a handshake, a heartbeat, a stop or a process
 * start.
 */
export const RESPONSE_TIMEOUT_MS = 10_000

/**
 * Milliseconds for a call without a query's time limit: describing a table, starting a thread, receiving the remainder
 * of a message.
 */
export const CALL_TIMEOUT_MS = 60_000

/** Milliseconds before the first retry. Each further delay doubles, up to `MAX_RETRY_MS`. */
export const FIRST_RETRY_MS = 20
export const MAX_RETRY_MS = 5_000

/** Milliseconds between two polls of a state that no caller waits for. */
export const POLL_MS = 1000

/** Number of rows that are inspected to determine column types. */
export const SAMPLE_ROWS = 100

/** Maximum number of attempts: to start, to read data that was replaced, to rewrite a statement. */
export const MAX_ATTEMPTS = 5

/** Bytes to collect before the next step: a page of an answer, a part of a body, a batch of rows, records to store. */
export const BUFFER_BYTES = 8 * 2 ** 20

/** Niceness of processes and threads that run queries, so that requests and ingestion get a core first. */
export const QUERY_NICENESS = 5

/** Milliseconds before a thread that failed to start is started again. Each further delay doubles. */
export const RESTART_PAUSE_MS = 200
