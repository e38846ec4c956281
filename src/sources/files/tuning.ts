/** Milliseconds without a line after which a record of several lines is complete; writers flush one record at once. */
export const STREAM_PAUSE_MS = 200

/** Bytes of one read of a file (bench `files`). */
export const FILE_CHUNK_BYTES = 1 << 20

/** Bytes of a file that are read for the names and values that there are; completions need no more. */
export const SCHEMA_HEAD_BYTES = 1 << 20

/** Files whose heads are read for the names and values that there are. */
export const SCHEMA_HEAD_FILES = 4

/** Milliseconds between two reports of progress: a person reads no faster. */
export const PROGRESS_INTERVAL_MS = 200

/** Milliseconds after which loading yields, so that an interrupt takes effect. */
export const YIELD_INTERVAL_MS = 50

/** Bytes from which a file is scanned by a thread of its own; below, starting the thread costs more (bench `files`). */
export const SCAN_THREAD_MIN_BYTES = 8 * 1024 * 1024

/** Bytes at the beginning of a file by which its format is told. */
export const FORMAT_SAMPLE_BYTES = 65_536

/** Bytes at the beginning of a file that show whether it is text; larger than the head of any binary format that is told apart. */
export const CONTENT_HEAD_BYTES = 4096

/** A head in which more than one character in this many is a control character is no text. */
export const CONTROL_CHARS_ONE_IN = 10

/** Bytes of the first read of a line at its offset: one page, which holds most lines. */
export const LINE_READ_BYTES = 4096

/** Bytes of unpacked data that are handed on at once, so that what waits is bounded. */
export const BZIP2_PIECE_BYTES = 1024 * 1024

/** Files that a pattern may name: more are most likely a mistake, and their paths take memory. */
export const MAX_FILES = 100_000

/** Milliseconds between two checks of a followed file where the system reports no changes. */
export const FOLLOW_POLL_MS = 250

/** Bytes of one read of a followed file, and of its two ends by which it is recognized. */
export const FOLLOW_CHUNK_BYTES = 64 * 1024

/** Slots that the scanning thread fills in turn: it is at most five ahead of the thread that stores (bench `files`). */
export const SCAN_SLOTS = 6

/** Bytes of lines in one slot; a longer line has no offset (bench `files`). */
export const SLOT_TEXT_BYTES = 1 << 20
