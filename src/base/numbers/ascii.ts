/** ASCII codes of the characters that formats consist of. */
export const LINE_FEED = 0x0a
export const CARRIAGE_RETURN = 0x0d
export const SPACE = 0x20
export const QUOTE = 0x22
export const COMMA = 0x2c
export const MINUS = 0x2d
export const DOT = 0x2e
export const ZERO = 0x30
export const NINE = 0x39
export const LESS_THAN = 0x3c
export const EQUALS = 0x3d
export const OPEN_BRACKET = 0x5b
export const BACKSLASH = 0x5c
