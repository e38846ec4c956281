/** The maximum length of a column name in UTF-16 units. A first record with a longer value is not a header. */
export const MAX_CSV_NAME_CHARS = 128

/** The maximum number of one-cell records above the column names of a table. */
export const MAX_TITLES = 5

/** The number of lines from which the format of an input is detected. */
export const FORMAT_SAMPLE_LINES = 20

/**
 * The number of bytes at the beginning of an input from which its format is detected. Usual lines of any format are
 * shorter.
 */
export const FORMAT_SAMPLE_BYTES = 65_536

/** The maximum nesting of an attribute value in OTLP; deeper values are left out. */
export const MAX_OTLP_DEPTH = 32

/**
 * The maximum number of attributes and values in one export of logs or spans. It may exceed `MAX_BODY_PARTS`, because
 * the parts of a record are freed once the record is a row.
 */
export const MAX_RECORD_PARTS = 16_000_000

/** Number of parts that a record of a parsed document counts as. A usual record has about as many attributes. */
export const PARTS_PER_RECORD = 16

/**
 * The maximum number of parts of one body. A part takes a few bytes in the body but some hundred bytes in memory, so
 * the parts of a body take at most 200 MB.
 */
export const MAX_BODY_PARTS = 2_000_000

/**
 * The maximum number of labels in all series of one body. A label that several series share counts for each; the
 * buckets of a histogram repeat the labels of their point.
 */
export const MAX_BODY_LABELS = 8_000_000

/** The maximum number of parts of one point, record or resource, which is read without a checkpoint. */
export const MAX_PARTS_PER_RECORD = 16_384

/** The maximum number of skipped fields in one body. Skipped fields cost time but no memory. */
export const MAX_SKIPPED_FIELDS = 4_000_000

/** The number of labels of known series that take as much time as one part. */
export const LABELS_PER_PART = 8

/** The maximum size of an agent's record in bytes; a record is decoded in one step. */
export const MAX_ITEM_BYTES = 8 * 1024 * 1024

/**
 * The maximum number of items of a message whose offsets are reported. A message of the forward protocol has at most
 * four items.
 */
export const MAX_ITEM_OFFSETS = 8

/** The maximum length in bytes of an action line in a bulk request, which contains only names. */
export const MAX_ACTION_BYTES = 64 * 1024

/** The maximum length of a syslog message in bytes; longer messages are not read. */
export const MAX_SYSLOG_BYTES = 256 * 1024

/** Maximum number of digits of the length before a message. A number with more digits is not a length. */
export const MAX_SYSLOG_LENGTH_DIGITS = 10

/** The number of chunks of an unfinished message that are held separately before they are joined. */
export const MAX_SYSLOG_CHUNKS = 64

/** The maximum length in bytes of a field name in a journal entry; journald allows 64. */
export const MAX_JOURNAL_NAME_BYTES = 1024

/** The maximum number of columns in the header of a log in table form. */
export const MAX_TEXT_COLUMNS = 256

/** The length in UTF-16 units of the beginning of a line in which a level is searched. */
export const LEVEL_SEARCH_CHARS = 120

/**
 * The maximum length in UTF-16 units of the head of a server log line that a regular expression is applied to. The
 * limit keeps the time linear in the line.
 */
export const SERVER_HEAD_CHARS = 256

/**
 * The maximum length in UTF-16 units of an access log line before its time. The limit keeps the time linear in the
 * line.
 */
export const ACCESS_HEAD_CHARS = 1024

/** The maximum number of lines in one record; further lines begin another record. */
export const MAX_RECORD_LINES = 1024

/** The maximum size in UTF-16 units of a record of several lines; further lines begin another record. */
export const MAX_RECORD_CHARS = 256 * 1024

/** The share of a line, from 0 to 1, that must be logfmt before a line of a mixed input is read as logfmt. */
export const LOGFMT_MIN_SHARE = 0.9

/** The maximum number of container streams with an unfinished record. Each unfinished record takes memory. */
export const MAX_OPEN_STREAMS = 16

/** The maximum number of names in one option of a request. */
export const MAX_OPTION_NAMES = 32

/** The maximum length of an option of a request in UTF-16 units. */
export const MAX_OPTION_CHARS = 4096

/**
 * The maximum length in bytes of a level that is read into columns. A record with a longer level is read as an object
 * instead.
 */
export const MAX_LEVEL_BYTES = 64

/**
 * The maximum size in UTF-16 units of a row that is read into columns. A longer record is read as an object, and its
 * size is checked there.
 */
export const MAX_COLUMN_ROW_CHARS = 2 ** 20

/** Milliseconds between two samples of `target_info` of a resource: half of the look-back of PromQL. */
export const TARGET_INFO_STEP_MS = 150_000

/**
 * The maximum size in UTF-16 units of an exemplar's labels, as in OpenMetrics. If the labels are longer, only the trace
 * and span ids are stored.
 */
export const MAX_EXEMPLAR_CHARS = 128

/** The maximum number of buckets of one point; SDKs make at most 160. */
export const MAX_POINT_BUCKETS = 2048

/**
 * The number of label sets that a thread remembers in the form that senders sent. When there are more, all are
 * forgotten (bench `protocols`, remote write).
 */
export const MAX_KNOWN_SETS = 131_072

/** The total size in bytes of remembered label sets in their sent form. Above this size, all are forgotten. */
export const MAX_KNOWN_BYTES = 16 * 1024 ** 2

/** The number of machine words in a buffer that several remembered entries share. */
export const KNOWN_WORDS_PER_BUFFER = 16_384

/**
 * Number of slots in each thread's cache of short strings; a hash chooses the slot (bench `protocols`, remote write).
 */
export const KNOWN_STRINGS = 4096

/** The maximum length in bytes of a string that a thread remembers. */
export const MAX_KNOWN_STRING_BYTES = 64

/**
 * Number of slots in each thread's cache of label name lists; a hash chooses the slot (bench `protocols`, remote
 * write).
 */
export const KNOWN_NAME_LISTS = 256

/** The number of label sets with bucket bounds that a thread remembers (bench `protocols`, OTLP histograms). */
export const MAX_BUCKET_SETS = 262_144

/** The maximum length of a name that is read into columns or remembered by a thread, in bytes or UTF-16 units. */
export const MAX_NAME_CHARS = 256

/**
 * The maximum number of names of a row, and of skipped fields of a record, for reading it into columns. A record with
 * more is read as an object instead.
 */
export const MAX_COLUMN_FIELDS = 128

/**
 * The maximum total size in bytes of the events and links of a span that is read into columns. A part takes at least
 * two bytes, so events and links have at most half of `MAX_PARTS_PER_RECORD` parts.
 */
export const MAX_LISTED_BYTES = 16_384

/**
 * The maximum number of nanoseconds between two lines of a container that belong to one record. A program writes all
 * lines of a record at once.
 */
export const MAX_LINE_GAP_NS = 1_000_000_000n
