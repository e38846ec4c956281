import {
  FORMAT_SAMPLE_BYTES,
  FORMAT_SAMPLE_LINES,
  detectFormat,
  isBadLine,
  isDockerLine,
  jsonLines,
  logfmt,
  plainText,
  textRecords,
} from '../../../ingest/index.ts'
import { recordFault } from '../../../store/index.ts'
import { nothingOf, type IngestDecoder } from '../decoder.ts'
import { beginningOf, linesOf, chunksOf } from '../payload-lines.ts'
import { storeRead } from './read-batch.ts'

/**
 * Decoder for log lines in mixed formats: the format of each line is detected separately, and lines are joined to
 * records. If the first lines look like logfmt, unrecognised lines are stored as text.
 */
export const textLinesDecoder: IngestDecoder = {
  table: 'logs',
  format: 'text',
  *decode(payload, receivedNs, options) {
    const context = { nowNs: receivedNs, zone: options?.zone }
    const text = plainText(context)
    const format = detectFormat(firstLines(payload), [jsonLines, logfmt, text])
    const beginning = yield* beginningOf(payload, (line) => {
      const decoded = text.decode(line)
      return isBadLine(decoded) ? decoded.reason : recordFault(decoded)
    })
    if (!beginning.hasRecord) return nothingOf(beginning.rejected, beginning.errors)
    return {
      apply: ({ store }) =>
        storeRead(payload, textRecords(format, { ...options, keepsOthers: true }), store.table('logs'), {
          nowNs: receivedNs,
          options,
        }),
    }
  },
}

/** Returns the first non-blank lines, from which the format of the payload is detected. */
function firstLines(payload: Uint8Array): readonly string[] {
  const lines: string[] = []
  for (const chunk of chunksOf(payload)) {
    for (const line of chunk.isTooLong ? [] : linesOf(chunk)) {
      if (line.trim() !== '') lines.push(line)
      if (lines.length === FORMAT_SAMPLE_LINES) return lines
    }
  }
  return lines
}

/**
 * Returns whether a body contains lines of text. Its content type must be text or missing, and the body must not begin
 * like JSON. Docker's JSON files count as text too, since their lines are joined like text.
 */
export function isPlainText(contentType: string | null, payload: Uint8Array): boolean {
  const head = Buffer.from(payload.buffer, payload.byteOffset, Math.min(payload.byteLength, FORMAT_SAMPLE_BYTES))
  const text = head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (text === '') return false
  if (text.startsWith('{')) {
    const end = text.indexOf('\n')
    return isDockerLine(end === -1 ? text : text.slice(0, end))
  }
  const isText = contentType === null || /^\s*text\/plain\b/i.test(contentType)
  // Tells a JSON list from text that begins with a bracket, such as the times of Apache, Kafka and PHP.
  return isText && !/^\[\s*(?:[{\]]|$)/.test(text)
}
