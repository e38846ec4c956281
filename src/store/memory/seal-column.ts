import { MAX_UINT32, isAscii, sharedMemory, type Bytes } from '../../base/index.ts'
import {
  createSharedBitmap,
  latin1,
  setBit,
  valueTag,
  type Bitmap,
  type Codes,
  type Column,
  type SparseColumn,
} from '../../data/index.ts'
import { codeOrder } from './dictionary/code-order.ts'
import type { ColumnBuilder } from './column-builder.ts'
import type { StoredColumn } from './segment.ts'
import { copyBytes, sharedBytes, sharedCodes, sharedFloat64, sharedUint32, sharedUint8 } from './shared.ts'
import { topValues } from './top-values.ts'
import { zoneMap } from './zone-map.ts'

/** A field that is present in fewer than 1 of this many rows is stored as a sparse column. */
const SPARSE_ONE_IN = 16
/** Maximum number of dictionary codes for which a column has counts. With more codes, rows are only sorted by code. */
const MAX_COUNTED_CODES = 4096

const ABSENT = MAX_UINT32

/** The mapping between the rows of a sealed segment and the rows of its tail. */
export class RowOrder {
  readonly tailRows: number
  /** For each row of the segment, the row of the tail; absent if both are the same. */
  readonly rows: Uint32Array | undefined
  readonly rowCount: number
  #outputs: Uint32Array | undefined

  constructor(tailRows: number, rows: Uint32Array | undefined) {
    this.tailRows = tailRows
    this.rows = rows
    this.rowCount = rows?.length ?? tailRows
  }

  /** Returns the segment's row for a row of the tail; `ABSENT` if the segment does not contain it. */
  outputOf(row: number): number {
    if (this.rows === undefined) return row
    if (this.#outputs === undefined) {
      this.#outputs = new Uint32Array(this.tailRows).fill(ABSENT)
      for (let i = 0; i < this.rows.length; i++) this.#outputs[this.rows[i]] = i
    }
    return this.#outputs[row]
  }
}

/** Returns a builder's values as a column, in the row order of the segment. The builder does not change. */
export function sealColumn(builder: ColumnBuilder, order: RowOrder, hasOrder = true): StoredColumn | undefined {
  const { tailRows, rows, rowCount } = order
  if (builder.rows !== undefined && builder.count * SPARSE_ONE_IN < rowCount) return sparseColumn(builder, order)
  const indexes = indexesOf(builder, tailRows, rows)
  const count = presentCount(indexes, rowCount)
  if (count === 0) return undefined
  if (count * SPARSE_ONE_IN < rowCount) return sparseColumn(builder, order)
  const missingCount = rowCount - count
  const column = denseColumn(builder, rowCount, indexes)
  if (column.kind === 'float64') {
    const zones = zoneMap(column.values, missingCount)
    const tops = hasOrder && !zones.hasNan ? topValues(column.values, zones) : undefined
    return { ...plain(column, missingCount), zones, tops }
  }
  if (column.kind !== 'dictionary') return plain(column, missingCount)
  const counts = column.dictionary.size <= MAX_COUNTED_CODES ? countsOf(column.codes) : undefined
  const byCode = hasOrder ? codeOrder(column.codes, counts) : undefined
  return { ...plain(column, missingCount), counts, order: byCode, hasOrder: byCode !== undefined }
}

/** Returns a sparse column; takes time proportional to the rows that have the field. */
function sparseColumn(builder: ColumnBuilder, order: RowOrder): StoredColumn | undefined {
  const found: { readonly output: number; readonly index: number }[] = []
  for (let index = 0; index < builder.count; index++) {
    const output = order.outputOf(builder.rows?.[index] ?? index)
    if (output !== ABSENT) found.push({ output, index })
  }
  if (found.length === 0) return undefined
  found.sort((a, b) => a.output - b.output)
  const rows = sharedUint32(found.length)
  found.forEach(({ output }, i) => (rows[i] = output))
  const indexes = Uint32Array.from(found, ({ index }) => index)
  const present = denseColumn(builder, found.length, indexes)
  const column: SparseColumn<Column> = { kind: 'sparse', length: order.rowCount, rows, present }
  return plain(column, order.rowCount - found.length)
}

/** Returns a column without counts, order or bounds. */
export function plain(column: Column, missingCount: number): StoredColumn {
  return {
    column,
    missingCount,
    counts: undefined,
    order: undefined,
    hasOrder: false,
    zones: undefined,
  }
}

