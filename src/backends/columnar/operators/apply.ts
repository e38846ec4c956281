import { CHUNK_BYTES, ROW_WORK, invariant, work } from '../../../base/index.ts'
import { hasBit, type Bitmap, type Column, type MutableRow, type Row } from '../../../data/index.ts'
import { meteredRow } from '../../../functions/index.ts'
import { matchesField, schemaOf, type Apply, type FieldPattern, type FieldUse } from '../../../plan/index.ts'
import { MemoryReservation } from '../memory-reservation.ts'
import { orderedNames } from '../expr/call-arguments.ts'
import { fullMask } from '../expr/predicate.ts'
import { Frame } from '../frame.ts'
import { frameOfRows, rowReader } from '../frame-rows.ts'
import { again, type OperatorFactory } from '../operator.ts'

function isIn(patterns: readonly FieldPattern[], name: string): boolean {
  return patterns.some((pattern) => matchesField(pattern, name))
}

/** The estimated bytes of a row object without its strings. */
const ROW_BYTES = 200

function isWritten(use: FieldUse, name: string): boolean {
  return isIn(use.writes, name) || use.replaces.includes(name)
}

function isUsed(use: FieldUse, name: string): boolean {
  return isIn(use.reads, name) || isWritten(use, name)
}

/**
 * Makes an operator that applies a function to row objects. The objects contain only fields that the function may read
 * or write; only fields that it may write are converted back to columns.
 */
export const applyOperator: OperatorFactory<Apply> = ({ node, inputs: [input], context }) => {
  const fn = context.functions.rows.get(node.fn)
  invariant(fn !== undefined, `no row function named ${node.fn}`)
  const { nowNs, range, budget, batchRows } = context.query
  const apply = fn.compile(node.params, { nowNs, range, meter: budget })
  const schema = schemaOf(node.input)
  const condition = node.condition === undefined ? undefined : context.compiler.predicate(node.condition)
  /** The memory of the last returned frame, which the reader may hold until its next pull. */
  const given = new MemoryReservation(budget)
  let frame: Frame | undefined
  let mask: Bitmap
  let read: (row: number) => MutableRow
  let next = 0
  /** Number of rows of the next input frame. It grows beyond the wanted rows, since the function may drop most rows. */
  let rowsAtOnce = 0
  /** Rows that the function returned for input row `next - 1` and that are not in the output yet. */
  let several: Iterator<Row> | undefined
  return {
    pull(want) {
      given.release()
      if (frame === undefined) {
        rowsAtOnce = Math.min(batchRows, Math.max(want, rowsAtOnce * 2))
        const pulled = input.pull(rowsAtOnce)
        if (pulled === undefined || pulled === again) return pulled
        frame = pulled
        mask = fullMask(pulled)
        condition?.narrow(pulled, mask)
        // Fields are in answer order, since functions over all fields process the object's fields in order.
        read = rowReader(
          pulled,
          orderedNames(pulled, schema).filter((name) => isUsed(node.use, name)),
        )
        next = 0
      }
      const out = { rows: [] as Row[], sources: [] as number[], chars: 0 }
      const take = (row: Row): void => {
        // Rows that replace the same row share its unchanged values, so these are charged once.
        const length = meteredRow(row, budget, node.fn, several === undefined ? undefined : out.rows.at(-1))
        out.chars += length
        given.charge(ROW_BYTES + 2 * length)
        out.sources.push(next - 1)
        out.rows.push(row)
        work(ROW_WORK)
      }
      while (out.chars < CHUNK_BYTES && out.rows.length < batchRows) {
        if (several !== undefined) {
          const one = several.next()
          if (one.done === true) several = undefined
          else take(one.value)
          continue
        }
        if (next === frame.rowCount) break
        const row = read(next)
        const result = hasBit(mask, next) ? apply(row) : row
        next++
        if (result instanceof Map) take(result as Row)
        else several = (result as Iterable<Row>)[Symbol.iterator]()
      }
      const source = frame
      if (next === source.rowCount && several === undefined) frame = undefined
      if (out.rows.length === 0) return again
      const carried = source.take(Uint32Array.from(out.sources))
      const made = frameOfRows(out.rows)
      const columns = new Map<string, Column | (() => Column)>()
      for (const name of source.names) if (!isUsed(node.use, name)) columns.set(name, carried.lazyColumn(name))
      for (const name of made.names) {
        const isAsBefore = source.has(name) && !isWritten(node.use, name)
        columns.set(name, isAsBefore ? carried.lazyColumn(name) : made.column(name))
      }
      return new Frame(out.rows.length, columns, carried.identity)
    },
  }
}
