/**
 * Milliseconds without a new line after which a record of several lines is complete. Programs write all lines of a
 * record at once.
 */
export const STREAM_PAUSE_MS = 200

/** The number of files whose heads are read to find names and values for the schema. */
export const SCHEMA_HEAD_FILES = 4

/** Milliseconds of loading between two yields. A yield lets an interrupt take effect. */
export const YIELD_INTERVAL_MS = 50

/** The size of a part of an input, in bytes. Each part that has rows becomes at least one segment (bench `files`). */
export const PART_BYTES = 8 * 1024 * 1024

/**
 * The number of parts in memory at once: two are being read, two wait for the slower thread, and one is being filled.
 */
export const PART_SLOTS = 5

/**
 * The size in bytes from which a compressed file most likely has more than one part. The thread is then started before
 * the file is read.
 */
export const PACKED_PART_BYTES = 1024 * 1024

/**
 * Bytes of a gzip file that are decompressed in one step. Each step costs two thread switches, so larger slices need
 * fewer of them (bench `files`).
 */
export const GZIP_SLICE_BYTES = 128 * 1024

/** The number of decompressed bytes at which a step ends. The next step begins when they have been read. */
export const MAX_UNPACKED_BYTES = 4 * 1024 * 1024

/**
 * Bytes of one chunk of decompressed output. In a damaged file at most this many bytes before the damage are lost
 * (bench `files`).
 */
export const UNPACKED_CHUNK_BYTES = 1024 * 1024

/** The size in bytes of the ring between the thread that decompresses a file and the thread that reads it. */
export const UNPACKED_RING_BYTES = 4 * 1024 * 1024

/**
 * The minimum number of consecutive zero bytes in a text that are taken for the trace of a power failure. Shorter runs
 * are a sign of a binary file.
 */
export const MIN_ZERO_RUN = 16

/** A head is text only if at most one in this many of its characters is a control character. */
export const CONTROL_CHARS_ONE_IN = 10

/** The maximum number of files that patterns may name. More are most likely a mistake, and their paths take memory. */
export const MAX_FILES = 100_000

/** Milliseconds between two checks of a followed file when the system reports no changes. */
export const FOLLOW_POLL_MS = 250

/** The size in bytes up to which a file is read in one call (bench `files`). */
export const SMALL_FILE_BYTES = 64 * 1024
