import { present } from '../../../base/index.ts'
import {
  columnOfValues,
  concatColumns,
  constantColumn,
  fieldNamed,
  gather,
  isEmptyValue,
  valueAt,
  type Column,
  type Schema,
  type Value,
} from '../../../data/index.ts'
import { rightColumnName, type Join } from '../../../plan/index.ts'
import { Frame, type RowIdentity } from '../frame.ts'
import { NO_ROW } from '../keys/key-table.ts'
import type { RowPairs } from './pairs.ts'

/** Returns a column with these rows of another column; a missing value for `NO_ROW`. */
function someRows(column: Column, rows: Uint32Array): Column {
  const { length } = rows
  if (column.length === 0) return constantColumn(null, length)
  if (column.kind === 'dictionary') {
    const { codes, dictionary } = column
    return { kind: 'dictionary', length, codes: rows.map((row) => codes[row] ?? 0), dictionary }
  }
  // Index `column.length` is the missing value that is appended below.
  const at = rows.map((row) => (row === NO_ROW ? column.length : row))
  return gather(concatColumns([column, constantColumn(null, 1)]), at)
}

/** Returns the values of the given rows; a missing value for `NO_ROW`. */
function valuesAt(column: Column, rows: Uint32Array): Value[] {
  return Array.from(rows, (row) => (row === NO_ROW ? null : valueAt(column, row)))
}

function joinedIdentity(left: Frame, right: Frame, pairs: RowPairs): RowIdentity {
  return (row) => {
    const leftRow = present(pairs.left[row])
    return leftRow === NO_ROW ? right.identity?.(present(pairs.right[row])) : left.identity?.(leftRow)
  }
}

/**
 * Returns a map from result names to names of right columns. `undefined` if a result name differs from row to row, or
 * if two right columns get the same name.
 */
function sourceNames(node: Join, schema: Schema, left: Frame, right: Frame): ReadonlyMap<string, string> | undefined {
  const sources = new Map<string, string>()
  for (const name of right.names) {
    if (node.on.some((pair) => pair.right === name)) continue
    const isDeclared = fieldNamed(schema, name) !== undefined
    const mayBeOnLeft = isDeclared || left.has(name) || node.on.some((pair) => pair.left === name)
    if (!isDeclared && mayBeOnLeft && node.prefix !== undefined && node.prefixMode === 'collision') return undefined
    const output = rightColumnName(node, name, isDeclared)
    if (sources.has(output)) return undefined
    sources.set(output, name)
  }
  return sources
}

/** Returns a column with the values of `over`; where `over` is empty, the values of `under`. */
function overlaid(under: Column, over: Column): Column {
  const values = Array.from({ length: over.length }, (_, row) => {
    const own = valueAt(over, row)
    return isEmptyValue(own) ? (valueAt(under, row) ?? own) : own
  })
  return columnOfValues(values)
}

/** Returns the result rows of pairs that all have a left row. Columns are computed when they are first read. */
export function combinePairs(node: Join, schema: Schema, left: Frame, right: Frame, pairs: RowPairs): Frame {
  const sources = sourceNames(node, schema, left, right)
  if (sources === undefined) return combine(node, schema, left, right, pairs)
  const taken = left.take(pairs.left)
  const columns = taken.lazyColumns()
  for (const pair of node.on) {
    if (!columns.has(pair.left)) columns.set(pair.left, () => taken.column(pair.left))
  }
  const takenRight = pairs.right.includes(NO_ROW) ? undefined : right.take(pairs.right)
  for (const [output, name] of sources) {
    const under = (): Column => takenRight?.column(name) ?? someRows(right.column(name), pairs.right)
    if (columns.has(output)) columns.set(output, () => overlaid(under(), taken.column(output)))
    else columns.set(output, takenRight?.lazyColumn(name) ?? under)
  }
  return new Frame(pairs.left.length, columns, joinedIdentity(left, right, pairs))
}

/**
 * Returns the result rows of any pairs, computed value by value. If both sides have a field, the left value is used, or
 * the right value if the left one is empty.
 */
export function combine(node: Join, schema: Schema, left: Frame, right: Frame, pairs: RowPairs): Frame {
  const { left: leftRows, right: rightRows } = pairs
  const rowCount = leftRows.length
  const made = new Map<string, Value[]>()
  const valuesOf = (name: string): Value[] => {
    let values = made.get(name)
    if (values === undefined) {
      values = left.has(name) ? valuesAt(left.column(name), leftRows) : Array<Value>(rowCount).fill(null)
      made.set(name, values)
    }
    return values
  }
  for (const name of left.names) valuesOf(name)
  for (const pair of node.on) {
    const values = valuesOf(pair.left)
    valuesAt(right.column(pair.right), rightRows).forEach((key, row) => {
      if (leftRows[row] === NO_ROW) values[row] = key
    })
  }
  // Copies the left values before right fields change the columns.
  const own = new Map(right.names.flatMap((name) => (made.has(name) ? [[name, valuesOf(name).slice()] as const] : [])))
  for (const name of right.names) {
    if (node.on.some((pair) => pair.right === name)) continue
    const isDeclared = fieldNamed(schema, name) !== undefined
    const onLeft = own.get(name)
    valuesAt(right.column(name), rightRows).forEach((value, row) => {
      if (value === null) return
      const isOnLeft = isDeclared || (onLeft !== undefined && onLeft[row] !== null)
      const target = valuesOf(rightColumnName(node, name, isOnLeft))
      if (isEmptyValue(target[row] ?? null)) target[row] = value
    })
  }
  const columns = new Map([...made].map(([name, values]): readonly [string, Column] => [name, columnOfValues(values)]))
  return new Frame(rowCount, columns, joinedIdentity(left, right, pairs))
}
