import { isUtf8 } from 'node:buffer'
import { CHUNK_BYTES, LINE_FEED, type StepwiseTask } from '../../../base/index.ts'
import { csvRecords, damagedLines, logfmt, recordFormat, textFormat } from '../../../ingest/index.ts'
import { MemoryTable, type RecordFormat, type RecordReader, type Segment } from '../../../store/index.ts'
import { namesMet } from '../names-met.ts'
import type { PartCounts, PartReadOptions } from './file-part.ts'
import type { TakenPart } from './part-ring.ts'

/** A part that was read: its rows, numbered from 0, and its counts. */
export interface ReadPart {
  readonly segments: readonly Segment[]
  readonly counts: PartCounts
}

/** Returns the record format of a part. */
export function partFormat({ input, format, context }: PartReadOptions): RecordFormat {
  switch (input.kind) {
    case 'json-lines':
      return recordFormat(input, format, context.options)
    case 'table':
      return csvRecords(input.separator, input.names)
    case 'lines': {
      const line = input.line === 'logfmt' ? logfmt : textFormat(context)
      return recordFormat({ kind: 'lines', format: line }, format, context.options)
    }
  }
}

/** Reads parts of an input into segments that share dictionaries. */
export class PartReader {
  readonly #how: PartReadOptions
  #table: MemoryTable
  #reader: RecordReader | undefined

  constructor(how: PartReadOptions) {
    this.#how = how
    this.#table = new MemoryTable(how.definition, how.options)
  }

  /**
   * Returns the record reader of the previous part, which has learned the templates of the records, for another table.
   */
  #readerInto({ writer }: MemoryTable): RecordReader {
    if (this.#reader === undefined) this.#reader = writer.reader(partFormat(this.#how), this.#how.context)
    else this.#reader.into(writer.rows)
    return this.#reader
  }

  /** Reads a part; yields after each mebibyte. */
  *read({ bytes, offset }: TakenPart): StepwiseTask<ReadPart> {
    const { context, origin } = this.#how
    const table = (this.#table = this.#table.emptyTwin())
    // Parts have similar sizes, so each one reuses the memory of the previous one.
    table.sealer.mostSpareBytes = Infinity
    if (origin !== undefined) table.writer.rows.origin = origin
    const reader = this.#readerInto(table)
    for (let at = 0; at < bytes.length;) {
      const last = at + CHUNK_BYTES >= bytes.length ? -1 : bytes.lastIndexOf(LINE_FEED, at + CHUNK_BYTES - 1)
      const end = last < at ? bytes.length : last + 1
      reader.append(bytes.subarray(at, end), context, offset + at)
      at = end
      yield
    }
    const standsAlone = !reader.hasRest && !reader.readsAll
    if (!standsAlone) this.#reader = undefined
    reader.flush()
    table.seal()
    return {
      segments: table.segments.all,
      counts: {
        ...reader.take(),
        bytes: bytes.length,
        damagedLines: isUtf8(bytes) ? 0 : damagedLines(bytes),
        numbered: table.writer.rows.nextSequence,
        names: [...table.view.namesMet()],
        leftOutTimes: table.writer.rows.leftOutTimes.ends(),
        namesMet: [...namesMet(table, context)],
        standsAlone,
      },
    }
  }
}
