import type { AnswerRow } from './peer.ts'

/** Numbers within this relative difference count as equal: peers add floats in some order, we add exactly. */
const RELATIVE_TOLERANCE = 1e-9

type PlainValue = string | number | null

/** The columns of an answer row sorted by name. `t` becomes `_time`; row numbers and missing values are left out. */
export type PlainRow = readonly (readonly [string, PlainValue])[]

function plain(value: unknown): PlainValue {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number' || typeof value === 'string' || value === null) return value
  return JSON.stringify(value)
}

/** Returns rows in a form in which the answers of all peers can be compared. */
export function normalizeRows(rows: readonly AnswerRow[]): readonly PlainRow[] {
  return rows.map((row) =>
    Object.entries(row)
      .filter(([name, value]) => name !== 'seq' && value !== null && value !== undefined)
      .map(([name, value]) => [name === 't' ? '_time' : name, plain(value)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

function isSame(a: PlainValue, b: PlainValue): boolean {
  if (a === b) return true
  const [x, y] = [Number(a), Number(b)]
  if (a === null || b === null || Number.isNaN(x) || Number.isNaN(y)) return false
  if (Number.isInteger(x) && Number.isInteger(y)) return String(a) === String(b)
  return Math.abs(x - y) <= RELATIVE_TOLERANCE * Math.max(Math.abs(x), Math.abs(y))
}

/** Returns a sentence on the first row in which two answers differ; `undefined` when they agree. */
export function firstDifference(a: readonly PlainRow[], b: readonly PlainRow[]): string | undefined {
  if (a.length !== b.length) return `${a.length} rows against ${b.length}`
  const index = a.findIndex(
    (row, i) =>
      row.length !== b[i].length || row.some(([name, value], c) => name !== b[i][c][0] || !isSame(value, b[i][c][1])),
  )
  if (index === -1) return undefined
  return `row ${index}: ${JSON.stringify(a[index]).slice(0, 300)} against ${JSON.stringify(b[index]).slice(0, 300)}`
}
