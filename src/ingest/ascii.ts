/** Bytes, and code units, of characters in ASCII that formats are made of. */
export const LINE_FEED = 0x0a
export const CARRIAGE_RETURN = 0x0d
export const BLANK = 0x20
export const QUOTE = 0x22
export const COMMA = 0x2c
export const LESS_THAN = 0x3c
export const EQUALS = 0x3d
export const BACKSLASH = 0x5c