/**
 * Returns, for each row of the segment, the index of its value in the builder; `undefined` if row `i` has value `i`.
 */
function indexesOf(builder: ColumnBuilder, tailRows: number, rows: Uint32Array | undefined): Uint32Array | undefined {
  if (builder.rows === undefined && builder.count === tailRows) return rows
  const byRow = new Uint32Array(tailRows).fill(ABSENT)
  for (let k = 0; k < builder.count; k++) byRow[builder.rows === undefined ? k : builder.rows[k]] = k
  return rows === undefined ? byRow : rows.map((row) => byRow[row])
}

function presentCount(indexes: Uint32Array | undefined, rowCount: number): number {
  if (indexes === undefined) return rowCount
  let count = 0
  for (let i = 0; i < indexes.length; i++) if (indexes[i] !== ABSENT) count++
  return count
}

function denseColumn(builder: ColumnBuilder, length: number, indexes: Uint32Array | undefined): Column {
  switch (builder.mode) {
    case 'codes':
      return {
        kind: 'dictionary',
        length,
        codes: denseCodes(builder, length, indexes),
        dictionary: builder.field.dictionary,
      }
    case 'numbers':
      return denseNumbers(builder, length, indexes)
    case 'texts': {
      const { bytes, offsets } = denseBytes(builder, length, indexes)
      return {
        kind: 'text',
        length,
        bytes,
        offsets,
        validity: validityOf(length, indexes),
        wide: wideRows(bytes, offsets),
      }
    }
    case 'mixed':
      return denseMixed(builder, length, indexes)
  }
}

function denseCodes(builder: ColumnBuilder, length: number, indexes: Uint32Array | undefined): Codes {
  const { codes: from, count } = builder
  let max = 0
  for (let k = 0; k < count; k++) if (from[k] > max) max = from[k]
  const codes = sharedCodes(length, max)
  if (indexes === undefined) for (let i = 0; i < length; i++) codes[i] = from[i]
  else for (let i = 0; i < length; i++) codes[i] = indexes[i] === ABSENT ? 0 : from[indexes[i]]
  return codes
}

function denseNumbers(builder: ColumnBuilder, length: number, indexes: Uint32Array | undefined): Column {
  const values = sharedFloat64(length)
  const { numbers } = builder
  if (indexes === undefined) values.set(numbers.subarray(0, length))
  else for (let i = 0; i < length; i++) values[i] = indexes[i] === ABSENT ? NaN : numbers[indexes[i]]
  return { kind: 'float64', length, values, validity: validityOf(length, indexes) }
}

function denseMixed(builder: ColumnBuilder, length: number, indexes: Uint32Array | undefined): Column {
  const index = (i: number): number => (indexes === undefined ? i : indexes[i])
  const tagsFrom = builder.tags
  let isInt64 = true
  let isTime = true
  for (let k = 0; k < builder.count; k++) {
    const tag = tagsFrom[k]
    if (tag !== valueTag.time) isTime = false
    if (tag !== valueTag.bigint && !(tag === valueTag.number && Number.isInteger(builder.numbers[k]))) isInt64 = false
    if (!isTime && !isInt64) break
  }
  if (isTime || isInt64) {
    const wide = wideIntegers(builder, length, indexes, isTime)
    if (wide !== undefined) return wide
  }
  const tags = sharedUint8(length)
  const numbers = sharedFloat64(length)
  for (let i = 0; i < length; i++) {
    const k = index(i)
    if (k === ABSENT) continue
    tags[i] = tagsFrom[k]
    numbers[i] = builder.numbers[k]
  }
  const { bytes, offsets } = denseBytes(builder, length, indexes)
  return { kind: 'mixed', length, tags, numbers, bytes, offsets }
}

