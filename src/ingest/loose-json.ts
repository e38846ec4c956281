import { MAX_JSON_DEPTH } from '../base/index.ts'
import { isJsonObject, isTooDeep, parseJsonExact, quoteNonNumbers, type MutableRow } from '../data/index.ts'
import { flattenRecord } from '../store/index.ts'

const STRINGS = /"(?:[^"\\]|\\[^])*"/g
/** Characters that JSON requires to be escaped in strings. */
const CONTROL = /\p{Cc}/gu

/** Returns the text of each top-level object; `undefined` if anything but blanks and commas separates them. */
function splitObjects(text: string): string[] | undefined {
  const objects: string[] = []
  let start = 0
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (depth > 0 && code === 34) {
      for (i++; i < text.length && text.charCodeAt(i) !== 34; i++) if (text.charCodeAt(i) === 92) i++
    } else if (code === 123) {
      if (depth++ === 0) start = i
    } else if (code === 125) {
      if (--depth < 0) return undefined
      if (depth === 0) objects.push(text.slice(start, i + 1))
    } else if (depth === 0 && code > 32 && code !== 44) return undefined
  }
  return depth === 0 ? objects : undefined
}

/**
 * Returns the text as valid JSON: `NaN` and infinities become strings, and control characters in strings are escaped.
 */
function repaired(text: string): string {
  return quoteNonNumbers(text).replaceAll(STRINGS, (string) =>
    string.replaceAll(CONTROL, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}

/**
 * Returns the records of a line that begins like an object but is not valid JSON; `undefined` for other lines. It
 * accepts several objects in one line, values such as `NaN`, and control characters in strings. The time is linear in
 * the length of the line.
 */
export function looseRecords(line: string): MutableRow[] | undefined {
  if (isTooDeep(line, MAX_JSON_DEPTH)) return undefined
  try {
    const rows = splitObjects(line)?.map((text) => {
      const value = parseJsonExact(repaired(text))
      const row: MutableRow = new Map()
      if (isJsonObject(value)) flattenRecord(row, value)
      return row
    })
    return rows === undefined || rows.length === 0 || rows.some((row) => row.size === 0) ? undefined : rows
  } catch {
    return undefined
  }
}
