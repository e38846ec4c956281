import { Bytes, MAX_CACHED } from '../../../base/index.ts'
import { latin1, numberOfJson, utf8, type Value } from '../../../data/index.ts'

/** A member name met in JSON lines. */
export interface JsonKey {
  readonly name: string
  /** The name with its quotes and the colon, as it stands in a line without blanks. */
  readonly bytes: Bytes
  /** The key that came after this one in the line before. */
  next: JsonKey | undefined
  /** The last line that had it; a second time in one line is left to the general reader. */
  line: number
}

/**
 * What kind of value a span is: the text between quotes, a text with escapes or wide characters, a number in `numbers`, the
 * rest, and numbers of many digits or that keep their text, both in `values`.
 */
export const spanKind = { ascii: 0, text: 1, number: 2, value: 3, longNumber: 4 } as const

/** 0 plain, 1 quote, 2 backslash, 3 control, 4 beyond ASCII. */
const stringClass = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++) stringClass[byte] = byte < 32 ? 3 : byte >= 128 ? 4 : 0
stringClass[34] = 1
stringClass[92] = 2

const POWERS = Array.from({ length: 16 }, (_, n) => 10 ** n)

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57
}

/**
 * Reads one flat JSON object at a time into spans, guessing that members come as in the line before. It gives up on
 * whatever is unusual (nesting, escapes in names, members met twice, anything malformed); the general reader decides then.
 */
export class JsonFieldReader {
  count = 0
  readonly keys: JsonKey[] = []
  readonly kinds: number[] = []
  readonly starts: number[] = []
  readonly ends: number[] = []
  readonly numbers: number[] = []
  readonly values: Value[] = []
  readonly #known = new Map<string, JsonKey>()
  readonly #first: JsonKey = { name: '', bytes: Bytes.alloc(0), next: undefined, line: 0 }
  #line = 0
  #at = 0

  /** Whether `bytes[start, end)` was read; then the first `count` entries of the lists are its members, `null`s left out. */
  read(bytes: Bytes, start: number, end: number): boolean {
    this.count = 0
    this.#line++
    let at = skipBlanks(bytes, start, end)
    if (bytes[at] !== 123) return false
    at = skipBlanks(bytes, at + 1, end)
    if (bytes[at] === 125) return skipBlanks(bytes, at + 1, end) === end
    let previous = this.#first
    for (;;) {
      const key = this.#readKey(bytes, at, end, previous)
      if (key === undefined || key.line === this.#line) return false
      key.line = this.#line
      previous.next = key
      previous = key
      if (!this.#readValue(bytes, this.#at, end, key)) return false
      at = this.#at
      if (bytes[at] === 32) at = skipBlanks(bytes, at, end)
      if (at >= end) return false
      if (bytes[at] === 125) return skipBlanks(bytes, at + 1, end) === end
      if (bytes[at] !== 44) return false
      at++
      if (bytes[at] === 32) at = skipBlanks(bytes, at, end)
    }
  }

  #readKey(bytes: Bytes, at: number, end: number, previous: JsonKey): JsonKey | undefined {
    const guess = previous.next
    if (guess !== undefined) {
      const expected = guess.bytes
      let i = 0
      while (i < expected.length && bytes[at + i] === expected[i]) i++
      if (i === expected.length && at + i <= end) {
        this.#at = at + i
        return guess
      }
    }
    if (bytes[at] !== 34) return undefined
    let i = at + 1
    while (i < end && stringClass[bytes[i]] === 0) i++
    if (i >= end || bytes[i] !== 34) return undefined
    const name = latin1(bytes, at + 1, i)
    i = skipBlanks(bytes, i + 1, end)
    if (bytes[i] !== 58) return undefined
    this.#at = i + 1
    const known = this.#known.get(name)
    if (known !== undefined) return known
    if (this.#known.size >= MAX_CACHED) return undefined
    const key: JsonKey = { name, bytes: Bytes.from(`"${name}":`), next: undefined, line: 0 }
    this.#known.set(name, key)
    return key
  }

  #readValue(bytes: Bytes, from: number, end: number, key: JsonKey): boolean {
    const at = bytes[from] === 32 ? skipBlanks(bytes, from, end) : from
    const byte = bytes[at]
    if (byte === 34) return this.#readString(bytes, at + 1, end, key)
    if (byte === 45 || isDigit(byte)) return this.#readNumber(bytes, at, end, key)
    if (byte === 116 && latin1(bytes, at, Math.min(end, at + 4)) === 'true') return this.#push(key, true, at + 4)
    if (byte === 102 && latin1(bytes, at, Math.min(end, at + 5)) === 'false') return this.#push(key, false, at + 5)
    if (byte !== 110 || latin1(bytes, at, Math.min(end, at + 4)) !== 'null') return false
    this.#at = at + 4
    return true
  }

  #push(key: JsonKey, value: Value, next: number): boolean {
    const i = this.count++
    this.keys[i] = key
    this.kinds[i] = spanKind.value
    this.values[i] = value
    this.#at = next
    return true
  }

