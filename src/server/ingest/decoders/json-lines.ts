import { isTooDeep } from '../../../data/index.ts'
import { envelopes } from '../../../ingest/index.ts'
import { nothingOf, type IngestDecoder } from '../decoder.ts'
import { LineReport, beginningOf, chunksOf } from '../payload-lines.ts'

/** Returns the reason why a line is not a record; `undefined` if it is one. */
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

/** Returns a decoder for JSON lines. The decoder writes records directly into columns and counts invalid lines. */
export function jsonLinesDecoder(table: string): IngestDecoder {
  return {
    table,
    format: 'ndjson',
    *decode(payload, receivedNs, options) {
      const { hasRecord, rejected, errors } = yield* beginningOf(payload, faultOf)
      if (!hasRecord) return nothingOf(rejected, errors)
      return {
        *apply({ store }) {
          const report = new LineReport()
          for (const chunk of chunksOf(payload)) {
            yield
            if (chunk.isTooLong) {
              report.rejectTooLong()
              continue
            }
            const context = { nowNs: receivedNs, options, firstLine: report.lines + 1 }
            const { writer } = store.table(table)
            report.addRead(writer.appendJsonLines(chunk.bytes, table === 'logs' ? { ...context, envelopes } : context))
          }
          return report.finish()
        },
      }
    },
  }
}
