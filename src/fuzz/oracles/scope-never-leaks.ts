import { SluiceError, always, nowhere } from '../../base/index.ts'
import { rowsBackend } from '../../backends/index.ts'
import type { StoredRow } from '../../data/index.ts'
import { PlanEngine, type QueryResult } from '../../engine/index.ts'
import { standardFunctions } from '../../functions/index.ts'
import { field } from '../../data/index.ts'
import type { ExplainTree, Expr, LogicalPlan } from '../../plan/index.ts'
import type { DataScope } from '../../policy/index.ts'
import { combineScopes } from '../../policy/scope/index.ts'
import { standardCatalog } from '../../store/index.ts'
import { answerOf, difference } from '../answer.ts'
import { generateScopes } from '../scopes.ts'
import { fuzzNowNs, makeSubject, type BackendName, type Subject } from '../subject.ts'
import type { FuzzCase, Oracle } from './oracle.ts'

/** Whether a row passes a bound predicate, asked of the row model with a filter above a scan of nothing but this row. */
async function passes(predicate: Expr, row: StoredRow): Promise<boolean> {
  const table = standardCatalog.tables.get('logs')
  const scan: LogicalPlan = {
    kind: 'scan',
    table: 'logs',
    tableSchema: table?.schema ?? { fields: [field('_time', 'time')], isOpen: true },
    range: always,
    predicate: undefined,
    guard: undefined,
    columns: undefined,
    origin: nowhere,
  }
  const backend = rowsBackend(new Map([['logs', [row]]]), standardFunctions)
  const engine = new PlanEngine({ backends: [backend], lint: 'off' })
  const plan: LogicalPlan = { kind: 'filter', input: scan, predicate, origin: nowhere }
  const found = await engine.queryPlan(plan, { nowNs: fuzzNowNs, disabledRules: ['*'] }).toArray()
  return found.length === 1
}

/** The rows that a scope lets through, by the row model and not by guards. */
export async function visibleRows(rows: readonly StoredRow[], scope: DataScope | undefined): Promise<StoredRow[]> {
  const guard = scope?.('logs')
  if (guard === undefined) return [...rows]
  const visible: StoredRow[] = []
  for (const row of rows) if (await passes(guard, row)) visible.push(row)
  return visible
}

/** What a plan shows of itself before it has run, without the one word that says that there is a scope. */
function treeText(tree: ExplainTree): string {
  const label = tree.label.replace(/ guarded\b/, '')
  return `${tree.kind} ${label} [${tree.inputs.map(treeText).join()}]`
}

function explained(subject: Subject, text: string, backend: BackendName, scope: DataScope | undefined): string {
  try {
    return treeText(subject.ask(text, backend, { scope }).explain())
  } catch (error) {
    if (error instanceof SluiceError) return error.diagnostics.map(({ code, message }) => `${code} ${message}`).join()
    throw error
  }
}

/** Whether anything that can be asked of a query after its run counts stored rows rather than rows of the answer. */
function countsStored(result: QueryResult): boolean {
  const hasCounters = (tree: ExplainTree): boolean =>
    tree.estimateRows !== undefined ||
    Object.keys(tree.measured?.counters ?? {}).length > 0 ||
    tree.inputs.some(hasCounters)
  const { scannedRows, bytes, segmentsTotal } = result.statistics()
  return scannedRows + bytes + segmentsTotal > 0 || hasCounters(result.explain())
}

export interface LeakReport {
  readonly hiddenRows: number
  readonly visibleRows: number
  /** In words, how a hidden row shows; `undefined` when none does. */
  readonly leak: string | undefined
}

/** Compares answers under a scope with answers over the rows that it lets through, on both engines. */
export async function findLeak({
  text,
  subject,
  random,
}: Pick<FuzzCase, 'text' | 'subject' | 'random'>): Promise<LeakReport> {
  const stored = generateScopes(random)
  const scope = combineScopes(stored, { catalog: standardCatalog, functions: standardFunctions })
  const rows = await visibleRows(subject.rows, scope)
  const without = await makeSubject(rows, subject.setting)
  const counts = { hiddenRows: subject.rows.length - rows.length, visibleRows: rows.length }
  try {
    for (const backend of ['columnar', 'sqlite'] as const) {
      const asked: QueryResult[] = []
      const scoped = await answerOf(() => {
        const result = subject.ask(text, backend, { scope })
        asked.push(result)
        return result
      })
      const plain = await answerOf(() => without.ask(text, backend))
      const found = difference(plain, scoped)
      const about = `under ${JSON.stringify(stored, (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v))}`
      if (found !== undefined) return { ...counts, leak: `${backend} ${about}: ${found}` }
      if (scope !== undefined && asked.some((result) => countsStored(result)))
        return { ...counts, leak: `${backend} counts what is stored` }
      const [shown, wanted] = [explained(subject, text, backend, scope), explained(without, text, backend, undefined)]
      if (shown !== wanted) return { ...counts, leak: `${backend} explains ${about}: ${shown} instead of ${wanted}` }
    }
  } finally {
    await without.close()
  }
  return { ...counts, leak: undefined }
}

/** An answer under a scope is the answer over the visible rows without one: hidden rows leave no trace. */
export const scopeNeverLeaks: Oracle = {
  name: 'scope-never-leaks',
  check: async (fuzzCase) => (await findLeak(fuzzCase)).leak,
}
