import type { MutableRow } from '../data/index.ts'
import type { BadLine, LineFormat } from './line-format.ts'

const PAIR = /\s*([^\s="]+)(?:=("(?:[^"\\]|\\.)*"|[^\s"]*))?/y
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

function unquote(text: string): string {
  if (!text.startsWith('"')) return text
  return text.slice(1, -1).replaceAll(/\\(.)/gs, (_, escaped: string) => ESCAPES[escaped] ?? escaped)
}

function decode(line: string): MutableRow | BadLine {
  const row: MutableRow = new Map()
  const text = line.trimEnd()
  let hasValue = false
  PAIR.lastIndex = 0
  while (PAIR.lastIndex < text.length) {
    const column = PAIR.lastIndex + 1
    const match = PAIR.exec(text)
    if (match === null) return { reason: `not logfmt at column ${column}` }
    if (match[2] !== undefined) hasValue = true
    row.set(match[1], match[2] === undefined ? true : unquote(match[2]))
  }
  return hasValue ? row : { reason: 'no key=value pair' }
}

/** `key=value key="two words" flag`; values stay text, a key alone is `true`. */
export const logfmt: LineFormat = {
  name: 'logfmt',
  decode,
  resembles: (line) =>
    /^\s*[A-Za-z_][\w.-]*=("|\S|\s)/.test(line) && (line.match(/(^|\s)[\w.-]+=/g) ?? []).length >= 2 ? 0.9 : 0,
}
