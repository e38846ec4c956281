import { readQuoted } from '../../data/index.ts'

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
])
const QUOTES = new Set(['"', "'", '`'])

/** True if a query continues on the next line: after `|`, a comma or a backslash, in brackets or quotes. */
export function isUnfinished(text: string): boolean {
  const open: string[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (QUOTES.has(character)) {
      const quoted = readQuoted(text, at, true)
      if (quoted === undefined) return true
      at = quoted.end - 1
    } else if (character === '#') {
      const end = text.indexOf('\n', at)
      if (end === -1) break
      at = end
    } else if (CLOSING.has(character)) open.push(character)
    else if (open.length > 0 && CLOSING.get(open.at(-1) ?? '') === character) open.pop()
  }
  return open.length > 0 || /[|,\\]\s*$/.test(text)
}
