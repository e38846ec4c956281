import { compareText, type Column } from '../../data/index.ts'
import { columnBytes, sealColumn } from './seal-column.ts'
import { epochStartNs, type Segment, type StoredColumn } from './segment.ts'
import { sharedFloat64 } from './shared.ts'
import { sortedRows } from './sort-rows.ts'
import type { Tail } from './tail.ts'
import type { WordIndexBuilder } from './word-index-builder.ts'

export interface SealOptions {
  readonly id: number
  readonly timeField: string
  readonly textField: string
  /** Without one the segment has no word index: what a snapshot of unsealed rows is. */
  readonly wordBuilder: WordIndexBuilder | undefined
}

function storedTime(column: Column): StoredColumn {
  return { column, missingCount: 0, counts: undefined, order: undefined, zones: undefined }
}

function storedBytes({ column, counts, order, zones }: StoredColumn): number {
  return (
    columnBytes(column) +
    (counts?.byteLength ?? 0) +
    (order?.rows.byteLength ?? 0) +
    (order?.starts?.byteLength ?? 0) +
    (zones === undefined ? 0 : zones.mins.byteLength * 2)
  )
}

/** A segment of the rows of a tail, which stays as it is. */
export function sealTail(tail: Tail, options: SealOptions): Segment {
  const { rowCount } = tail
  const rows = sortedRows(tail.deltas, tail.sequences, rowCount)
  const deltas = sharedFloat64(rowCount)
  for (let i = 0; i < rowCount; i++) deltas[i] = tail.deltas[rows === undefined ? i : rows[i]]
  const columns = new Map<string, StoredColumn>()
  const names = [...tail.builders.keys(), options.timeField].sort(compareText)
  let memoryBytes = deltas.byteLength
  for (const name of names) {
    const builder = tail.builders.get(name)
    if (name === options.timeField) {
      const baseNs = epochStartNs(tail.epoch)
      columns.set(name, storedTime({ kind: 'time', length: rowCount, baseNs, deltas, validity: undefined }))
    } else if (builder !== undefined && builder.count > 0) {
      const stored = sealColumn(builder, rowCount, rows)
      columns.set(name, stored)
      memoryBytes += storedBytes(stored)
    }
  }
  const text = columns.get(options.textField)?.column
  const words = text === undefined ? undefined : options.wordBuilder?.build(text)
  memoryBytes += words?.memoryBytes ?? 0
  const { base, offsets } = sequences(tail, rows)
  memoryBytes += offsets?.byteLength ?? 0
  return {
    id: options.id,
    rowCount,
    epoch: tail.epoch,
    deltas,
    sequenceBase: base,
    sequenceOffsets: offsets,
    columns,
    textField: options.textField,
    words,
    memoryBytes,
  }
}

function sequences(tail: Tail, rows: Uint32Array | undefined): { base: number; offsets: Segment['sequenceOffsets'] } {
  const { rowCount } = tail
  let base = Infinity
  let max = -Infinity
  for (let i = 0; i < rowCount; i++) {
    const sequence = tail.sequences[i]
    if (sequence < base) base = sequence
    if (sequence > max) max = sequence
  }
  const span = max - base
  const shared = new SharedArrayBuffer(rowCount * (span < 0x10000 ? 2 : span < 0x100000000 ? 4 : 8))
  const offsets =
    span < 0x10000 ? new Uint16Array(shared) : span < 0x100000000 ? new Uint32Array(shared) : new Float64Array(shared)
  let isPlain = true
  for (let i = 0; i < rowCount; i++) {
    offsets[i] = tail.sequences[rows === undefined ? i : rows[i]] - base
    if (offsets[i] !== i) isPlain = false
  }
  return { base, offsets: isPlain ? undefined : offsets }
}