  #readString(bytes: Bytes, start: number, end: number, key: JsonKey): boolean {
    let i = start
    let kind = 0
    while (i < end) {
      const c = stringClass[bytes[i]]
      if (c === 0) i++
      else if (c === 1) break
      else if (c === 2) {
        kind |= 1
        i += 2
      } else if (c === 4) {
        kind |= 2
        i++
      } else return false
    }
    if (i >= end) return false
    const at = this.count
    this.keys[at] = key
    this.starts[at] = start
    this.ends[at] = i
    if (kind === 0) this.kinds[at] = spanKind.ascii
    else {
      const text = kind === 1 ? latin1(bytes, start, i) : utf8(bytes, start, i)
      const value = (kind & 1) === 0 ? text : unescape(text)
      if (value === undefined) return false
      this.kinds[at] = spanKind.text
      this.values[at] = value
    }
    this.count++
    this.#at = i + 1
    return true
  }

  #readNumber(bytes: Bytes, start: number, end: number, key: JsonKey): boolean {
    let i = start
    const isNegative = bytes[i] === 45
    if (isNegative) i++
    const digitsFrom = i
    let mantissa = 0
    while (i < end && isDigit(bytes[i])) mantissa = mantissa * 10 + bytes[i++] - 48
    let digits = i - digitsFrom
    if (digits === 0 || (digits > 1 && bytes[digitsFrom] === 48)) return false
    let fraction = 0
    if (i < end && bytes[i] === 46) {
      const from = ++i
      while (i < end && isDigit(bytes[i])) mantissa = mantissa * 10 + bytes[i++] - 48
      fraction = i - from
      if (fraction === 0) return false
      digits += fraction
    }
    let isExponent = false
    if (i < end && (bytes[i] | 32) === 101) {
      isExponent = true
      i++
      if (bytes[i] === 43 || bytes[i] === 45) i++
      const from = i
      while (i < end && isDigit(bytes[i])) i++
      if (i === from) return false
    }
    const keepsText = isExponent || (fraction > 0 && bytes[i - 1] === 48) || (isNegative && mantissa === 0)
    // Up to 15 digits both halves of the quotient are exact, so that it is rounded once.
    if (digits <= 15 && !keepsText) {
      const value = fraction === 0 ? mantissa : mantissa / POWERS[fraction]
      const at = this.count++
      this.keys[at] = key
      this.kinds[at] = spanKind.number
      this.numbers[at] = isNegative ? -value : value
      this.starts[at] = start
      this.ends[at] = i
      this.#at = i
      return true
    }
    const at = this.count
    this.starts[at] = start
    this.ends[at] = i
    this.#push(key, numberOfJson(latin1(bytes, start, i)), i)
    this.kinds[at] = spanKind.longNumber
    return true
  }
}

function skipBlanks(bytes: Bytes, from: number, end: number): number {
  let at = from
  while (at < end && (bytes[at] === 32 || bytes[at] === 9 || bytes[at] === 13)) at++
  return at
}

function unescape(text: string): string | undefined {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return undefined
  }
}
