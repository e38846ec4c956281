import { detectFormat, isBadLine, jsonLines, logfmt, plainText } from '../../ingest/index.ts'
import type { MutableRow } from '../../data/index.ts'
import { KEPT_ERRORS, excerptOf, type IngestDecoder, type IngestError } from './decoder.ts'
import { recordBatch } from './record-batch.ts'

const SAMPLE_LINES = 20

/**
 * Lines of logs as programs print them: logfmt when the first lines look so, else plain text with the time and the level
 * that a line begins with. A line that is not logfmt among others that are is kept as text.
 */
export const textLinesDecoder: IngestDecoder = {
  table: 'logs',
  format: 'text',
  decode: (payload, receivedNs) => {
    const lines = new TextDecoder('utf-8').decode(payload).split('\n')
    const text = plainText(receivedNs)
    const sample = lines.filter((line) => line.trim() !== '').slice(0, SAMPLE_LINES)
    const format = detectFormat(sample, [jsonLines, logfmt, text])
    const records: MutableRow[] = []
    const errors: IngestError[] = []
    let rejected = 0
    lines.forEach((raw, i) => {
      const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
      if (line.trim() === '') return
      const wanted = format.decode(line)
      const decoded = isBadLine(wanted) ? text.decode(line) : wanted
      if (!isBadLine(decoded)) {
        records.push(decoded)
        return
      }
      rejected++
      if (errors.length < KEPT_ERRORS) errors.push({ line: i + 1, reason: decoded.reason, excerpt: excerptOf(line) })
    })
    return recordBatch('logs', records, receivedNs, rejected, errors)
  },
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
