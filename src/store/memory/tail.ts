import { FIRST_CAPACITY } from '../../base/index.ts'
import { ColumnBuilder } from './column-builder.ts'
import type { FieldState } from './field-state.ts'
import { segmentRows, type EpochTime, type Segment } from './segment.ts'

/** Bytes of texts after which a tail is sealed although it could take more rows. */
const MAX_TEXT_BYTES = 192 * 1024 * 1024

/** The rows of one epoch that are not sealed yet, in order of ingestion. */
export class Tail {
  readonly epoch: number
  rowCount = 0
  /** They grow: rows of many epochs, each with few, must not take much. */
  deltas = new Float64Array(FIRST_CAPACITY)
  sequences = new Float64Array(FIRST_CAPACITY)
  readonly builders = new Map<string, ColumnBuilder>()
  /** Segments of the first `snapshotRows` rows, made for queries that came before the tail was full. */
  readonly snapshots: Segment[] = []
  snapshotRows = 0
  /** All of its rows but for their words, where a query came after it was full and before it was sealed. */
  sealed: Segment | undefined
  /** Counts changes, so that a snapshot knows whether it is still right. */
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

  /** Its rows are sealed: later ones take its memory, unless that is more than so many bytes. */
  handOver(mostBytes: number): void {
    if (this.memoryBytes <= mostBytes) for (const builder of this.builders.values()) builder.handOver()
    this.builders.clear()
  }

  /** Begins the row behind those that there are. */
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
