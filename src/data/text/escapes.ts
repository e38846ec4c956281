/** Escapes of one letter that mean the same in every notation. Escapes of quotes depend on the notation. */
export const letterEscapes: ReadonlyMap<string, string> = new Map([
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\\', '\\'],
])

const LETTERS: ReadonlyMap<number, string> = new Map(
  Array.from(letterEscapes, ([letter, text]) => [text.charCodeAt(0), letter] as const),
)

const HEX_LENGTHS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])

/** The meaning of a backslash and the units after it. `length` includes the backslash. */
export type Escape =
  | { readonly kind: 'text'; readonly length: number; readonly text: string }
  /** One byte of UTF-8, written with `\x` or in octal. */
  | { readonly kind: 'byte'; readonly length: number; readonly byte: number }
  /** A code above U+10FFFF, or half of a surrogate pair. */
  | { readonly kind: 'not-a-character'; readonly length: number; readonly code: number }
  | { readonly kind: 'missing-digits'; readonly length: number; readonly digits: number }
  | { readonly kind: 'unknown'; readonly length: number }

/** Reads the escape that begins with the backslash at `at`, as in Go and C, including both kinds of quotes. */
export function readEscape(text: string, at: number): Escape {
  const letter = text[at + 1] ?? ''
  const simple = letter === '"' || letter === "'" ? letter : letterEscapes.get(letter)
  if (simple !== undefined) return { kind: 'text', length: 2, text: simple }
  const digits = HEX_LENGTHS.get(letter)
  if (digits !== undefined) {
    const hex = text.slice(at + 2, at + 2 + digits)
    if (hex.length < digits || !/^[0-9a-fA-F]+$/.test(hex)) return { kind: 'missing-digits', length: 2, digits }
    const code = Number.parseInt(hex, 16)
    const length = 2 + digits
    if (letter === 'x') return { kind: 'byte', length, byte: code }
    if (code > 0x10ffff || isSurrogate(code)) return { kind: 'not-a-character', length, code }
    return { kind: 'text', length, text: String.fromCodePoint(code) }
  }
  const octal = text.slice(at + 1, at + 4)
  if (/^[0-3][0-7]{2}$/.test(octal)) return { kind: 'byte', length: 4, byte: Number.parseInt(octal, 8) }
  return { kind: 'unknown', length: Math.min(2, text.length - at) }
}

export function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeSequence(bytes: readonly number[]): string | undefined {
  try {
    return strictUtf8.decode(Uint8Array.from(bytes))
  } catch {
    return undefined
  }
}

function sequenceLength(first: number): number {
  if (first < 0x80) return 1
  if (first >= 0xc2 && first < 0xe0) return 2
  if (first >= 0xe0 && first < 0xf0) return 3
  return first >= 0xf0 && first < 0xf5 ? 4 : 0
}

/** Decodes UTF-8 without loss: a byte that is not part of a character becomes U+DC80 to U+DCFF. */
export function decodeBytes(bytes: readonly number[]): string {
  let text = ''
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] ?? 0
    const length = sequenceLength(first)
    const isWhole = length > 0 && at + length <= bytes.length
    const char = isWhole ? decodeSequence(bytes.slice(at, at + length)) : undefined
    text += char ?? String.fromCharCode(0xdc00 + first)
    at += char === undefined ? 1 : length
  }
  return text
}

/** Collects the characters and bytes of a quoted string. Adjacent bytes may form one character. */
export class TextBuilder {
  #text = ''
  #bytes: number[] = []

  addText(text: string): void {
    this.#flush()
    this.#text += text
  }

  addByte(byte: number): void {
    this.#bytes.push(byte)
  }

  finish(): string {
    this.#flush()
    return this.#text
  }

  #flush(): void {
    if (this.#bytes.length === 0) return
    this.#text += decodeBytes(this.#bytes)
    this.#bytes = []
  }
}

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u

export function isPrintable(char: string): boolean {
  return PRINTABLE.test(char)
}

/** Writes a code point inside quotes, unchanged if it is printable, else as an escape that `readEscape` can read. */
export function escapeCodePoint(code: number, quote: string): string {
  const char = String.fromCodePoint(code)
  if (char === quote) return `\\${char}`
  const letter = LETTERS.get(code)
  if (letter !== undefined) return `\\${letter}`
  if (code < 0x80) return code >= 0x20 && code < 0x7f ? char : `\\x${hex(code, 2)}`
  // `decodeBytes` uses these code points for bytes that are not part of a character.
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${hex(code & 0xff, 2)}`
  if (PRINTABLE.test(char)) return char
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`
}

const REPLACEMENT = 0xfffd

/**
 * Escapes a character as Go does. A lone surrogate that does not represent a byte becomes the replacement character.
 */
export function escapeAsGo(code: number, quote: string): string {
  const isByte = code >= 0xdc80 && code <= 0xdcff
  return escapeCodePoint(isSurrogate(code) && !isByte ? REPLACEMENT : code, quote).replace('\ufffd', '\\ufffd')
}

/** Returns a string in double quotes as Go writes it. Characters that are not printable are escaped. */
export function quoteAsGo(text: string): string {
  let quoted = '"'
  for (const char of text) quoted += escapeAsGo(char.codePointAt(0) ?? 0, '"')
  return `${quoted}"`
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, '0')
}
