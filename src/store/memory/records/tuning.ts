/** Values of one template. A record with more is read by the general reader. */
export const MAX_TEMPLATE_MEMBERS = 128

/** Bytes between two values of a template. */
export const MAX_TEMPLATE_LITERAL_BYTES = 256

/** Objects within objects of a template. */
export const MAX_TEMPLATE_NESTING = 16

/** Bytes of the templates of one scanner in the memory of the kernel. */
export const TEMPLATE_MEMORY_BYTES = 2 ** 20

/** Bytes that the description of one template takes at most: its members with their literals and needles. */
export const MAX_DESCRIPTION_BYTES = 2 ** 17

/** Bytes of a word that the kernel looks for; a longer one is left to the query. */
export const MAX_NEEDLE_BYTES = 64

/** Templates that did not fit the record they were made of, after which no more are made. */
export const MAX_FAILED_TEMPLATES = 64

/** Records that have no form of their own, most of which are not tried as one; the first of a new form may be among them. */
export const MAX_UNTRIED = 63

/** Bytes of records that a scanner of this thread reads at a time: small, so that a table that takes small bodies needs little memory. */
export const SCANNER_TEXT_BYTES = 2 ** 16

/** Bytes of one record, a line most often: an input without an end takes no more memory. A limit, tested by `test/ingest`. */
export const MAX_RECORD_BYTES = 16 * 1024 * 1024
