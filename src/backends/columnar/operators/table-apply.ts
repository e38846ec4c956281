import { CHUNK_BYTES, ROW_WORK, invariant, work } from '../../../base/index.ts'
import { meteredRow } from '../../../functions/index.ts'
import { matchesField, schemaOf, type TableApply } from '../../../plan/index.ts'
import { orderedNames } from '../expr/call-arguments.ts'
import type { Row } from '../../../data/index.ts'
import { frameOfRows, rowReader } from '../frame-rows.ts'
import { MemoryReservation } from '../memory-reservation.ts'
import { physicalOperators } from '../physical/index.ts'
import { again, type OperatorFactory } from '../operator.ts'

export const tableApplyOperator: OperatorFactory<TableApply> = (operatorInput) => {
  const {
    node,
    inputs: [input],
    context,
  } = operatorInput
  const fn = context.functions.tables.get(node.fn)
  invariant(fn !== undefined, `no table function named ${node.fn}`)
  if (fn.kernel !== undefined) return physicalOperators[fn.kernel](operatorInput)
  const { nowNs, range, budget } = context.query
  const state = fn.compile(node.params, { nowNs, range, meter: budget })
  const given = new MemoryReservation(budget)
  const schema = schemaOf(node.input)
  let results: Iterator<Row> | undefined
  return {
    pull(want) {
      if (results === undefined) {
        const frame = input.pull(context.query.batchRows)
        if (frame === again) return again
        if (frame !== undefined) {
          const all = orderedNames(frame, schema)
          const names = node.keepsInputFields
            ? all
            : all.filter((name) => node.use.reads.some((pattern) => matchesField(pattern, name)))
          const read = rowReader(frame, names, state.maxTextBytes)
          for (let row = 0; row < frame.rowCount; row++) {
            work(ROW_WORK)
            state.add(read(row))
          }
          return again
        }
        results = state.finish()[Symbol.iterator]()
      }
      const rows: Row[] = []
      let chars = 0
      given.release()
      while (rows.length < want && chars < CHUNK_BYTES) {
        const next = results.next()
        if (next.done === true) break
        const length = meteredRow(next.value, budget, node.fn)
        chars += length
        given.charge(2 * length)
        rows.push(next.value)
      }
      return rows.length === 0 ? undefined : frameOfRows(rows)
    },
  }
}
