import { FIRST_CAPACITY } from '../../base/index.ts'
import { ColumnBuilder } from './column-builder.ts'
import type { FieldState } from './field-state.ts'
import { segmentRows, type EpochTime, type Segment } from './segment.ts'

/** Total size of strings at which a tail is sealed, even if it has few rows, bytes. */
const MAX_TEXT_BYTES = 192 * 1024 * 1024

/** Unsealed rows of one epoch, in order of ingestion. */
export class Tail {
  readonly epoch: number
  rowCount = 0
  /** The times of the rows. The array starts small, since there may be many epochs with few rows each. */
  deltas = new Float64Array(FIRST_CAPACITY)
  sequences = new Float64Array(FIRST_CAPACITY)
  readonly builders = new Map<string, ColumnBuilder>()
  /** Segments that queries have made of the first `snapshotRows` rows. */
  readonly snapshots: Segment[] = []
  snapshotRows = 0
  /** A segment of all rows, without word index, that a query made while the full tail waited to be sealed. */
  sealed: Segment | undefined
  /** Incremented by each change, so that a snapshot can tell whether it is current. */
  version = 0

  constructor(epoch: number) {
    this.epoch = epoch
  }

  get isFull(): boolean {
    if (this.rowCount >= segmentRows) return true
    if ((this.rowCount & 1023) !== 0) return false
    let bytes = 0
    for (const builder of this.builders.values()) bytes += builder.byteLength
    return bytes > MAX_TEXT_BYTES
  }

  get memoryBytes(): number {
    let bytes = this.deltas.byteLength * 2
    for (const builder of this.builders.values()) bytes += builder.memoryBytes
    return bytes
  }

  /** Passes the buffers to later tails, unless they take more than `mostBytes`. The rows must be sealed. */
  handOver(mostBytes: number): void {
    if (this.memoryBytes <= mostBytes) for (const builder of this.builders.values()) builder.handOver()
    this.builders.clear()
  }

  /** Begins the next row. */
  begin(delta: EpochTime['delta'], sequence: number): void {
    const { rowCount } = this
    if (rowCount === this.deltas.length) {
      this.deltas = longer(this.deltas)
      this.sequences = longer(this.sequences)
    }
    this.deltas[rowCount] = delta
    this.sequences[rowCount] = sequence
  }

  builder(field: FieldState): ColumnBuilder {
    const known = this.builders.get(field.name)
    if (known !== undefined) return known
    const made = new ColumnBuilder(field)
    this.builders.set(field.name, made)
    return made
  }
}

function longer(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const next = new Float64Array(Math.min(segmentRows, array.length * 4))
  next.set(array)
  return next
}
