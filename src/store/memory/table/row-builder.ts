import type { Interval } from '../../../base/index.ts'
import { JsonText, toText, type Value } from '../../../data/index.ts'
import type { RecordTableDefinition } from '../../../plan/index.ts'
import { jsonText } from '../../record.ts'
import type { FieldState } from '../field-state.ts'
import type { ScanOptions } from '../records/scan-options.ts'
import { OTHER_FIELDS, hasJsonForm, otherFieldsOf } from '../other-fields.ts'
import { epochTimeOf, type EpochTime } from '../segment.ts'
import { Tail } from '../tail.ts'
import type { MemoryTableOptions } from './table-options.ts'
import type { TableFields } from './table-fields.ts'
import type { TableSealer } from './table-sealer.ts'
import type { TableTails } from './table-tails.ts'
import { TimeSpan } from './time-span.ts'

/** Adds rows to the tails of a table, value by value, and assigns sequence numbers. */
export class RowBuilder {
  readonly definition: RecordTableDefinition
  readonly fields: TableFields
  readonly #tails: TableTails
  readonly #sealer: TableSealer
  /** Rows outside this time range need not be stored. */
  readonly keptRange: Interval | undefined
  /** The times of the rows that were not stored because of their time. */
  readonly leftOutTimes = new TimeSpan()
  readonly scanOptions: ScanOptions
  readonly #positionField: FieldState | undefined
  /** Byte offset of the next row in its file. Stored if the table has a field for it. */
  offset = 0
  /** The value of the field `_file` for the next rows. */
  origin: string | undefined
  /** The sequence number of the next row. */
  nextSequence = 0
  /** For each epoch, the sequence number below which all rows are already in segments. */
  #covered: ReadonlyMap<number, number> | undefined
  /** Tail for rows that are skipped; its content is discarded. */
  #skipped: Tail | undefined
  /** Values of the current row that have no column of their own, because the table has reached its limit of columns. */
  readonly #others = new Map<string, Value>()

  constructor(
    definition: RecordTableDefinition,
    { keptFields, keptRows, positionField }: MemoryTableOptions,
    {
      fields,
      tails,
      sealer,
    }: { readonly fields: TableFields; readonly tails: TableTails; readonly sealer: TableSealer },
  ) {
    this.definition = definition
    this.fields = fields
    this.#tails = tails
    this.#sealer = sealer
    this.keptRange = keptRows?.range
    this.scanOptions = { table: definition, keptFields, words: keptRows?.words }
    if (positionField !== undefined) this.#positionField = fields.field(positionField)
  }

  /**
   * From now on, skips rows whose sequence number is below that of their epoch in `covered`: skipped rows are numbered
   * but not stored. With `undefined`, all rows are stored again.
   */
  skipBelow(covered: ReadonlyMap<number, number> | undefined): void {
    this.#covered = covered
    this.#skipped = undefined
  }

  /** Begins a row. Calls of `addValue` and then `endRow` must follow. */
  beginRow(timeNs: bigint, sequence?: number): Tail {
    return this.beginRowAt(epochTimeOf(timeNs), sequence)
  }

  /** Does the same as `beginRow`, for a time in its stored form. */
  beginRowAt({ epoch, delta }: EpochTime, sequence = this.nextSequence): Tail {
    const isSkipped = sequence < (this.#covered?.get(epoch) ?? 0)
    const tail = isSkipped ? (this.#skipped ??= new Tail(epoch)) : this.#tails.open(epoch)
    tail.begin(delta, sequence)
    if (this.#positionField !== undefined) tail.builder(this.#positionField).addNumber(tail.rowCount, this.offset)
    if (sequence >= this.nextSequence) this.nextSequence = sequence + 1
    return tail
  }

  /** Adds a value to the current row. Missing values and values of fields that the table does not store are ignored. */
  addValue(tail: Tail, name: string, value: Value): void {
    if (value === null || !this.fields.keeps(name)) return
    if (this.fields.hasColumn(name)) tail.builder(this.fields.field(name)).add(tail.rowCount, value)
    else if (name === OTHER_FIELDS && value instanceof JsonText)
      for (const [other, member] of otherFieldsOf(value)) this.#others.set(other, member)
    else this.#others.set(name, hasJsonForm(value) ? value : toText(value))
  }

  /** Completes the current row and makes it visible to queries. */
  endRow(tail: Tail): void {
    if (this.origin !== undefined) this.addValue(tail, '_file', this.origin)
    if (this.#others.size > 0) {
      tail.builder(this.fields.field(OTHER_FIELDS)).add(tail.rowCount, jsonText(Object.fromEntries(this.#others)))
      this.#others.clear()
    }
    tail.rowCount++
    tail.version++
    if (tail === this.#skipped) {
      if (tail.isFull) this.#skipped = undefined
    } else if (this.#tails.added(tail)) this.#sealer.tailFilled()
  }

  /**
   * Assigns a sequence number to a row without storing the row. `time` is given if the row is not stored because of its
   * time.
   */
  skipRow(time?: EpochTime): void {
    this.nextSequence++
    if (time !== undefined) this.leftOutTimes.add(time)
  }
}
