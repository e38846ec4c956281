import { runToEnd, sharedMemory, type StepwiseTask } from '../../base/index.ts'
import { compareText } from '../../data/index.ts'
import { RowOrder, columnBytes, plain, sealColumn } from './seal-column.ts'
import { epochStartNs, type Segment, type StoredColumn } from './segment.ts'
import { sharedFloat64 } from './shared.ts'
import { sortedRows } from './sort-rows.ts'
import type { Tail } from './tail.ts'
import { topListBytes } from './top-values.ts'
import type { WordIndexBuilder } from './words/word-index-builder.ts'

export interface SealOptions {
  readonly id: number
  readonly timeField: string
  readonly textField: string
  /** The first row of the tail that the segment contains. */
  readonly fromRow: number
  /** True to omit rows by code, because they do not pay off for a single query. */
  readonly isReadOnce: boolean
}

/** Returns the bytes of a column and of its search structures. */
export function storedBytes({ column, counts, order, zones, tops }: StoredColumn): number {
  return (
    columnBytes(column) +
    (counts?.byteLength ?? 0) +
    (order?.rows.byteLength ?? 0) +
    (order?.starts?.byteLength ?? 0) +
    (order?.bitmaps.byteLength ?? 0) +
    (order?.bitmapNumbers.byteLength ?? 0) +
    (zones === undefined ? 0 : zones.mins.byteLength * 2) +
    (tops === undefined ? 0 : topListBytes(tops.highest) + topListBytes(tops.lowest))
  )
}

/**
 * Makes a segment from the rows of a tail, which must not change meanwhile; yields after each column. The segment has
 * no word index: see `withWords`.
 */
export function* sealStepwise(tail: Tail, options: SealOptions): StepwiseTask<Segment> {
  const rows = sortedRows(tail.deltas, tail.sequences, options.fromRow, tail.rowCount)
  yield
  const rowCount = tail.rowCount - options.fromRow
  const deltas = sharedFloat64(rowCount)
  for (let i = 0; i < rowCount; i++) deltas[i] = tail.deltas[rows === undefined ? i : rows[i]]
  const columns = new Map<string, StoredColumn>()
  const order = new RowOrder(tail.rowCount, rows)
  const names = [...tail.builders.keys(), options.timeField].sort(compareText)
  let memoryBytes = deltas.byteLength
  for (const name of names) {
    const builder = tail.builders.get(name)
    if (name === options.timeField) {
      const baseNs = epochStartNs(tail.epoch)
      columns.set(name, plain({ kind: 'time', length: rowCount, baseNs, deltas, validity: undefined }, 0))
    } else if (builder !== undefined && builder.count > 0) {
      const stored = sealColumn(builder, order, !options.isReadOnce)
      if (stored !== undefined) columns.set(name, stored)
      yield
    }
  }
  for (const [name, stored] of columns) if (name !== options.timeField) memoryBytes += storedBytes(stored)
  const { base, offsets } = sequences(tail, rowCount, rows)
  memoryBytes += offsets?.byteLength ?? 0
  return {
    id: options.id,
    rowCount,
    epoch: tail.epoch,
    firstDelta: deltas[0],
    lastDelta: deltas[rowCount - 1],
    deltas,
    sequenceBase: base,
    sequenceOffsets: offsets,
    columns,
    textField: options.textField,
    words: undefined,
    memoryBytes,
  }
}

/** Does the same as `sealStepwise`, but without yielding. */
export function sealTail(tail: Tail, options: SealOptions): Segment {
  return runToEnd(sealStepwise(tail, options))
}

/** Returns a copy of the segment that has a word index; the segment itself if it has an index or no text field. */
export function* withWords(segment: Segment, wordBuilder: WordIndexBuilder): StepwiseTask<Segment> {
  const text = segment.columns.get(segment.textField)?.column
  if (text === undefined || segment.words !== undefined) return segment
  const words = yield* wordBuilder.buildInTurns(text)
  return { ...segment, words, memoryBytes: segment.memoryBytes + words.memoryBytes }
}

function sequences(
  tail: Tail,
  rowCount: number,
  rows: Uint32Array | undefined,
): { base: number; offsets: Segment['sequenceOffsets'] } {
  let base = Infinity
  let max = -Infinity
  for (let i = 0; i < rowCount; i++) {
    const sequence = tail.sequences[rows === undefined ? i : rows[i]]
    if (sequence < base) base = sequence
    if (sequence > max) max = sequence
  }
  const offsetAt = (i: number): number => tail.sequences[rows === undefined ? i : rows[i]] - base
  let i = 0
  while (i < rowCount && offsetAt(i) === i) i++
  if (i === rowCount) return { base, offsets: undefined }
  const span = max - base
  const shared = sharedMemory(rowCount * (span < 0x10000 ? 2 : span < 0x100000000 ? 4 : 8))
  const offsets =
    span < 0x10000 ? new Uint16Array(shared) : span < 0x100000000 ? new Uint32Array(shared) : new Float64Array(shared)
  for (let row = 0; row < rowCount; row++) offsets[row] = offsetAt(row)
  return { base, offsets }
}
