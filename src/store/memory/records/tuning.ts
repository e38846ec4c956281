/** Maximum number of values in a template. The general reader reads records with more values. */
export const MAX_TEMPLATE_MEMBERS = 128

/** Maximum number of bytes between two values of a template. */
export const MAX_TEMPLATE_LITERAL_BYTES = 256

/** Maximum nesting depth of objects in a template. */
export const MAX_TEMPLATE_NESTING = 16

/** Size of the kernel memory for the templates of one scanner, bytes. */
export const TEMPLATE_MEMORY_BYTES = 2 ** 20

/** Maximum size of one template's description in kernel memory: its members with their literals and needles, bytes. */
export const MAX_DESCRIPTION_BYTES = 2 ** 17

/** Maximum length of a word that the kernel searches for, bytes. The query itself checks longer words. */
export const MAX_NEEDLE_BYTES = 64

/**
 * Maximum number of templates that failed to match the record from which they were made. After that, no more are
 * created.
 */
export const MAX_FAILED_TEMPLATES = 64

/**
 * Maximum number of records that are skipped before the next attempt to create a template, after attempts that failed.
 */
export const MAX_UNTRIED = 63

/**
 * Maximum size of the records that a scanner reads in one step, bytes. Small, so that tables with small request bodies
 * need little memory.
 */
export const SCANNER_TEXT_BYTES = 2 ** 16

/**
 * Maximum size of one record, usually a line, bytes. Bounds the memory for an input without line ends. `test/ingest`
 * tests the limit.
 */
export const MAX_RECORD_BYTES = 16 * 1024 * 1024
