import {
  columnOfValues,
  fieldNamed,
  isEmptyValue,
  toText,
  valueAt,
  type Column,
  type Value,
} from '../../../data/index.ts'
import { rightColumnName, schemaOf, type Join } from '../../../plan/index.ts'
import { Frame, type Identity } from '../frame.ts'
import { again, type Operator, type OperatorFactory } from '../operator.ts'
import { pieces } from '../blocking.ts'
import { Collector } from './collect.ts'

const NONE = 0xffffffff

/** The text of a row's join keys; `undefined` when one is empty, for empty matches nothing. */
function keyReader(frame: Frame, names: readonly string[]): (row: number) => string | undefined {
  const columns = names.map((name) => frame.column(name))
  return (row) => {
    let key = ''
    for (const column of columns) {
      const value = valueAt(column, row)
      if (isEmptyValue(value)) return undefined
      const text = toText(value)
      key += `${text.length}:${text}`
    }
    return key
  }
}

/** The right side's rows by their keys. */
class RightSide {
  readonly frame: Frame
  readonly matched: Uint8Array
  readonly #byKey = new Map<string, number[]>()

  constructor(frame: Frame, names: readonly string[]) {
    this.frame = frame
    this.matched = new Uint8Array(frame.rowCount)
    const keyOf = keyReader(frame, names)
    for (let row = 0; row < frame.rowCount; row++) {
      const key = keyOf(row)
      if (key === undefined) continue
      const rows = this.#byKey.get(key)
      if (rows === undefined) this.#byKey.set(key, [row])
      else rows.push(row)
    }
  }

  rowsOf(key: string | undefined): readonly number[] | undefined {
    return key === undefined ? undefined : this.#byKey.get(key)
  }

  unmatched(): Uint32Array {
    return Uint32Array.from(Array.from(this.matched.keys()).filter((row) => this.matched[row] === 0))
  }
}

/** Rows of one side, of which some may be none: those are missing in every field. */
function valuesAt(column: Column, rows: Uint32Array): Value[] {
  return Array.from(rows, (row) => (row === NONE ? null : valueAt(column, row)))
}

function joinedIdentity(left: Frame, leftRows: Uint32Array, right: Frame, rightRows: Uint32Array): Identity {
  return {
    timeNs: (row) =>
      leftRows[row] === NONE ? right.identity?.timeNs(rightRows[row]) : left.identity?.timeNs(leftRows[row]),
    sequence: (row) =>
      (leftRows[row] === NONE ? right.identity?.sequence(rightRows[row]) : left.identity?.sequence(leftRows[row])) ?? 0,
  }
}

/** Puts pairs of rows together. Where both sides have a name, the left value wins unless it is empty. */
function combine(node: Join, left: Frame, leftRows: Uint32Array, right: Frame, rightRows: Uint32Array): Frame {
  const rowCount = leftRows.length
  const schema = schemaOf(node.left)
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
    const keys = valuesAt(right.column(pair.right), rightRows)
    for (let row = 0; row < rowCount; row++) if (leftRows[row] === NONE) values[row] = keys[row]
  }
  // What the left row itself has, before fields of the right come in.
  const own = new Map(right.names.flatMap((name) => (made.has(name) ? [[name, valuesOf(name).slice()] as const] : [])))
  for (const name of right.names) {
    if (node.on.some((pair) => pair.right === name)) continue
    const isDeclared = fieldNamed(schema, name) !== undefined
    const onLeft = own.get(name)
    valuesAt(right.column(name), rightRows).forEach((value, row) => {
      if (value === null) return
      const isOnLeft = isDeclared || (onLeft !== undefined && onLeft[row] !== null)
      const target = valuesOf(rightColumnName(node, name, isOnLeft))
      if (isEmptyValue(target[row])) target[row] = value
    })
  }
  const columns = new Map([...made].map(([name, values]): readonly [string, Column] => [name, columnOfValues(values)]))
  return new Frame(rowCount, columns, joinedIdentity(left, leftRows, right, rightRows))
}

export const joinOperator: OperatorFactory<Join> = ({ node, inputs: [left, right], context }) => {
  const collector = new Collector(right, context)
  let side: RightSide | undefined
  let rest: Operator | undefined
  const keepsLeft = node.type === 'left' || node.type === 'full'
  const keepsRight = node.type === 'right' || node.type === 'full'
  const leftKeys = node.on.map((pair) => pair.left)
  const rightKeys = node.on.map((pair) => pair.right)

  /** The pairs of one frame of left rows. */
  const pairs = (frame: Frame, built: RightSide): Frame => {
    const leftRows: number[] = []
    const rightRows: number[] = []
    const keyOf = keyReader(frame, leftKeys)
    const everything = node.type === 'cross' ? Array.from(built.matched.keys()) : undefined
    for (let row = 0; row < frame.rowCount; row++) {
      const matches = everything ?? built.rowsOf(keyOf(row))
      if (matches === undefined) {
        if (!keepsLeft) continue
        leftRows.push(row)
        rightRows.push(NONE)
        continue
      }
      for (const other of matches) {
        built.matched[other] = 1
        leftRows.push(row)
        rightRows.push(other)
      }
    }
    return combine(node, frame, Uint32Array.from(leftRows), built.frame, Uint32Array.from(rightRows))
  }

  return {
    pull(want) {
      if (rest !== undefined) return rest.pull(want)
      if (side === undefined) {
        if (collector.step()) side = new RightSide(collector.all(), rightKeys)
        return again
      }
      const frame = left.pull(want)
      if (frame === again) return again
      if (frame !== undefined) {
        const joined = pairs(frame, side)
        return joined.rowCount === 0 ? again : joined
      }
      const rows = keepsRight ? side.unmatched() : new Uint32Array(0)
      const none = new Uint32Array(rows.length).fill(NONE)
      rest = pieces(combine(node, new Frame(0, new Map()), none, side.frame, rows))
      return again
    },
  }
}
