const SIMPLE: ReadonlyMap<string, string> = new Map([
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\\', '\\'],
  ['"', '"'],
  ["'", "'"],
  ['/', '/'],
])

const NUMERIC = /x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})/y

/** A quoted text at some place: what it says, and where it ends. */
export interface Quoted {
  readonly value: string
  readonly end: number
}

/**
 * Reads a text in double quotes, single quotes (both with escapes) or backquotes (raw) that starts at `from`.
 * `undefined` when there is none or it is malformed.
 */
export function readQuoted(text: string, from = 0): Quoted | undefined {
  const quote = text[from]
  if (quote === '`') {
    const close = text.indexOf('`', from + 1)
    return close === -1 ? undefined : { value: text.slice(from + 1, close), end: close + 1 }
  }
  if (quote !== '"' && quote !== "'") return undefined
  let value = ''
  let i = from + 1
  while (i < text.length) {
    const character = text[i]
    if (character === quote) return { value, end: i + 1 }
    if (character === '\n') return undefined
    if (character !== '\\') {
      value += character
      i++
      continue
    }
    const simple = SIMPLE.get(text[i + 1])
    if (simple !== undefined) {
      value += simple
      i += 2
      continue
    }
    NUMERIC.lastIndex = i + 1
    const numeric = NUMERIC.exec(text)
    if (numeric === null) return undefined
    const code = numeric[4] === undefined ? Number.parseInt(numeric[0].slice(1), 16) : Number.parseInt(numeric[4], 8)
    if (code > 0x10ffff) return undefined
    value += String.fromCodePoint(code)
    i += 1 + numeric[0].length
  }
  return undefined
}

/** In double quotes, with the escapes of JSON. */
export function quote(text: string): string {
  return JSON.stringify(text)
}
