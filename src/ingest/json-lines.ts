import { MAX_JSON_DEPTH } from '../base/index.ts'
import { isJsonObject, isTooDeep, parseJsonExact, type ExactJson, type MutableRow } from '../data/index.ts'
import { flattenRecord } from '../store/index.ts'
import type { BadLine, LineFormat } from './line-format.ts'

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

/** The format with one JSON object per line. */
export const jsonLines: LineFormat = {
  name: 'json',
  decode,
  resembles: (line) => (/^\s*\{.*\}\s*$/s.test(line) ? 1 : 0),
}
