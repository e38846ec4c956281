/** Type of a JSON value. Type and position of a value are found without parsing its members. */
export type JsonKind = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object'

export interface JsonValueSpan {
  readonly kind: JsonKind
  /** Source text of the value. For a string, the part between the quotes, with escapes. */
  readonly text: string
  /** Index of the value's first character. */
  readonly start: number
  /** Index after the value's last character. */
  readonly end: number
}

/** Why parsing of a line stopped, in Loki's wording. Returned instead of thrown, because many lines are not JSON. */
export type JsonFault = string

const noObject = "Value looks like object, but can't find closing '}' symbol"
const noArray = "Value is array, but can't find closing ']' symbol"
const noString = `Value is string, but can't find closing '"' symbol`
const unknown = 'Unknown value type'
const malformed = 'Malformed JSON error'

/** Returns the index of the next character that is not white space; -1 if there is none. */
export function nextToken(line: string, at: number): number {
  for (let i = at; i < line.length; i++) {
    const unit = line.charCodeAt(i)
    if (unit !== 32 && unit !== 10 && unit !== 13 && unit !== 9) return i
  }
  return -1
}

/**
 * Returns the index after the closing quote of a string; -1 if there is none. `at` is the index after its opening
 * quote.
 */
function stringEnd(line: string, at: number): number {
  for (let i = line.indexOf('"', at); i !== -1; i = line.indexOf('"', i + 1)) {
    let escapes = 0
    while (line[i - 1 - escapes] === '\\' && i - 1 - escapes >= at) escapes++
    if (escapes % 2 === 0) return i + 1
  }
  return -1
}

/** Returns the index after the bracket that closes the bracket at `at`; -1 if there is none. */
function blockEnd(line: string, at: number, open: string, close: string): number {
  let depth = 0
  for (let i = at; i < line.length; i++) {
    const character = line[i]
    if (character === '"') {
      const end = stringEnd(line, i + 1)
      if (end === -1) return -1
      i = end - 1
    } else if (character === open) depth++
    else if (character === close && --depth === 0) return i + 1
  }
  return -1
}

const LITERALS: Readonly<Record<string, JsonKind>> = { true: 'boolean', false: 'boolean', null: 'null' }

/** Returns the next value from `at` on, or the reason why there is no valid one. */
export function valueAt(line: string, at: number): JsonValueSpan | JsonFault {
  const start = nextToken(line, at)
  if (start === -1) return malformed
  const first = line[start]
  if (first === '"') {
    const end = stringEnd(line, start + 1)
    if (end === -1) return noString
    return { kind: 'string', text: line.slice(start + 1, end - 1), start, end }
  }
  if (first === '[' || first === '{') {
    const isArray = first === '['
    const end = blockEnd(line, start, first, isArray ? ']' : '}')
    if (end === -1) return isArray ? noArray : noObject
    return { kind: isArray ? 'array' : 'object', text: line.slice(start, end), start, end }
  }
  const tail = /[\s,}\]]/g
  tail.lastIndex = start
  const end = tail.exec(line)?.index ?? line.length
  const text = line.slice(start, end)
  const kind = LITERALS[text] ?? (/^[-\d]/.test(text) ? 'number' : undefined)
  if (kind === undefined) return unknown
  return { kind, text, start, end }
}

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROLS = /[\u0000-\u001f]/g

/** Decodes the escapes of a string. Returns the empty string if an escape is invalid. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  // JSON does not allow control characters inside strings, but lines may contain them.
  const quoted = `"${text.replaceAll(CONTROLS, (control) => JSON.stringify(control).slice(1, -1))}"`
  try {
    return JSON.parse(quoted) as string
  } catch {
    return ''
  }
}

/**
 * Calls `visit` for each member of the object at `at`, until `visit` returns false or there is a fault. Returns the
 * reason if the rest was not parsed because of a fault.
 */
export function eachMember(
  line: string,
  at: number,
  visit: (key: string, value: JsonValueSpan) => boolean | JsonFault,
): JsonFault | undefined {
  let i = nextToken(line, at)
  if (i === -1 || line[i] !== '{') return noObject
  i = nextToken(line, i + 1)
  if (line[i] === '}') return undefined
  for (;;) {
    if (i === -1 || line[i] !== '"') return noObject
    const keyEnd = stringEnd(line, i + 1)
    if (keyEnd === -1) return noString
    const key = unescaped(line.slice(i + 1, keyEnd - 1))
    const colon = nextToken(line, keyEnd)
    if (line[colon] !== ':') return malformed
    const value = valueAt(line, colon + 1)
    if (typeof value === 'string') return value
    const next = visit(key, value)
    if (typeof next === 'string') return next
    if (!next) return undefined
    i = nextToken(line, value.end)
    if (line[i] === '}') return undefined
    if (line[i] !== ',') return noArray
    i = nextToken(line, i + 1)
  }
}
