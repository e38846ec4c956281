import { isTooDeep } from '../../ingest/index.ts'
import { KEPT_ERRORS, excerptOf, nothingOf, type IngestDecoder, type IngestError } from './decoder.ts'

/** Why a line is not a record; `undefined` when it is one. Only asked until the first good line. */
function faultOf(line: string): string | undefined {
  if (isTooDeep(line)) return 'nested too deep'
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'a JSON line must be an object'
    return Object.keys(value).length === 0 ? 'an object without a value' : undefined
  } catch (error) {
    return `not JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** JSON objects, one a line, straight into the columns of a table; a bad line is counted and the others go on. */
export function jsonLinesDecoder(table: string): IngestDecoder {
  return {
    table,
    format: 'ndjson',
    decode: (payload, receivedNs) => {
      const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
      const errors: IngestError[] = []
      let rejected = 0
      let line = 0
      let hasRecord = false
      for (let start = 0; start < bytes.length && !hasRecord;) {
        const found = bytes.indexOf(10, start)
        const end = found === -1 ? bytes.length : found
        const text = bytes.toString('utf8', start, end).replace(/^\uFEFF/, '')
        line++
        start = end + 1
        if (text.trim() === '') continue
        const reason = faultOf(text)
        hasRecord = reason === undefined
        if (reason === undefined) break
        rejected++
        if (errors.length < KEPT_ERRORS) errors.push({ line, reason, excerpt: excerptOf(text) })
      }
      if (!hasRecord) return nothingOf(rejected, errors)
      return {
        apply: ({ store }) => {
          const report = store.table(table).appendJsonLines(payload, { nowNs: receivedNs })
          return {
            accepted: report.rows,
            rejected: report.badLines,
            errors: report.examples.map(({ lineNumber, reason, excerpt }) => ({ line: lineNumber, reason, excerpt })),
          }
        },
      }
    },
  }
}
