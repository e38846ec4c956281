import { visit, type TableApply } from '../../../plan/index.ts'
import { frameOfRows } from '../frame-rows.ts'
import { again, type OperatorFactory } from '../operator.ts'

const counters: readonly (readonly [column: string, counter: string])[] = [
  ['rows_scanned', 'rowsScanned'],
  ['blocks_total', 'segmentsTotal'],
  ['blocks_skipped', 'segmentsSkipped'],
  ['blocks_counted', 'segmentsCounted'],
  ['postings_read', 'postingsRead'],
  ['bytes_touched', 'bytesTouched'],
]

/**
 * Makes an operator that reads its whole input, discards the rows, and returns one row of statistics: rows found,
 * duration, and the block and cache reads of the scans in its input.
 */
export const queryStatsOperator: OperatorFactory<TableApply> = ({ node, inputs: [input], context }) => {
  let rowsFound = 0
  let startMs: number | undefined
  let isDone = false
  return {
    pull() {
      if (isDone) return undefined
      startMs ??= performance.now()
      const frame = input.pull(context.query.batchRows)
      if (frame !== undefined) {
        if (frame !== again) rowsFound += frame.rowCount
        return again
      }
      isDone = true
      const sums = new Map<string, number>()
      visit(node.input, (below) => {
        const counted = below.kind === 'scan' ? context.measures.get(below)?.snapshot().counters : undefined
        for (const [name, amount] of Object.entries(counted ?? {})) sums.set(name, (sums.get(name) ?? 0) + amount)
      })
      const row = new Map<string, number>([['rows_found', rowsFound]])
      for (const [column, counter] of counters) row.set(column, sums.get(counter) ?? 0)
      const { blocks, bytes, hits, hitBytes } = context.query.budget.reads
      row.set('disk_blocks', blocks).set('disk_bytes', bytes).set('cache_parts', hits).set('cache_bytes', hitBytes)
      row.set('duration_ns', Math.round((performance.now() - startMs) * 1e6))
      return frameOfRows([row])
    },
  }
}
