import {
  createBitmap,
  hasBit,
  Instant,
  isEmptyValue,
  setBit,
  setRange,
  type Bitmap,
  type Column,
  type GatheredColumn,
} from '../../../data/index.ts'

/**
 * The values of a column that has only numbers; NaN for missing values. A bitmap marks the present rows if some values
 * are missing.
 */
export interface PlainNumbers {
  readonly values: Float64Array
  readonly validity: Bitmap | undefined
}

/** Returns the numbers of a column; `undefined` when a value is neither a float nor missing. */
export function plainNumbers(column: Column): PlainNumbers | undefined {
  if (column.kind === 'float64') return column
  if (column.kind === 'gathered') {
    const source = isWorthIt(column) ? plainNumbers(column.source) : undefined
    if (source === undefined) return undefined
    return {
      values: Float64Array.from(column.rows, (row) => source.values[row]),
      validity: taken(source.validity, column.rows),
    }
  }
  const values = new Float64Array(column.length)
  const validity = createBitmap(column.length)
  const missing = fillNumbers(column, values, validity, 0)
  if (missing === undefined) return undefined
  return { values, validity: missing === 0 ? undefined : validity }
}

/** True if converting the whole source column is cheap, because it is not much longer than the gathered rows. */
function isWorthIt({ rows, source }: GatheredColumn<Column>): boolean {
  return source.length <= 4 * rows.length + 64
}

function taken(bits: Bitmap | undefined, rows: Uint32Array): Bitmap | undefined {
  if (bits === undefined) return undefined
  const out = createBitmap(rows.length)
  for (let i = 0; i < rows.length; i++) if (hasBit(bits, rows[i])) setBit(out, i)
  return out
}

/**
 * Writes the values of a column to `into`, starting at index `at`. Returns the number of missing values; `undefined`
 * when a value is not a float.
 */
function fillNumbers(column: Column, into: Float64Array, validity: Bitmap, at: number): number | undefined {
  const { length } = column
  switch (column.kind) {
    case 'constant':
      if (isEmptyValue(column.value)) {
        into.fill(NaN, at, at + length)
        return length
      }
      if (typeof column.value !== 'number') return length === 0 ? 0 : undefined
      into.fill(column.value, at, at + length)
      setRange(validity, at, at + length)
      return 0
    case 'float64': {
      into.set(column.values, at)
      if (column.validity === undefined) {
        setRange(validity, at, at + length)
        return 0
      }
      let missing = 0
      for (let row = 0; row < length; row++) {
        if (hasBit(column.validity, row)) setBit(validity, at + row)
        else missing++
      }
      return missing
    }
    case 'values': {
      let missing = 0
      for (let row = 0; row < length; row++) {
        const value = column.values[row]
        if (typeof value === 'number') {
          into[at + row] = value
          setBit(validity, at + row)
        } else if (isEmptyValue(value)) {
          into[at + row] = NaN
          missing++
        } else return undefined
      }
      return missing
    }
    case 'chunked': {
      let missing = 0
      for (let i = 0; i < column.chunks.length; i++) {
        const some = fillNumbers(column.chunks[i], into, validity, at + column.starts[i])
        if (some === undefined) return undefined
        missing += some
      }
      return missing
    }
    default:
      return undefined
  }
}

/**
 * The values of a column that has only times: nanoseconds after `baseNs`, as a high and a low 32-bit word. A bitmap
 * marks the present rows if some values are missing.
 */
export interface PlainTimes {
  readonly baseNs: bigint
  readonly high: Uint32Array
  readonly low: Uint32Array
  readonly validity: Bitmap | undefined
}

const TWO_32 = 2 ** 32
/** The largest delta in nanoseconds that a double represents exactly. */
const MOST_DELTA = 2n ** 53n

/**
 * Returns the times of a column. `undefined` when a value is neither a time nor missing, or when the times are too far
 * apart.
 */
export function plainTimes(column: Column): PlainTimes | undefined {
  if (column.kind === 'gathered') {
    const { rows } = column
    const source = isWorthIt(column) ? plainTimes(column.source) : undefined
    if (source === undefined) return undefined
    const { baseNs, high, low, validity } = source
    return {
      baseNs,
      high: rows.map((row) => high[row]),
      low: rows.map((row) => low[row]),
      validity: taken(validity, rows),
    }
  }
  const columns = timeColumns(column)
  if (columns === undefined) return undefined
  let least: bigint | undefined
  let most = 0n
  for (const { baseNs } of columns) {
    if (baseNs === undefined) continue
    if (least === undefined || baseNs < least) least = baseNs
    if (baseNs > most) most = baseNs
  }
  const baseNs = (least ?? 0n) - MOST_DELTA
  // With this limit, the sum of a base and a delta fits into 64 bits.
  if (least !== undefined && most - baseNs >= 2n ** 63n) return undefined
  const high = new Uint32Array(column.length)
  const low = new Uint32Array(column.length)
  const validity = createBitmap(column.length)
  let at = 0
  let isAll = true
  for (const timeColumn of columns) {
    if (!fillTimes(timeColumn, baseNs, high, low, validity, at)) isAll = false
    at += timeColumn.length
  }
  return { baseNs, high, low, validity: isAll ? undefined : validity }
}

interface TimeColumn {
  readonly length: number
  /** The time from which deltas count, in nanoseconds since 1970; `undefined` when no row has a time. */
  readonly baseNs: bigint | undefined
  /** Nanoseconds after `baseNs` for each row; `undefined` when all rows are at `baseNs`. */
  readonly deltas: Float64Array | undefined
  readonly validity: Bitmap | undefined
}

function timeColumns(column: Column): readonly TimeColumn[] | undefined {
  const { length } = column
  if (column.kind === 'time') return [column]
  if (column.kind === 'constant') {
    const { value } = column
    if (length === 0) return []
    if (!isEmptyValue(value) && !(value instanceof Instant)) return undefined
    const baseNs = value instanceof Instant ? value.ns : undefined
    return [{ length, baseNs, deltas: undefined, validity: undefined }]
  }
  if (column.kind !== 'chunked') return undefined
  const columns: TimeColumn[] = []
  for (const timeColumn of column.chunks) {
    const some = timeColumns(timeColumn)
    if (some === undefined) return undefined
    columns.push(...some)
  }
  return columns
}

/** Writes the high and low words of each row's time. Returns false when a row has no time. */
function fillTimes(
  timeColumn: TimeColumn,
  leastNs: bigint,
  high: Uint32Array,
  low: Uint32Array,
  there: Bitmap,
  at: number,
): boolean {
  const { length, baseNs, deltas, validity } = timeColumn
  if (baseNs === undefined) return length === 0
  const offset = baseNs - leastNs
  const offsetHigh = Number(offset >> 32n)
  const offsetLow = Number(offset & 0xffffffffn)
  let isAll = true
  for (let row = 0; row < length; row++) {
    if (validity !== undefined && !hasBit(validity, row)) {
      isAll = false
      continue
    }
    const delta = deltas === undefined ? 0 : deltas[row]
    const deltaHigh = Math.floor(delta / TWO_32)
    const sum = offsetLow + (delta - deltaHigh * TWO_32)
    low[at + row] = sum
    high[at + row] = offsetHigh + deltaHigh + (sum >= TWO_32 ? 1 : 0)
    setBit(there, at + row)
  }
  return isAll
}
