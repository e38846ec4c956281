import { BYTES_PER_CHECKPOINT, KEPT_EXAMPLES, PAGE_BYTES, type Turns } from '../../base/index.ts'
import { RecordFaultCount } from '../../data/index.ts'
import { MAX_ITEM_BYTES } from '../../ingest/index.ts'
import type { AppendReport } from '../../store/index.ts'
import { fault } from '../errors/http-fault.ts'
import { excerptOf, type IngestError, type IngestReport } from './decoder.ts'

/** Lines of one body. */
const MAX_LINES = 2_000_000
/** Lines at the start of a body among which a record is looked for before it is logged. */
export const LINES_LOOKED_AT = 10_000

/** Some whole lines of a payload. */
export interface Piece {
  readonly bytes: Uint8Array
  /** Whether it is one line that is too long to be read. */
  readonly isTooLong: boolean
}

export const tooLongReason = `longer than ${MAX_ITEM_BYTES / 2 ** 20} MiB`

/** Throws 413 for a body of more lines than are taken at once. */
export function* checkLineCount(payload: Uint8Array): Turns<void> {
  // A line takes a byte at least.
  if (payload.length <= MAX_LINES) return
  let lines = 0
  for (let from = 0; from < payload.length; from += BYTES_PER_CHECKPOINT) {
    const to = Math.min(payload.length, from + BYTES_PER_CHECKPOINT)
    for (let i = from; i < to; i++) if (payload[i] === 10) lines++
    if (lines > MAX_LINES) throw fault('too-many-lines', { limit: MAX_LINES })
    yield
  }
}

/** A payload in pieces of whole lines, of so many bytes where a line is not longer. */
export function* piecesOf(payload: Uint8Array, pieceBytes = BYTES_PER_CHECKPOINT): Generator<Piece> {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
  for (let start = 0; start < bytes.length;) {
    let end = bytes.length
    if (end - start > pieceBytes) {
      end = bytes.lastIndexOf(10, start + pieceBytes - 1) + 1
      if (end <= start) end = bytes.indexOf(10, start) + 1
      if (end <= start) end = bytes.length
    }
    yield { bytes: bytes.subarray(start, end), isTooLong: end - start > MAX_ITEM_BYTES }
    start = end
  }
}

/** The lines of a piece as texts, without their ends; the mark that UTF-8 may begin with is not part of the first. */
export function linesOf({ bytes }: Piece): readonly string[] {
  const lines = new TextDecoder('utf-8').decode(bytes).split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
}

/** What is wrong with the lines before the first that is a record, and whether one is to be expected. */
export interface Beginning {
  readonly hasRecord: boolean
  readonly rejected: number
  /** The first few. */
  readonly errors: readonly IngestError[]
}

/**
 * Reads lines up to the first record; `faultOf` says why a line is not one. After many lines without one the rest is
 * left to whoever stores the payload.
 */
export function* beginningOf(payload: Uint8Array, faultOf: (line: string) => string | undefined): Turns<Beginning> {
  const errors: IngestError[] = []
  let rejected = 0
  let line = 0
  for (const piece of piecesOf(payload, PAGE_BYTES)) {
    for (const text of piece.isTooLong ? [undefined] : linesOf(piece)) {
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

/** A report that grows piece by piece. */
export class LineReport extends RecordFaultCount {
  accepted = 0
  rejected = 0
  readonly errors: IngestError[] = []
  /** Lines of the pieces before. */
  lines = 0

  reject(line: number, reason: string, excerpt: string): void {
    this.rejected++
    if (this.errors.length < KEPT_EXAMPLES) this.errors.push({ line, reason, excerpt: excerptOf(excerpt) })
  }

  /** Adds what was read of the lines behind those before. */
  addRead(read: AppendReport): void {
    this.addAll(read)
    this.lines += read.lines
    this.accepted += read.rows
    this.rejected += read.badLines - read.examples.length
    for (const { lineNumber, reason, excerpt } of read.examples) this.reject(lineNumber, reason, excerpt)
  }

  finish(): IngestReport {
    const { accepted, rejected, errors } = this
    return { accepted, rejected, errors, ...this.told() }
  }

  /** Counts a line that is too long to be read. */
  rejectTooLong(): void {
    this.reject(++this.lines, tooLongReason, '')
  }
}
