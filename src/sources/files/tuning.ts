/** Milliseconds without a line after which a record of several lines is complete; writers flush one record at once. */
export const STREAM_PAUSE_MS = 200

/** Files whose heads are read for the names and values that there are. */
export const SCHEMA_HEAD_FILES = 4

/** Milliseconds after which loading yields, so that an interrupt takes effect. */
export const YIELD_INTERVAL_MS = 50

/** Bytes of a part of an input: each part that has rows becomes a segment at least (bench `files`). */
export const PART_BYTES = 8 * 1024 * 1024

/** Parts in memory at once: two that are read, two that wait for the slower of both threads, and one that is filled. */
export const PART_SLOTS = 5

/** Bytes of a packed file that most likely unpacks to more than a part, so that the thread is started before it is read. */
export const PACKED_PART_BYTES = 1024 * 1024

/** Bytes of a gzip file that are unpacked at once, which become a thousand times as many at most. */
export const GZIP_SLICE_BYTES = 32 * 1024

/** Bytes that are unpacked at once: of a damaged file they are what is lost before the damage (bench `files`). */
export const UNPACKED_CHUNK_BYTES = 128 * 1024

/** Bytes between the thread that unpacks a file and the one that reads it. */
export const UNPACKED_RING_BYTES = 4 * 1024 * 1024

/** Zero bytes in a row that a power failure leaves in a text; fewer are those of a binary file. */
export const MIN_ZERO_RUN = 16

/** A head in which more than one character in this many is a control character is no text. */
export const CONTROL_CHARS_ONE_IN = 10

/** Files that a pattern may name: more are most likely a mistake, and their paths take memory. */
export const MAX_FILES = 100_000

/** Milliseconds between two checks of a followed file where the system reports no changes. */
export const FOLLOW_POLL_MS = 250

/** Bytes up to which a file is read at once: one of thousands of small ones (bench `files`). */
export const SMALL_FILE_BYTES = 64 * 1024
