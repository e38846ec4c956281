/** ASCII codes of the characters that kernels read and write. */
export const TAB: u8 = 0x09
export const LINE_FEED: u8 = 0x0a
export const CARRIAGE_RETURN: u8 = 0x0d
export const SPACE: u8 = 0x20
export const QUOTE: u8 = 0x22
export const APOSTROPHE: u8 = 0x27
export const COMMA: u8 = 0x2c
export const MINUS: u8 = 0x2d
export const DOT: u8 = 0x2e
export const ZERO: u8 = 0x30
export const BACKSLASH: u8 = 0x5c
export const BACKQUOTE: u8 = 0x60
export const OPEN_BRACE: u8 = 0x7b
export const CLOSE_BRACE: u8 = 0x7d

/** Eight ASCII zeros. */
export const ZEROS: u64 = 0x3030_3030_3030_3030
