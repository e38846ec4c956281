import { cached, checkArgument, clampNs } from '../../../base/index.ts'
import type { Row } from '../../../data/index.ts'
import type { RecordOptions } from '../../record-options.ts'
import { SentRowAppender } from '../intake/sent-rows.ts'
import type { RecordFormat } from '../records/general-reader.ts'
import type { Envelopes } from '../records/envelopes.ts'
import { jsonRecords } from '../records/json-records.ts'
import { RecordReader, type AppendReport, type RecordsReadContext } from '../records/record-reader.ts'
import type { RowBuilder } from './row-builder.ts'

/** Number of objects that are serialized together, so that the fixed cost per call is small. */
const OBJECTS_PER_APPEND = 1_000

/**
 * Maximum number of cached readers of a table, by options. Each holds a few megabytes after it has read large inputs.
 */
const MAX_READERS = 8

/**
 * A row to store. If `sequence` is absent, the row gets the next number. The time is `timeNs`; a time field in `row` is
 * ignored.
 */
export interface NewRow {
  readonly timeNs: bigint
  readonly row: Row
  readonly sequence?: number
}

/** Context for reading JSON lines. Without `envelopes`, each object is one record. */
export interface JsonLinesReadContext extends RecordsReadContext {
  readonly envelopes?: Envelopes | undefined
}

/** Appends rows to a table, in each of the accepted formats. */
export class TableWriter {
  readonly rows: RowBuilder
  readonly #json = new Map<string, RecordReader>()
  readonly #enveloped = new Map<string, RecordReader>()
  readonly #sent = new Map<string, SentRowAppender>()

  constructor(rows: RowBuilder) {
    this.rows = rows
  }

  /** Appends rows in order of ingestion. */
  appendRows(rows: Iterable<NewRow>): void {
    const builder = this.rows
    const { timeField } = builder.definition
    for (const { timeNs, row, sequence } of rows) {
      const tail = builder.beginRow(clampNs(timeNs), sequence)
      for (const [name, value] of row) if (name !== timeField) builder.addValue(tail, name, value)
      builder.endRow(tail)
    }
  }

  /**
   * Appends JSON objects, one per line. Lines that cannot be read are counted and reported, and all other lines are
   * stored.
   */
  appendJsonLines(bytes: Uint8Array, context: JsonLinesReadContext): AppendReport {
    const reader = this.#jsonWith(context)
    reader.append(bytes, context)
    reader.flush()
    return reader.take()
  }

  /**
   * Appends plain objects, one per record, which are read like JSON lines. Time, level and text are found under the
   * names that common loggers use. A record without a time gets `nowNs`, by default the current time. Throws
   * SluiceError for a value that JSON cannot represent.
   */
  appendObjects(objects: Iterable<object>, given: Partial<JsonLinesReadContext> = {}): AppendReport {
    const context = { nowNs: BigInt(Date.now()) * 1_000_000n, ...given }
    const reader = this.#jsonWith(context)
    const encoder = new TextEncoder()
    let lines: string[] = []
    const append = (): void => {
      reader.append(encoder.encode(lines.join('')), context)
      lines = []
    }
    for (const object of objects) {
      lines.push(lineOf(object))
      if (lines.length === OBJECTS_PER_APPEND) append()
    }
    append()
    reader.flush()
    return reader.take()
  }

  /** Returns a reader for an input whose records have this format. */
  reader(format: RecordFormat, context: RecordsReadContext): RecordReader {
    return new RecordReader(this.rows, format, context)
  }

  /** Returns the appender for protobuf rows that were sent with these options. */
  sentRowsWith(options: RecordOptions | undefined): SentRowAppender {
    return cached(this.#sent, keyOf(options), () => new SentRowAppender(this.rows, options), MAX_READERS)
  }

  /** Frees the working memory of the record readers. */
  dropReaders(): void {
    this.#json.clear()
    this.#enveloped.clear()
  }

  #jsonWith(context: JsonLinesReadContext): RecordReader {
    const { envelopes } = context
    const readers = envelopes === undefined ? this.#json : this.#enveloped
    const make = (): RecordReader => new RecordReader(this.rows, jsonRecords(envelopes), context)
    return cached(readers, keyOf(context.options), make, MAX_READERS)
  }
}

function lineOf(object: unknown): string {
  const call = "writer.appendObjects([{ level: 'error' }])"
  checkArgument(typeof object === 'object' && object !== null, object, 'objects', call)
  try {
    return `${JSON.stringify(object, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}\n`
  } catch (error) {
    checkArgument(!(error instanceof TypeError), object, 'objects that JSON can hold', call)
    throw error
  }
}

function keyOf(options: RecordOptions | undefined): string {
  return options === undefined ? '' : JSON.stringify(options)
}
