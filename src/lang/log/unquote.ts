/** A broken escape inside a quoted text: where it stands in the source and what is wrong. */
export interface QuoteFault {
  readonly start: number
  readonly end: number
  readonly reason: string
}

export interface Unquoted {
  readonly value: string
  readonly fault: QuoteFault | undefined
}

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
])

const HEX_LENGTHS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])

/**
 * Offset right after the closing quote of the text that opens at `start`; -1 when it never closes. In back quotes a
 * backslash means nothing.
 */
export function endOfQuoted(source: string, start: number): number {
  const quote = source.charCodeAt(start)
  const isRaw = quote === 96
  for (let i = start + 1; i < source.length; i++) {
    const unit = source.charCodeAt(i)
    if (unit === quote) return i + 1
    if (unit === 92 && !isRaw) i++
  }
  return -1
}

/** Bytes written by `\x` and octal escapes; those that are no UTF-8 become the lone surrogates U+DC80 to U+DCFF. */
function decodeBytes(bytes: readonly number[]): string {
  let text = ''
  for (let i = 0; i < bytes.length;) {
    const first = bytes[i]
    const length =
      first < 0x80
        ? 1
        : first >= 0xc2 && first < 0xe0
          ? 2
          : first >= 0xe0 && first < 0xf0
            ? 3
            : first >= 0xf0 && first < 0xf5
              ? 4
              : 0
    const slice = bytes.slice(i, i + length)
    const decoded = length > 0 && slice.length === length ? decodeOne(slice) : undefined
    if (decoded === undefined) {
      text += String.fromCharCode(0xdc00 + first)
      i++
    } else {
      text += decoded
      i += length
    }
  }
  return text
}

function decodeOne(bytes: readonly number[]): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes))
  } catch {
    return undefined
  }
}

/** The text of the quoted token `[start, end)`; never throws, and tells the first thing that is wrong. */
export function unquote(source: string, start: number, end: number): Unquoted {
  const body = source.slice(start + 1, end - 1)
  if (source[start] === '`' || !body.includes('\\')) return { value: body, fault: loneSurrogate(body, start + 1) }
  let value = ''
  let fault: QuoteFault | undefined
  let bytes: number[] = []
  const flush = (): void => {
    if (bytes.length > 0) value += decodeBytes(bytes)
    bytes = []
  }
  for (let i = 0; i < body.length;) {
    if (body[i] !== '\\') {
      flush()
      const next = body.indexOf('\\', i)
      const stop = next === -1 ? body.length : next
      value += body.slice(i, stop)
      i = stop
      continue
    }
    const escape = readEscape(body, i)
    if (escape.byte !== undefined) bytes.push(escape.byte)
    else {
      flush()
      value += escape.text
    }
    if (escape.reason !== undefined && fault === undefined) {
      fault = { start: start + 1 + i, end: start + 1 + i + escape.length, reason: escape.reason }
    }
    i += escape.length
  }
  flush()
  return { value, fault: fault ?? loneSurrogate(body, start + 1) }
}

interface Escape {
  readonly length: number
  readonly text: string
  readonly byte?: number
  readonly reason?: string
}

function readEscape(body: string, i: number): Escape {
  const letter = body[i + 1] ?? ''
  const simple = SIMPLE.get(letter)
  if (simple !== undefined) return { length: 2, text: simple }
  const hexLength = HEX_LENGTHS.get(letter)
  if (hexLength !== undefined) {
    const digits = body.slice(i + 2, i + 2 + hexLength)
    if (digits.length < hexLength || !/^[0-9a-fA-F]+$/.test(digits)) {
      return { length: 2, text: letter, reason: `\`\\${letter}\` needs ${hexLength} hexadecimal digits` }
    }
    const code = Number.parseInt(digits, 16)
    const length = 2 + hexLength
    if (letter === 'x') return { length, text: '', byte: code }
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      return { length, text: '\ufffd', reason: `\`\\${letter}${digits}\` is no character` }
    }
    return { length, text: String.fromCodePoint(code) }
  }
  const octal = body.slice(i + 1, i + 4)
  if (/^[0-3][0-7]{2}$/.test(octal)) return { length: 4, text: '', byte: Number.parseInt(octal, 8) }
  return { length: Math.min(2, body.length - i), text: letter, reason: `\`\\${letter}\` is no escape` }
}

function loneSurrogate(body: string, offset: number): QuoteFault | undefined {
  if (body.isWellFormed()) return undefined
  const at = body.search(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/)
  return { start: offset + at, end: offset + at + 1, reason: 'half of a surrogate pair is no character' }
}
