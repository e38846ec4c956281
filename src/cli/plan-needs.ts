import { always, type Interval } from '../base/index.ts'
import { requiredWords } from '../optimize/index.ts'
import { columnsOf, visit, type LogicalPlan, type Scan } from '../plan/index.ts'
import type { KeptRows } from '../store/index.ts'

function scansOf(plan: LogicalPlan): readonly Scan[] {
  const scans: Scan[] = []
  visit(plan, (node) => {
    if (node.kind === 'scan') scans.push(node)
  })
  return scans
}

/** Stored fields that a plan reads; `undefined` is all. */
export function fieldsRead(plan: LogicalPlan): ReadonlySet<string> | undefined {
  const fields = new Set<string>()
  for (const scan of scansOf(plan)) {
    const read = scan.predicate === undefined ? [] : columnsOf(scan.predicate)
    if (scan.columns === undefined || read === undefined) return undefined
    for (const name of scan.columns) fields.add(name)
    for (const name of read) fields.add(name)
  }
  return fields
}

/** The smallest range that holds those of all scans. */
function rangeRead(scans: readonly Scan[]): Interval | undefined {
  const [first, ...others] = scans.map((scan) => scan.range)
  if (first === undefined) return undefined
  let { startNs, endNs } = first
  for (const range of others) {
    if (range.startNs < startNs) startNs = range.startNs
    if (range.endNs > endNs) endNs = range.endNs
  }
  return startNs === always.startNs && endNs === always.endNs ? undefined : { startNs, endNs }
}

/** What rows must have to matter to a plan. Words are known for plans with one scan; times have more than one spelling. */
export function rowsRead(plan: LogicalPlan, timeField: string): KeptRows {
  const scans = scansOf(plan)
  const words = new Map<string, readonly string[]>()
  const [scan] = scans
  if (scans.length === 1 && scan.predicate !== undefined) {
    for (const [field, needs] of requiredWords(scan.predicate)) {
      if (field !== timeField) {
        words.set(
          field,
          needs.map((need) => need.word),
        )
      }
    }
  }
  return { words, range: rangeRead(scans) }
}
