import { clampNs } from '../../../base/index.ts'
import type { Row } from '../../../data/index.ts'
import type { RecordOptions } from '../../record-options.ts'
import { JsonLineAppender, type AppendReport, type JsonLinesOptions } from '../intake/json-lines.ts'
import type { ScanOptions } from '../intake/scan-options.ts'
import { SentRowAppender } from '../intake/sent-rows.ts'
import type { ScannedLines } from '../lines/scanned-lines.ts'
import type { RowBuilder } from './row-builder.ts'

/** Readers that a table caches, by their options; each has a few megabytes once it has read large inputs. */
const MAX_READERS = 8

/** A row to be stored; without a `sequence` it gets the next one. The table's time field in `row` is ignored. */
export interface NewRow {
  readonly timeNs: bigint
  readonly row: Row
  readonly sequence?: number
}

/** Appends rows to a table in each form in which they come. */
export class TableWriter {
  readonly rows: RowBuilder
  readonly #json = new Map<string, JsonLineAppender>()
  readonly #sent = new Map<string, SentRowAppender>()

  constructor(rows: RowBuilder) {
    this.rows = rows
  }

  /** Rows in order of ingestion. */
  appendRows(rows: Iterable<NewRow>): void {
    const builder = this.rows
    const { timeField } = builder.definition
    for (const { timeNs, row, sequence } of rows) {
      const tail = builder.beginRow(clampNs(timeNs), sequence)
      for (const [name, value] of row) if (name !== timeField) builder.addValue(tail, name, value)
      builder.endRow(tail)
    }
  }

  /** JSON objects, one per line; lines that cannot be read are counted and reported, and the others are stored. */
  appendJsonLines(bytes: Uint8Array, options: JsonLinesOptions): AppendReport {
    return this.#jsonWith(options.options).append(bytes, options)
  }

  /** Options for a scanner of lines in another thread. */
  scanOptionsWith(options: RecordOptions | undefined): ScanOptions {
    return this.#jsonWith(options).scanOptions
  }

  /** As `appendJsonLines`, for lines that were scanned with `scanOptionsWith` of the same options. */
  appendScanned(lines: ScannedLines, options: JsonLinesOptions): AppendReport {
    return this.#jsonWith(options.options).appendScanned(lines, options)
  }

  /** The appender of decoded protobuf rows for these options. */
  sentRowsWith(options: RecordOptions | undefined): SentRowAppender {
    return cached(this.#sent, options, () => new SentRowAppender(this.rows, options))
  }

  /** Frees the working memory of the readers of lines. */
  dropReaders(): void {
    this.#json.clear()
  }

  #jsonWith(options: RecordOptions | undefined): JsonLineAppender {
    return cached(this.#json, options, () => new JsonLineAppender(this.rows, options))
  }
}

function cached<T>(readers: Map<string, T>, options: RecordOptions | undefined, make: () => T): T {
  const key = options === undefined ? '' : JSON.stringify(options)
  const known = readers.get(key)
  if (known !== undefined) return known
  const made = make()
  if (readers.size >= MAX_READERS) readers.clear()
  readers.set(key, made)
  return made
}