/** Converts times or integers beyond 2^53 to fixed-width numbers; returns `undefined` if some value does not fit. */
function wideIntegers(
  builder: ColumnBuilder,
  length: number,
  indexes: Uint32Array | undefined,
  isTime: boolean,
): Column | undefined {
  const { tags, numbers, ends, bytes, count } = builder
  const parsed: bigint[] = []
  let min = 0n
  let max = 0n
  for (let k = 0; k < count; k++) {
    const value =
      tags[k] === valueTag.number ? BigInt(numbers[k]) : BigInt(latin1(bytes, k === 0 ? 0 : ends[k - 1], ends[k]))
    if (k === 0 || value < min) min = value
    if (k === 0 || value > max) max = value
    parsed.push(value)
  }
  const validity = validityOf(length, indexes)
  const at = (i: number): bigint => parsed[indexes === undefined ? i : indexes[i]]
  const has = (i: number): boolean => indexes === undefined || indexes[i] !== ABSENT
  if (isTime) {
    if (max - min >= 1n << 53n) return undefined
    const deltas = sharedFloat64(length)
    for (let i = 0; i < length; i++) deltas[i] = has(i) ? Number(at(i) - min) : NaN
    return { kind: 'time', length, baseNs: min, deltas, validity }
  }
  if (BigInt.asIntN(64, min) !== min || BigInt.asIntN(64, max) !== max) return undefined
  const high = new Int32Array(sharedMemory(length * 4))
  const low = sharedUint32(length)
  for (let i = 0; i < length; i++) {
    if (!has(i)) continue
    high[i] = Number(at(i) >> 32n)
    low[i] = Number(at(i) & 0xffffffffn)
  }
  return { kind: 'int64', length, high, low, validity }
}

function denseBytes(
  builder: ColumnBuilder,
  length: number,
  indexes: Uint32Array | undefined,
): { bytes: Bytes; offsets: Uint32Array } {
  const { ends, bytes: from } = builder
  const bytes = sharedBytes(byteCount(builder, length, indexes))
  const offsets = sharedUint32(length + 1)
  let at = 0
  // Values that are adjacent in both orders are copied together.
  let runStart = 0
  let runEnd = 0
  for (let i = 0; i < length; i++) {
    const k = indexes === undefined ? i : indexes[i]
    if (k !== ABSENT) {
      const start = k === 0 ? 0 : ends[k - 1]
      if (start !== runEnd) {
        copyBytes(from, runStart, runEnd, bytes, at - (runEnd - runStart))
        runStart = start
      }
      runEnd = ends[k]
      at += runEnd - start
    }
    offsets[i + 1] = at
  }
  copyBytes(from, runStart, runEnd, bytes, at - (runEnd - runStart))
  return { bytes, offsets }
}

/** Returns the total byte length of the values to write. */
function byteCount({ ends, byteLength }: ColumnBuilder, length: number, indexes: Uint32Array | undefined): number {
  if (indexes === undefined) return byteLength
  let count = 0
  for (let i = 0; i < length; i++) {
    const k = indexes[i]
    if (k !== ABSENT) count += ends[k] - (k === 0 ? 0 : ends[k - 1])
  }
  return count
}

function validityOf(length: number, indexes: Uint32Array | undefined): Bitmap | undefined {
  if (indexes === undefined || !indexes.includes(ABSENT)) return undefined
  const bits = createSharedBitmap(length)
  for (let i = 0; i < length; i++) if (indexes[i] !== ABSENT) setBit(bits, i)
  return bits
}

function wideRows(bytes: Bytes, offsets: Uint32Array): Bitmap | undefined {
  if (isAscii(bytes)) return undefined
  const length = offsets.length - 1
  const bits = createSharedBitmap(length)
  for (let row = 0; row < length; row++) {
    const end = offsets[row + 1]
    for (let i = offsets[row]; i < end; i++) {
      if (bytes[i] < 0x80) continue
      setBit(bits, row)
      break
    }
  }
  return bits
}

function countsOf(codes: Codes): Uint32Array {
  let max = 0
  for (let i = 0; i < codes.length; i++) if (codes[i] > max) max = codes[i]
  const counts = sharedUint32(max + 1)
  for (let i = 0; i < codes.length; i++) counts[codes[i]]++
  return counts
}

/** Returns the bytes of the buffers that belong to the column. Dictionaries belong to the table and are not counted. */
export function columnBytes(column: Column): number {
  switch (column.kind) {
    case 'dictionary':
      return column.codes.byteLength
    case 'float64':
      return column.values.byteLength + (column.validity?.byteLength ?? 0)
    case 'int64':
      return column.high.byteLength * 2 + (column.validity?.byteLength ?? 0)
    case 'time':
      return column.deltas.byteLength + (column.validity?.byteLength ?? 0)
    case 'text':
      return column.bytes.length + column.offsets.byteLength + (column.validity?.byteLength ?? 0)
    case 'mixed':
      return column.tags.length + column.numbers.byteLength + column.bytes.length + column.offsets.byteLength
    case 'sparse':
      return column.rows.byteLength + columnBytes(column.present)
    case 'constant':
    case 'values':
    case 'gathered':
    case 'chunked':
      return 0
  }
}
