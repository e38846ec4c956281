/** Position and kind of the first fault of a JSON text. */
export interface JsonFault {
  readonly offset: number
  readonly expected: string
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const BLANK = /[ \t\n\r]*/y
const WORD = /true|false|null/y

type Awaiting = 'value' | 'value-or-end' | 'name' | 'name-or-end' | 'colon' | 'comma-or-end' | 'end'

const EXPECTED: { readonly [K in Awaiting]: string } = {
  value: 'a value',
  'value-or-end': 'a value or `]`',
  name: 'a member name in double quotes',
  'name-or-end': 'a member name in double quotes or `}`',
  colon: '`:`',
  'comma-or-end': '`,` or the closing bracket',
  end: 'the end of the body',
}

/**
 * Finds the first syntax error of an invalid JSON text; `undefined` if there is none. It does not recurse, so deep
 * nesting is safe. Called only after `JSON.parse` has rejected the text, which does not always report a position.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const open: ('{' | '[')[] = []
  let awaiting: Awaiting = 'value'
  let offset = 0
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = offset
    if (!pattern.test(text)) return false
    offset = pattern.lastIndex
    return true
  }
  /** Moves the offset to the end of a string, or to the error inside it. */
  const skipString = (): boolean => {
    for (offset++; offset < text.length && text.charCodeAt(offset) >= 0x20;) {
      if (text[offset] === '"') {
        offset++
        return true
      }
      if (text[offset] !== '\\') offset++
      else if (!skip(ESCAPE)) return false
    }
    return false
  }
  const stringFault = (): JsonFault => ({ offset, expected: 'the rest of a string' })
  const afterValue = (): Awaiting => (open.length === 0 ? 'end' : 'comma-or-end')
  for (;;) {
    skip(BLANK)
    if (offset >= text.length) return awaiting === 'end' ? undefined : { offset, expected: EXPECTED[awaiting] }
    const char = text[offset]
    const inside = open.at(-1)
    const fault: JsonFault = { offset, expected: EXPECTED[awaiting] }
    if ((awaiting === 'value' || awaiting === 'value-or-end') && (char === '{' || char === '[')) {
      open.push(char)
      offset++
      awaiting = char === '{' ? 'name-or-end' : 'value-or-end'
    } else if (
      (char === ']' && inside === '[' && (awaiting === 'value-or-end' || awaiting === 'comma-or-end')) ||
      (char === '}' && inside === '{' && (awaiting === 'name-or-end' || awaiting === 'comma-or-end'))
    ) {
      open.pop()
      offset++
      awaiting = afterValue()
    } else if (awaiting === 'value' || awaiting === 'value-or-end') {
      if (char === '"') {
        if (!skipString()) return stringFault()
      } else if (!skip(NUMBER) && !skip(WORD)) return fault
      awaiting = afterValue()
    } else if (awaiting === 'name' || awaiting === 'name-or-end') {
      if (char !== '"') return fault
      if (!skipString()) return stringFault()
      awaiting = 'colon'
    } else if (awaiting === 'colon') {
      if (char !== ':') return fault
      offset++
      awaiting = 'value'
    } else if (awaiting === 'comma-or-end') {
      if (char !== ',') return fault
      offset++
      awaiting = inside === '{' ? 'name' : 'value'
    } else {
      return fault
    }
  }
}
