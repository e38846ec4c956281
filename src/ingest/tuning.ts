/** Longest column name of a table, UTF-16 units: a first record with a longer value has no names. */
export const MAX_CSV_NAME_CHARS = 128

/** Records of one cell that may stand above the names of a table. */
export const MAX_TITLES = 5

/** Lines that are looked at to tell the format of an input. */
export const FORMAT_SAMPLE_LINES = 20

/** Bytes at the beginning of an input by which its format is told; longer than a usual line of any format. */
export const FORMAT_SAMPLE_BYTES = 65_536

/** Deepest nesting of an attribute value in OTLP; deeper values are left out. */
export const MAX_OTLP_DEPTH = 32

/** Attributes and values in one export of logs or spans: those of a record are freed once it is a row. */
export const MAX_RECORD_PARTS = 16_000_000

/** Parts that a record of a parsed document counts as; about the attributes of a usual one. */
export const PARTS_PER_RECORD = 16

/** Parts of one body: each takes a few bytes there and some hundred bytes of memory, so that a body takes at most 200 MB. */
export const MAX_BODY_PARTS = 2_000_000

/** Labels of all series of one body, counted with each series: a bucket repeats those of its point. */
export const MAX_BODY_LABELS = 8_000_000

/** Parts of one point, record or resource, which is read without a checkpoint. */
export const MAX_PARTS_PER_RECORD = 16_384

/** Fields of one body that are skipped: they cost time, and no memory. */
export const MAX_SKIPPED_FIELDS = 4_000_000

/** Labels of known series that cost as much time as one part. */
export const LABELS_PER_PART = 8

/** Longest record of an agent, bytes: it is made in one step. */
export const MAX_ITEM_BYTES = 8 * 1024 * 1024

/** Items of a message whose offsets are reported; a message of the forward protocol has at most four. */
export const MAX_ITEM_OFFSETS = 8

/** Longest action line of a bulk request, bytes; it holds names alone. */
export const MAX_ACTION_BYTES = 64 * 1024

/** Longest message of syslog, bytes; a longer one is not read. */
export const MAX_SYSLOG_BYTES = 256 * 1024

/** Digits of the length in front of a message; more are no length. */
export const MAX_SYSLOG_LENGTH_DIGITS = 10

/** Chunks of an unfinished message that are held apart before they are joined. */
export const MAX_SYSLOG_CHUNKS = 64

/** Longest field name of a journal entry, bytes; journald allows 64. */
export const MAX_JOURNAL_NAME_BYTES = 1024

/** Columns that the header of a log of tables may name. */
export const MAX_TEXT_COLUMNS = 256

/** UTF-16 units of a line in which its level is searched: levels stand near the beginning. */
export const LEVEL_SEARCH_CHARS = 120

/** Longest head of a server log line that a regular expression sees, UTF-16 units, so that a line costs linear time. */
export const SERVER_HEAD_CHARS = 256

/** Longest head of an access log line in front of its time, UTF-16 units, so that a line costs linear time. */
export const ACCESS_HEAD_CHARS = 1024

/** Lines of one record; further ones begin a record of their own. */
export const MAX_RECORD_LINES = 1024

/** UTF-16 units of one record of several lines; further lines begin a record of their own. */
export const MAX_RECORD_CHARS = 256 * 1024

/** Share of a line that logfmt has to explain, from 0 to 1, before a line among others is read as logfmt. */
export const LOGFMT_MIN_SHARE = 0.9

/** Streams of containers whose records may be open at once: each holds a record in memory. */
export const MAX_OPEN_STREAMS = 16

/** Names that one option of a request may list. */
export const MAX_OPTION_NAMES = 32

/** Longest option of a request, UTF-16 units. */
export const MAX_OPTION_CHARS = 4096

/** Longest level that columns take, bytes; a record with a longer one is read as an object. */
export const MAX_LEVEL_BYTES = 64

/** UTF-16 units of a row that columns take; a longer record is read as an object, which checks its size. */
export const MAX_COLUMN_ROW_CHARS = 2 ** 20

/** A resource writes `target_info` once in each of these spans of time, milliseconds: half of the look-back of PromQL. */
export const TARGET_INFO_STEP_MS = 150_000

/** UTF-16 units of the labels of an exemplar, as OpenMetrics allows; with more, only the ids of its trace are stored. */
export const MAX_EXEMPLAR_CHARS = 128

/** Buckets of one point; SDKs make at most 160. */
export const MAX_POINT_BUCKETS = 2048

/** Label sets of senders that a thread remembers; all are forgotten beyond (bench `protocols`, remote write). */
export const MAX_KNOWN_SETS = 131_072

/** Bytes of remembered label sets as they were sent; all are forgotten beyond. */
export const MAX_KNOWN_BYTES = 16 * 1024 ** 2

/** Machine words of remembered bytes that share one buffer. */
export const KNOWN_WORDS_PER_BUFFER = 16_384

/** Short strings that a thread remembers, one for each hash (bench `protocols`, remote write). */
export const KNOWN_STRINGS = 4096

/** Longest string that a thread remembers, bytes. */
export const MAX_KNOWN_STRING_BYTES = 64

/** Lists of label names that a thread remembers, one for each hash (bench `protocols`, remote write). */
export const KNOWN_NAME_LISTS = 256

/** Sets of bucket bounds with their labels that a thread remembers (bench `protocols`, OTLP histograms). */
export const MAX_BUCKET_SETS = 262_144

/** Longest name that columns take or a thread remembers, bytes or UTF-16 units. */
export const MAX_NAME_CHARS = 256

/** Names of a row, and skipped fields of a record; with more it is read as an object. */
export const MAX_COLUMN_FIELDS = 128

/** Nanoseconds between two lines of a container that are one record at most: a program writes a record at once. */
export const MAX_LINE_GAP_NS = 1_000_000_000n
