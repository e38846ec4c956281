import type { AnswerRow } from './peer.ts'

/** Peers sum floats in some order; ours are exact. Numbers this near count as equal. */
const RELATIVE_TOLERANCE = 1e-9

type PlainValue = string | number | null

/** Answer columns sorted by name; `t` is `_time`, row numbers and missing values are left out. */
export type PlainRow = readonly (readonly [string, PlainValue])[]

function plain(value: unknown): PlainValue {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number' || typeof value === 'string' || value === null) return value
  return JSON.stringify(value)
}

/** Rows in a form in which answers of all peers compare. */
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

/** The first row in which two answers differ, for the report; `undefined` when they agree. */
export function firstDifference(a: readonly PlainRow[], b: readonly PlainRow[]): string | undefined {
  if (a.length !== b.length) return `${a.length} rows against ${b.length}`
  const index = a.findIndex(
    (row, i) =>
      row.length !== b[i].length || row.some(([name, value], c) => name !== b[i][c][0] || !isSame(value, b[i][c][1])),
  )
  if (index === -1) return undefined
  return `row ${index}: ${JSON.stringify(a[index]).slice(0, 300)} against ${JSON.stringify(b[index]).slice(0, 300)}`
}
