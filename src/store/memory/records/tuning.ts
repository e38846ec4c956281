/** Most values of one template. The general reader reads records with more. */
export const MAX_TEMPLATE_MEMBERS = 128

/** Most bytes between two values of a template. */
export const MAX_TEMPLATE_LITERAL_BYTES = 256

/** Most levels of nested objects in a template. */
export const MAX_TEMPLATE_NESTING = 16

/** Bytes for the templates of one scanner in the kernel's memory. */
export const TEMPLATE_MEMORY_BYTES = 2 ** 20

/** Most bytes of one template's description: its members with their literals and needles. */
export const MAX_DESCRIPTION_BYTES = 2 ** 17

/** Most bytes of a word that the kernel searches for. Longer words are checked by the query. */
export const MAX_NEEDLE_BYTES = 64

/** After this many templates that did not match the record from which they were made, no more are made. */
export const MAX_FAILED_TEMPLATES = 64

/**
 * Most records that are not tried as a new form after one that has none. The first record of a new form may be among
 * them.
 */
export const MAX_UNTRIED = 63

/**
 * Bytes of records that a scanner reads in one step. Small, so that tables with small request bodies need little
 * memory.
 */
export const SCANNER_TEXT_BYTES = 2 ** 16

/**
 * Most bytes of one record, usually a line. It limits the memory for an input without line ends. `test/ingest` tests
 * the limit.
 */
export const MAX_RECORD_BYTES = 16 * 1024 * 1024
