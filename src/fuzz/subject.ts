import { always, throwIfErrors } from '../base/index.ts'
import { rowsBackend, type Backend } from '../backends/index.ts'
import { columnarBackend } from '../backends/columnar/index.ts'
import { sqliteBackend } from '../backends/sql/index.ts'
import type { StoredRow } from '../data/index.ts'
import { PlanEngine, type QueryOptions, type QueryResult } from '../engine/index.ts'
import { standardFunctions } from '../functions/index.ts'
import { lower, parse } from '../lang/log/index.ts'
import type { LogicalPlan } from '../plan/index.ts'
import { createMemoryStore, standardCatalog } from '../store/index.ts'
import { openSqlite, sqliteTelemetry } from '../store/sqlite/index.ts'
import { fuzzBaseNs } from './dataset.ts'

/** "Now" of all fuzz queries. */
export const fuzzNowNs = fuzzBaseNs + 3_600_000_000_000n

export const backendNames = ['rows', 'columnar', 'sqlite'] as const
export type BackendName = (typeof backendNames)[number]

/** The same rows in every backend, ready to be asked. */
export interface Subject {
  readonly rows: readonly StoredRow[]
  ask(text: string, backend: BackendName, options?: QueryOptions): QueryResult
  /** As `ask`, of a plan with names unresolved. */
  askPlan(plan: LogicalPlan, backend: BackendName, options?: QueryOptions): QueryResult
  /** A plan as optimized, for fingerprints. */
  optimized(plan: LogicalPlan, options?: QueryOptions): LogicalPlan
  /** The plan as optimized, for fingerprints. */
  plan(text: string): LogicalPlan
  close(): Promise<void>
}

/** Throws SluiceError when the text has errors. */
export function lowerText(text: string): LogicalPlan {
  const { ast, diagnostics } = parse(text)
  throwIfErrors(diagnostics)
  return lower(ast, { nowNs: fuzzNowNs, table: 'logs' })
}

export async function makeSubject(rows: readonly StoredRow[]): Promise<Subject> {
  const functions = standardFunctions
  const store = createMemoryStore(standardCatalog)
  // A part is sealed and the rest is not, so that both ways of storing rows are asked.
  const cut = Math.floor(rows.length / 2)
  store.table('logs').appendRows(rows.slice(0, cut))
  store.table('logs').seal()
  store.table('logs').appendRows(rows.slice(cut))
  const connection = await openSqlite(':memory:')
  const telemetry = sqliteTelemetry(connection, standardCatalog)
  telemetry.append('logs', rows)
  const sqlite = sqliteBackend(telemetry, functions, { mode: 'in-process' })
  const model = rowsBackend(new Map([['logs', rows]]), functions)
  const columnar = columnarBackend(store, functions)
  const engineOf = (backend: Backend): PlanEngine =>
    new PlanEngine({ backends: [backend], upper: backend === sqlite ? columnar : backend, lint: 'off' })
  const engines = { rows: engineOf(model), columnar: engineOf(columnar), sqlite: engineOf(sqlite) }
  return {
    rows,
    ask: (text, backend, options) =>
      engines[backend].queryPlan(lowerText(text), { nowNs: fuzzNowNs, range: always, ...options }),
    askPlan: (plan, backend, options) =>
      engines[backend].queryPlan(plan, { nowNs: fuzzNowNs, range: always, ...options }),
    optimized: (plan, options) => engines.rows.compilePlan(plan, { nowNs: fuzzNowNs, ...options }).optimized,
    plan: (text) => engines.rows.compilePlan(lowerText(text), { nowNs: fuzzNowNs }).optimized,
    close: async () => {
      await sqlite.close()
      connection.close()
    },
  }
}
