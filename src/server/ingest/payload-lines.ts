import { BYTES_PER_CHECKPOINT, KEPT_EXAMPLES, PAGE_BYTES, type StepwiseTask } from '../../base/index.ts'
import { RecordFaultCount } from '../../data/index.ts'
import { MAX_ITEM_BYTES } from '../../ingest/index.ts'
import type { AppendReport } from '../../store/index.ts'
import { fault } from '../errors/http-fault.ts'
import { excerptOf, type IngestError, type IngestReport } from './decoder.ts'

/** Maximum number of lines in a body. */
const MAX_LINES = 2_000_000
/** Maximum number of lines that are searched for the first record before a body is logged. */
export const LINES_LOOKED_AT = 10_000

/** A chunk of a payload that consists of complete lines. */
export interface PayloadChunk {
  readonly bytes: Uint8Array
  /** True if the chunk is a single line that is too long. */
  readonly isTooLong: boolean
}

export const tooLongReason = `longer than ${MAX_ITEM_BYTES / 2 ** 20} MiB`

/** Throws 413 for a body with too many lines. */
export function* checkLineCount(payload: Uint8Array): StepwiseTask<void> {
  // Every line takes at least one byte, so a short payload cannot have too many.
  if (payload.length <= MAX_LINES) return
  let lines = 0
  for (let from = 0; from < payload.length; from += BYTES_PER_CHECKPOINT) {
    const to = Math.min(payload.length, from + BYTES_PER_CHECKPOINT)
    for (let i = from; i < to; i++) if (payload[i] === 10) lines++
    if (lines > MAX_LINES) throw fault('too-many-lines', { limit: MAX_LINES })
    yield
  }
}

/** Splits a payload into chunks of whole lines, of about `chunkBytes`. */
export function* chunksOf(payload: Uint8Array, chunkBytes = BYTES_PER_CHECKPOINT): Generator<PayloadChunk> {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
  for (let start = 0; start < bytes.length;) {
    let end = bytes.length
    if (end - start > chunkBytes) {
      end = bytes.lastIndexOf(10, start + chunkBytes - 1) + 1
      if (end <= start) end = bytes.indexOf(10, start) + 1
      if (end <= start) end = bytes.length
    }
    yield { bytes: bytes.subarray(start, end), isTooLong: end - start > MAX_ITEM_BYTES }
    start = end
  }
}

/** Lines of a chunk without their ends; a byte order mark is removed. */
export function linesOf({ bytes }: PayloadChunk): readonly string[] {
  const lines = new TextDecoder('utf-8').decode(bytes).split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
}

/** Progress of the search for the first record: the errors before it, and whether it was found. */
export interface Beginning {
  readonly hasRecord: boolean
  readonly rejected: number
  /** Errors of the first few rejected lines. */
  readonly errors: readonly IngestError[]
}

/**
 * Reads lines up to the first record; `faultOf` returns the error of a line. The search ends after many lines without a
 * record.
 */
export function* beginningOf(
  payload: Uint8Array,
  faultOf: (line: string) => string | undefined,
): StepwiseTask<Beginning> {
  const errors: IngestError[] = []
  let rejected = 0
  let line = 0
  for (const chunk of chunksOf(payload, PAGE_BYTES)) {
    for (const text of chunk.isTooLong ? [undefined] : linesOf(chunk)) {
      line++
      if (text?.trim() === '') continue
      const reason = text === undefined ? tooLongReason : faultOf(text)
      if (reason === undefined || rejected === LINES_LOOKED_AT) return { hasRecord: true, rejected, errors }
      rejected++
      if (errors.length < KEPT_EXAMPLES) errors.push({ line, reason, excerpt: excerptOf(text ?? '') })
      if (rejected % 64 === 0) yield
    }
  }
  return { hasRecord: false, rejected, errors }
}

/** An ingest report that grows chunk by chunk. */
export class LineReport extends RecordFaultCount {
  accepted = 0
  rejected = 0
  readonly errors: IngestError[] = []
  /** Number of lines in earlier chunks. */
  lines = 0

  reject(line: number, reason: string, excerpt: string): void {
    this.rejected++
    if (this.errors.length < KEPT_EXAMPLES) this.errors.push({ line, reason, excerpt: excerptOf(excerpt) })
  }

  /** Adds the result of storing the lines that follow the counted ones. */
  addRead(read: AppendReport): void {
    this.addAll(read)
    this.lines += read.lines
    this.accepted += read.rows
    this.rejected += read.badLines - read.examples.length
    for (const { lineNumber, reason, excerpt } of read.examples) this.reject(lineNumber, reason, excerpt)
  }

  finish(): IngestReport {
    const { accepted, rejected, errors } = this
    return { accepted, rejected, errors, ...this.found() }
  }

  /** Counts a line that is too long. */
  rejectTooLong(): void {
    this.reject(++this.lines, tooLongReason, '')
  }
}
