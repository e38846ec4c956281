import { BACKSLASH, Bytes, COMMA, OPEN_BRACKET, QUOTE } from '../../../base/index.ts'
import { isJsonObject, parseJsonExact, utf8 } from '../../../data/index.ts'
import { ATTRIBUTE_MAPS } from '../../record.ts'
import type { Envelopes } from './envelopes.ts'
import type { RecordTemplate, TemplateMember, ValueSyntax } from './record-template.ts'
import { MAX_TEMPLATE_LITERAL_BYTES, MAX_TEMPLATE_MEMBERS, MAX_TEMPLATE_NESTING } from './tuning.ts'

const json: ValueSyntax = { kind: 'json' }
const COLON = 0x3a
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
/** First byte of the literal `null`. */
const LETTER_N = 0x6e
/** Matches names that JavaScript moves to the front of an object's members, in numeric order. */
const INDEX_NAME = /^(?:0|[1-9]\d{0,9})$/

/** Derives a template from a line that is known to be valid JSON. */
class TemplateReader {
  readonly #bytes: Bytes
  readonly #envelopes: Envelopes
  readonly members: TemplateMember[] = []
  readonly #names = new Set<string>()
  #literalFrom: number
  #at: number

  constructor(bytes: Bytes, start: number, envelopes: Envelopes) {
    this.#bytes = bytes
    this.#literalFrom = start
    this.#at = start
    this.#envelopes = envelopes
  }

  /** Reads an object; returns false if only the general reader can read it. */
  readObject(prefix: string, depth: number): boolean {
    this.#at = this.#behindBlanks(this.#at) + 1
    const keys = new Set<string>()
    for (;;) {
      this.#at = this.#behindBlanks(this.#at)
      if (this.#byte === CLOSE_BRACE) break
      if (this.#byte === COMMA) {
        this.#at++
        continue
      }
      const key = this.#readKey()
      if (key === '' || key === '__proto__' || INDEX_NAME.test(key) || keys.has(key)) return false
      keys.add(key)
      if (!this.#readMember(`${prefix}${key}`, depth)) return false
    }
    this.#at++
    return depth > 1 || !this.#envelopes.wraps(keys)
  }

  /** Returns the bytes from the end of the last value to `end`. */
  literalTo(end: number): Bytes {
    return Bytes.from(this.#bytes.subarray(this.#literalFrom, end))
  }

  get end(): number {
    return this.#at
  }

  get #byte(): number {
    return this.#bytes[this.#at]
  }

  #readMember(name: string, depth: number): boolean {
    if (this.#byte === OPEN_BRACE) {
      // The members of an attribute map are stored under other names, so only the general reader can read them.
      const isMap = depth === 1 && ATTRIBUTE_MAPS.has(name)
      return !isMap && depth < MAX_TEMPLATE_NESTING && this.readObject(`${name}.`, depth + 1)
    }
    const isList = this.#byte === OPEN_BRACKET
    const isMany = isList && depth === 1 && this.#envelopes.lists.has(name)
    if (isMany || this.#names.has(name)) return false
    this.#names.add(name)
    // A `null` is no value, so it becomes part of the literal before the next value.
    const isMissing = this.#byte === LETTER_N
    if (!isMissing && this.members.length === MAX_TEMPLATE_MEMBERS) return false
    if (!isMissing) this.members.push({ name, literal: this.literalTo(this.#at), syntax: json })
    this.#skipValue()
    if (!isMissing) this.#literalFrom = this.#at
    return true
  }

  #readKey(): string {
    const from = this.#at
    this.#skipText()
    const text = utf8(this.#bytes, from, this.#at)
    this.#at = this.#behindBlanks(this.#at)
    if (this.#byte === COLON) this.#at = this.#behindBlanks(this.#at + 1)
    return JSON.parse(text) as string
  }

  #skipText(): void {
    this.#at++
    while (this.#byte !== QUOTE) this.#at += this.#byte === BACKSLASH ? 2 : 1
    this.#at++
  }

  /** Skips a scalar, or a list with all its elements. */
  #skipValue(): void {
    let depth = 0
    do {
      const byte = this.#byte
      if (byte === QUOTE) {
        this.#skipText()
        continue
      }
      if (byte === OPEN_BRACKET || byte === OPEN_BRACE) depth++
      else if (depth > 0 && (byte === OPEN_BRACKET + 2 || byte === CLOSE_BRACE)) depth--
      else if (depth === 0) {
        while (this.#isScalar(this.#byte)) this.#at++
        return
      }
      this.#at++
    } while (depth > 0)
  }

  #isScalar(byte: number): boolean {
    return byte > 0x20 && byte !== COMMA && byte !== CLOSE_BRACE
  }

  #behindBlanks(from: number): number {
    let at = from
    while (this.#bytes[at] === 0x20 || this.#bytes[at] === 9 || this.#bytes[at] === 13) at++
    return at
  }
}

/** True if a line is a JSON object. */
function isObjectLine(bytes: Bytes, start: number, end: number): boolean {
  try {
    return isJsonObject(parseJsonExact(utf8(bytes, start, end)))
  } catch {
    return false
  }
}

/**
 * Returns the template of a line of JSON, including nested objects. Returns `undefined` if the line is not an object,
 * has a duplicate name, or has members that only the general reader reads correctly, such as lists of records.
 */
export function jsonTemplate(
  bytes: Bytes,
  start: number,
  end: number,
  envelopes: Envelopes,
): RecordTemplate | undefined {
  if (!isObjectLine(bytes, start, end)) return undefined
  const reader = new TemplateReader(bytes, start, envelopes)
  if (!reader.readObject('', 1) || reader.members.length === 0) return undefined
  const { members } = reader
  const closing = reader.literalTo(reader.end)
  const isLong = [...members.map(({ literal }) => literal), closing].some(
    ({ length }) => length > MAX_TEMPLATE_LITERAL_BYTES,
  )
  return isLong ? undefined : { members, end: closing }
}
