import { newestRows, statsLabels, type NewestRows } from '../analyze/index.ts'
import { inputs, type Catalog, type LogicalPlan } from '../plan/index.ts'

function tableOf(plan: LogicalPlan): string | undefined {
  if (plan.kind === 'scan') return plan.table
  const [first] = inputs(plan)
  return first === undefined ? undefined : tableOf(first)
}

/** Who reads rows from the newest on, and stops when there are enough. */
const readsBackwards: ReadonlySet<string> = new Set(['columnar'])

function newestNote({ offset, limit }: NewestRows, owner: string): string {
  const behind = offset === 0 ? '' : ` after the first ${offset}`
  const how = readsBackwards.has(owner) ? ': reads backwards from the end and stops early' : ''
  return `the newest ${limit} rows${behind}${how}`
}

/** What can be said of an answer from its bound plan alone; `owner` is who runs its last stage. */
export function answerNotes(plan: LogicalPlan, catalog: Catalog, owner: string): readonly string[] {
  const table = tableOf(plan)
  const newest = newestRows(plan, table === undefined ? undefined : catalog.tables.get(table)?.timeField)
  const found = statsLabels(plan)
  const notes = newest === undefined ? [] : [newestNote(newest, owner)]
  if (found === undefined || found.labels.length === 0) return notes
  return [...notes, `a line for each ${found.labels.join(', ')}: values ${found.values.join(', ')}`]
}
