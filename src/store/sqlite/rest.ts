import { Instant, JsonText, integer, type Row, type Value } from '../../data/index.ts'
import { compareText } from '../../data/index.ts'

/**
 * Encodes a value of an undeclared field. All undeclared fields of a row form one string. It has an entry per field, in
 * code point order of the names: a line feed, the quoted name, a colon and the value. A last line feed follows. Each
 * value is JSON on one line, so raw line feeds only separate entries, and a plain search for the start of an entry
 * finds a field. Values that JSON cannot express are arrays with a tag.
 */
function writeValue(value: Exclude<Value, null>): string {
  if (typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return `["n","${value}"]`
    // JSON allows -0, but `JSON.stringify` writes it as 0.
    return Object.is(value, -0) ? '-0' : JSON.stringify(value)
  }
  if (typeof value === 'bigint') return `["i","${value}"]`
  if (value instanceof Instant) return `["t","${value.ns}"]`
  return `["j",${JSON.stringify(value.json)}]`
}

function readTagged(tag: string, text: string): Value {
  switch (tag) {
    case 'i':
      return integer(BigInt(text))
    case 't':
      return new Instant(BigInt(text))
    case 'j':
      return new JsonText(text)
    default:
      return Number(text)
  }
}

function readValue(json: string): Value {
  if (json.charCodeAt(0) === 34 && !json.includes('\\')) return json.slice(1, -1)
  const value = JSON.parse(json) as string | number | boolean | [string, string]
  return Array.isArray(value) ? readTagged(value[0], value[1]) : value
}

/** Encodes the undeclared fields of a row; returns `null` if there are none. */
export function writeRest(row: Row, isDeclared: (name: string) => boolean): string | null {
  let names: string[] | undefined
  for (const [name, value] of row) {
    if (value === null || isDeclared(name)) continue
    names ??= []
    names.push(name)
  }
  if (names === undefined) return null
  let text = ''
  for (const name of names.length === 1 ? names : names.sort(compareText)) {
    const value = row.get(name) ?? null
    if (value !== null) text += `\n${JSON.stringify(name)}:${writeValue(value)}`
  }
  return `${text}\n`
}

/** Returns the string for which `restValue` searches to find a field. */
export function restKey(name: string): string {
  return `\n${JSON.stringify(name)}:`
}

export function restValue(rest: string, key: string): Value {
  const found = rest.indexOf(key)
  if (found === -1) return null
  const from = found + key.length
  return readValue(rest.slice(from, rest.indexOf('\n', from)))
}

/** Yields all undeclared fields, in code point order of their names. */
export function* restFields(rest: string): Generator<readonly [string, Value]> {
  let at = 0
  while (at + 1 < rest.length) {
    const end = rest.indexOf('\n', at + 1)
    const nameEnd = closingQuote(rest, at + 2)
    const name = readValue(rest.slice(at + 1, nameEnd + 1))
    yield [typeof name === 'string' ? name : '', readValue(rest.slice(nameEnd + 2, end))]
    at = end
  }
}

function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from)
  while (true) {
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === 92) slashes++
    if (slashes % 2 === 0) return at
    at = text.indexOf('"', at + 1)
  }
}
