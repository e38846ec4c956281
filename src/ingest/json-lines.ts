import { MAX_JSON_DEPTH } from '../base/index.ts'
import { isJsonObject, parseJsonExact, type ExactJson, type MutableRow } from '../data/index.ts'
import { flattenRecord } from '../store/index.ts'
import type { BadLine, LineFormat } from './line-format.ts'

/** Counts brackets outside strings, so that no recursive reader meets a depth it cannot take. */
export function isTooDeep(text: string, limit = MAX_JSON_DEPTH): boolean {
  let depth = 0
  let isInString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (isInString) {
      if (code === 92) i++
      else if (code === 34) isInString = false
    } else if (code === 34) isInString = true
    else if (code === 123 || code === 91) {
      if (++depth > limit) return true
    } else if (code === 125 || code === 93) depth--
  }
  return false
}

function decode(line: string): MutableRow | BadLine {
  let value: ExactJson
  if (isTooDeep(line)) return { reason: `nested deeper than ${MAX_JSON_DEPTH} levels` }
  try {
    value = parseJsonExact(line)
  } catch (error) {
    return { reason: `not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  if (!isJsonObject(value)) return { reason: 'a JSON line must be an object' }
  const row: MutableRow = new Map()
  flattenRecord(row, value)
  return row.size === 0 ? { reason: 'an object without a value' } : row
}

/** One JSON object a line. */
export const jsonLines: LineFormat = {
  name: 'json',
  decode,
  resembles: (line) => (/^\s*\{.*\}\s*$/s.test(line) ? 1 : 0),
}
