import { detectFormat, isBadLine, jsonLines, logfmt, plainText } from '../../ingest/index.ts'
import type { MutableRow } from '../../data/index.ts'
import { recordFault } from '../../store/index.ts'
import { nothingOf, type IngestDecoder } from './decoder.ts'
import { LineReport, beginningOf, linesOf, piecesOf } from './payload-lines.ts'
import { ROWS_AT_ONCE, storeRecords } from './record-batch.ts'

const SAMPLE_LINES = 20

/**
 * Lines of logs as programs print them: logfmt when the first lines look so, else plain text with the time and the level
 * that a line begins with. A line that is not logfmt among others that are is kept as text.
 */
export const textLinesDecoder: IngestDecoder = {
  table: 'logs',
  format: 'text',
  *decode(payload, receivedNs, options) {
    const text = plainText({ nowNs: receivedNs, zone: options?.zone })
    const format = detectFormat(firstLines(payload), [jsonLines, logfmt, text])
    const read = (line: string): ReturnType<typeof text.decode> => {
      const wanted = format.decode(line)
      const decoded = isBadLine(wanted) ? text.decode(line) : wanted
      const reason = isBadLine(decoded) ? undefined : recordFault(decoded)
      return reason === undefined ? decoded : { reason }
    }
    const beginning = yield* beginningOf(payload, (line) => {
      const decoded = read(line)
      return isBadLine(decoded) ? decoded.reason : undefined
    })
    if (!beginning.hasRecord) return nothingOf(beginning.rejected, beginning.errors)
    return {
      *apply({ store }) {
        const report = new LineReport()
        for (const piece of piecesOf(payload)) {
          if (piece.isTooLong) {
            report.rejectTooLong()
            continue
          }
          let records: MutableRow[] = []
          for (const line of linesOf(piece)) {
            report.lines++
            if (line.trim() === '') continue
            const decoded = read(line)
            if (isBadLine(decoded)) report.reject(report.lines, decoded.reason, line)
            else records.push(decoded)
            if (records.length < ROWS_AT_ONCE) continue
            report.accepted += storeRecords(store.table('logs'), records, { nowNs: receivedNs, options }, report)
            records = []
            yield
          }
          report.accepted += storeRecords(store.table('logs'), records, { nowNs: receivedNs, options }, report)
          yield
        }
        return report.finish()
      },
    }
  },
}

/** Lines that tell how the others are written. */
function firstLines(payload: Uint8Array): readonly string[] {
  const lines: string[] = []
  for (const piece of piecesOf(payload)) {
    for (const line of piece.isTooLong ? [] : linesOf(piece)) {
      if (line.trim() !== '') lines.push(line)
      if (lines.length === SAMPLE_LINES) return lines
    }
  }
  return lines
}

/** Whether a body that calls itself text begins as JSON does not. */
export function isPlainText(contentType: string | null, payload: Uint8Array): boolean {
  if (!/^\s*text\/plain\b/i.test(contentType ?? '')) return false
  for (const byte of payload) {
    if (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d) continue
    return byte !== 0x7b && byte !== 0x5b && byte !== 0xef
  }
  return false
}
