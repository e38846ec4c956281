import { invariant } from '../../../base/index.ts'
import { hasBit, type Column, type Row } from '../../../data/index.ts'
import { matchesField, schemaOf, type Apply, type FieldPattern, type FieldUse } from '../../../plan/index.ts'
import { orderedNames } from '../expr/call-arguments.ts'
import { fullMask } from '../expr/predicate.ts'
import { Frame } from '../frame.ts'
import { frameOfRows, rowReader } from '../frame-rows.ts'
import { again, type OperatorFactory } from '../operator.ts'

function isIn(patterns: readonly FieldPattern[], name: string): boolean {
  return patterns.some((pattern) => matchesField(pattern, name))
}

function isWritten(use: FieldUse, name: string): boolean {
  return isIn(use.writes, name) || use.replaces.includes(name)
}

function isUsed(use: FieldUse, name: string): boolean {
  return isIn(use.reads, name) || isWritten(use, name)
}

/** Only the fields that the function may read or write become rows, and only those that it may write come out of them. */
export const applyOperator: OperatorFactory<Apply> = ({ node, inputs: [input], context }) => {
  const fn = context.functions.rows.get(node.fn)
  invariant(fn !== undefined, `no row function named ${node.fn}`)
  const { nowNs, range } = context.query
  const apply = fn.compile(node.params, { nowNs, range })
  const schema = schemaOf(node.input)
  const condition = node.condition === undefined ? undefined : context.compiler.predicate(node.condition)
  return {
    pull() {
      const frame = input.pull(context.query.batchRows)
      if (frame === undefined || frame === again) return frame
      const mask = fullMask(frame)
      condition?.narrow(frame, mask)
      // In answer order: functions over all fields write them as they come.
      const used = orderedNames(frame, schema).filter((name) => isUsed(node.use, name))
      const read = rowReader(frame, used)
      const out: Row[] = []
      const sources: number[] = []
      for (let index = 0; index < frame.rowCount; index++) {
        const row = read(index)
        const result = hasBit(mask, index) ? apply(row) : row
        if (result instanceof Map) {
          out.push(result as Row)
          sources.push(index)
        } else {
          for (const one of result as readonly Row[]) {
            out.push(one)
            sources.push(index)
          }
        }
      }
      if (out.length === 0) return again
      const carried = frame.take(Uint32Array.from(sources))
      const made = frameOfRows(out)
      const columns = new Map<string, Column | (() => Column)>()
      for (const name of frame.names) if (!isUsed(node.use, name)) columns.set(name, carried.lazyColumn(name))
      for (const name of made.names) {
        const isAsBefore = frame.has(name) && !isWritten(node.use, name)
        columns.set(name, isAsBefore ? carried.lazyColumn(name) : made.column(name))
      }
      return new Frame(out.length, columns, carried.identity)
    },
  }
}
