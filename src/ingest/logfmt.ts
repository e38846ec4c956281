import { readLogfmt, type MutableRow } from '../data/index.ts'
import type { BadLine, LineFormat } from './line-format.ts'

function decode(line: string): MutableRow | BadLine {
  const row: MutableRow = new Map()
  let hasValue = false
  for (const { name, value, isQuoted } of readLogfmt(line, true)) {
    if (name === '') return { reason: 'a `=` has no key before it' }
    if (!isQuoted && value?.startsWith('"') === true)
      return { reason: `the quoted value of \`${name}\` is not closed`, isOpen: true }
    hasValue ||= value !== undefined
    row.set(name, value ?? true)
  }
  return hasValue ? row : { reason: 'no key=value pair' }
}

/** The format `key=value key="two words" flag`. Values stay strings; a key without a value is `true`. */
export const logfmt: LineFormat = {
  name: 'logfmt',
  decode,
  resembles: (line) =>
    /^\s*[A-Za-z_][\w.-]*=("|\S|\s)/.test(line) && (line.match(/(^|\s)[\w.-]+=/g) ?? []).length >= 2 ? 0.9 : 0,
}
