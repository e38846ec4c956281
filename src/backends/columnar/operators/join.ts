import { columnOfValues, constantColumn, isEmptyValue, toText, valueAt, type Column } from '../../../data/index.ts'
import { rightColumnName, type Join } from '../../../plan/index.ts'
import { Frame } from '../frame.ts'
import { again, type OperatorFactory } from '../operator.ts'
import { Collector, pieces } from './collect.ts'

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

/** Takes rows, of which some may be none: those are missing in every field. */
function takeOrMissing(column: Column, rows: Uint32Array): Column {
  return columnOfValues(Array.from(rows, (row) => (row === NONE ? null : valueAt(column, row))))
}

export const joinOperator: OperatorFactory<Join> = ({ node, inputs: [left, right], context }) => {
  const collector = new Collector(right, context)
  const leftNames = new Set<string>()
  let built: Frame | undefined
  let byKey: Map<string, number[]> | undefined
  let matched: Uint8Array | undefined
  let rest: ReturnType<typeof pieces> | undefined
  const keepsLeft = node.type === 'left' || node.type === 'full'
  const keepsRight = node.type === 'right' || node.type === 'full'

  const build = (): void => {
    built = collector.all()
    matched = new Uint8Array(built.rowCount)
    byKey = new Map()
    const keyOf = keyReader(
      built,
      node.on.map((pair) => pair.right),
    )
    for (let row = 0; row < built.rowCount; row++) {
      const key = keyOf(row)
      if (key === undefined) continue
      const rows = byKey.get(key)
      if (rows === undefined) byKey.set(key, [row])
      else rows.push(row)
    }
  }

  const joined = (leftFrame: Frame, leftRows: Uint32Array, rightRows: Uint32Array, rightFrame: Frame): Frame => {
    const columns = new Map<string, Column | (() => Column)>()
    const ofLeft = (name: string): Column => takeOrMissing(leftFrame.column(name), leftRows)
    const ofRight = (name: string): Column => takeOrMissing(rightFrame.column(name), rightRows)
    for (const name of leftFrame.names) columns.set(name, () => ofLeft(name))
    const rightKeys = new Set(node.on.map((pair) => pair.right))
    for (const pair of node.on) columns.set(pair.left, () => merge(ofLeft(pair.left), ofRight(pair.right)))
    for (const name of rightFrame.names) {
      if (rightKeys.has(name)) continue
      const isOnLeft = leftNames.has(name)
      const target = rightColumnName(node, name, isOnLeft)
      if (!columns.has(target)) columns.set(target, () => ofRight(name))
      else columns.set(target, () => merge(ofLeft(target), ofRight(name)))
    }
    return new Frame(leftRows.length, columns)
  }

  return {
    pull(want) {
      if (rest !== undefined) return rest.pull(want)
      if (built === undefined) {
        if (collector.step()) build()
        return again
      }
      const rightFrame = built
      const frame = left.pull(want)
      if (frame === again) return again
      if (frame === undefined) {
        if (!keepsRight) return undefined
        const rows = Uint32Array.from({ length: rightFrame.rowCount }, (_, row) => row).filter(
          (row) => matched?.[row] === 0,
        )
        rest = pieces(joined(new Frame(0, new Map()), new Uint32Array(rows.length).fill(NONE), rows, rightFrame))
        return again
      }
      for (const name of frame.names) leftNames.add(name)
      const leftRows: number[] = []
      const rightRows: number[] = []
      const keyOf =
        node.type === 'cross'
          ? undefined
          : keyReader(
              frame,
              node.on.map((pair) => pair.left),
            )
      for (let row = 0; row < frame.rowCount; row++) {
        if (keyOf === undefined) {
          for (let other = 0; other < rightFrame.rowCount; other++) {
            leftRows.push(row)
            rightRows.push(other)
          }
          continue
        }
        const key = keyOf(row)
        const matches = key === undefined ? undefined : byKey?.get(key)
        if (matches === undefined) {
          if (!keepsLeft) continue
          leftRows.push(row)
          rightRows.push(NONE)
          continue
        }
        for (const other of matches) {
          if (matched !== undefined) matched[other] = 1
          leftRows.push(row)
          rightRows.push(other)
        }
      }
      if (leftRows.length === 0) return again
      return joined(frame, Uint32Array.from(leftRows), Uint32Array.from(rightRows), rightFrame)
    },
  }
}

/** The left value unless it is empty. */
function merge(left: Column, right: Column): Column {
  if (left.length === 0) return constantColumn(null, 0)
  return columnOfValues(
    Array.from({ length: left.length }, (_, row) => {
      const value = valueAt(left, row)
      return isEmptyValue(value) && !isEmptyValue(valueAt(right, row)) ? valueAt(right, row) : value
    }),
  )
}
