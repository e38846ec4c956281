import { newestRows, statsLabels, type NewestRows } from '../../analyze/index.ts'
import { inputs, type Catalog, type LogicalPlan } from '../../plan/index.ts'

function tableOf(plan: LogicalPlan): string | undefined {
  if (plan.kind === 'scan') return plan.table
  const [first] = inputs(plan)
  return first === undefined ? undefined : tableOf(first)
}

function newestNote({ offset, limit }: NewestRows): string {
  return `the newest ${limit} rows${offset === 0 ? '' : ` after the first ${offset}`}`
}

/** Returns the notes on an answer that follow from its bound plan. */
export function answerNotes(plan: LogicalPlan, catalog: Catalog): readonly string[] {
  const table = tableOf(plan)
  const timeField = table === undefined ? undefined : catalog.tables.get(table)?.timeField
  const newest = timeField === undefined ? undefined : newestRows(plan, timeField)
  const found = statsLabels(plan)
  const notes = newest === undefined ? [] : [newestNote(newest)]
  if (found === undefined || found.labels.length === 0) return notes
  return [...notes, `a line for each ${found.labels.join(', ')}: values ${found.values.join(', ')}`]
}
