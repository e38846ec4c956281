import { isUtf8 } from 'node:buffer'
import { closeSync, openSync, readSync } from 'node:fs'
import { CHUNK_BYTES, LINE_FEED, PAGE_BYTES } from '../../../base/index.ts'
import { csvRecords, damagedLines, logfmt, recordFormat, textFormat } from '../../../ingest/index.ts'
import {
  MAX_RECORD_BYTES,
  MemoryTable,
  type RecordFormat,
  type RecordReader,
  type Segment,
} from '../../../store/index.ts'
import { PART_BYTES } from '../tuning.ts'
import { namesMet } from '../names-met.ts'
import type { PartCounts, PartedFile, PartedTable } from './file-part.ts'

/** A part that was read: its rows, numbered from 0, and what is to be counted. */
export interface ReadPart {
  readonly segments: readonly Segment[]
  readonly counts: PartCounts
}

export function partCount({ bytes }: PartedFile): number {
  return Math.ceil(bytes / PART_BYTES)
}

function formatOf({ input, format, reading }: PartedFile): RecordFormat {
  switch (input.kind) {
    case 'json-lines':
      return recordFormat(input, format, reading.options)
    case 'table':
      return csvRecords(input.separator, input.names)
    case 'lines': {
      const line = input.line === 'logfmt' ? logfmt : textFormat(reading)
      return recordFormat({ kind: 'lines', format: line }, format, reading.options)
    }
  }
}

/** Reads parts of files into segments whose dictionaries they share. */
export class PartReader {
  #table: MemoryTable
  #buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES)

  constructor({ definition, options }: PartedTable) {
    this.#table = new MemoryTable(definition, options)
  }

  /** One part; all that follows it in the file as well with `toEnd`. Throws what the system says of the file. */
  read(file: PartedFile, part: number, toEnd = false): ReadPart {
    const format = formatOf(file)
    const table = (this.#table = this.#table.emptyTwin())
    if (file.origin !== undefined) table.writer.rows.origin = file.origin
    const descriptor = openSync(file.path, 'r')
    try {
      const from = part === 0 ? file.from : beginning(descriptor, file, format, part * PART_BYTES)
      const to = toEnd || from === undefined ? file.bytes : endOf(descriptor, file, format, part)
      const reader = table.writer.reader(format, file.reading)
      const damagedLines = from === undefined ? 0 : this.#readRange(descriptor, file, from, to, reader)
      const standsAlone = !reader.hasRest && !reader.readsAll
      reader.flush()
      table.seal()
      return {
        segments: table.segments.all,
        counts: {
          ...reader.take(),
          bytes: from === undefined ? 0 : to - from,
          damagedLines,
          numbered: table.writer.rows.nextSequence,
          names: [...table.view.namesMet()],
          leftOutTimes: table.writer.rows.leftOutTimes.ends(),
          namesMet: [...namesMet(table, file.reading)],
          standsAlone,
        },
      }
    } finally {
      closeSync(descriptor)
    }
  }

  /** Gives how many lines have bytes that are not UTF-8. */
  #readRange(descriptor: number, file: PartedFile, from: number, to: number, reader: RecordReader): number {
    let damaged = 0
    let held = 0
    let isSkipping = false
    for (let at = from; at < to || held > 0;) {
      const read = readSync(descriptor, this.#buffer, held, Math.min(this.#buffer.length - held, to - at), at)
      at += read
      const total = held + read
      const isLast = at >= to || read === 0
      const end = isLast ? total : this.#buffer.lastIndexOf(LINE_FEED, total - 1) + 1
      const start = isSkipping ? this.#buffer.subarray(0, end).indexOf(LINE_FEED) + 1 : 0
      if (end > start) {
        const piece = this.#buffer.subarray(start, end)
        if (!isUtf8(piece)) damaged += damagedLines(piece)
        reader.append(piece, file.reading, file.firstPlace + at - total + start)
      }
      if (end > 0) isSkipping = false
      if (isLast) break
      held = isSkipping ? 0 : total - end
      this.#buffer.copyWithin(0, end, end + held)
      if (held < this.#buffer.length) continue
      if (held < MAX_RECORD_BYTES) this.#growBuffer()
      else {
        reader.reject(`longer than ${MAX_RECORD_BYTES} bytes`, this.#buffer.toString('utf8', 0, 480))
        reader.lines++
        held = 0
        isSkipping = true
      }
    }
    return damaged
  }

  #growBuffer(): void {
    const larger = Buffer.allocUnsafeSlow(2 * this.#buffer.length)
    this.#buffer.copy(larger)
    this.#buffer = larger
  }
}

/** Where the part behind this one begins that has a beginning. */
function endOf(descriptor: number, file: PartedFile, format: RecordFormat, part: number): number {
  for (let next = part + 1; next < partCount(file); next++) {
    const at = beginning(descriptor, file, format, next * PART_BYTES)
    if (at !== undefined) return at
  }
  return file.bytes
}

/** Where the first record begins at an offset or behind it; `undefined` where no line near it is known to begin one. */
function beginning(
  descriptor: number,
  { bytes }: PartedFile,
  format: RecordFormat,
  offset: number,
): number | undefined {
  const from = Math.max(0, offset - PAGE_BYTES)
  const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, bytes - from))
  const length = readSync(descriptor, buffer, 0, buffer.length, from)
  const text = buffer.subarray(0, length)
  let before = text.lastIndexOf(LINE_FEED, offset - from - 2) + 1
  for (;;) {
    const start = text.indexOf(LINE_FEED, Math.max(before, offset - from - 1)) + 1
    const end = start === 0 ? 0 : text.indexOf(LINE_FEED, start) + 1
    if (end === 0) return undefined
    if ((before > 0 || from === 0) && format.beginsAt(text, before, start, end)) return from + start
    before = start
  }
}
