import { HOUR_NS, SluiceError, always, throwIfErrors } from '../base/index.ts'
import { rowsBackend, type Backend } from '../backends/index.ts'
import { columnarBackend } from '../backends/columnar/index.ts'
import { sqliteBackend } from '../backends/sql/index.ts'
import type { StoredRow } from '../data/index.ts'
import {
  languageOf,
  PlanEngine,
  type CompiledPlan,
  type Extension,
  type QueryOptions,
  type QueryResult,
} from '../engine/index.ts'
import type { Functions } from '../functions/index.ts'
import { lower, parse, type Parameters, type Parsed } from '../lang/log/index.ts'
import type { Dialect, LogicalPlan } from '../plan/index.ts'
import { createMemoryStore, standardCatalog } from '../store/index.ts'
import { openSqlite, sqliteTelemetry } from '../store/sqlite/index.ts'
import { fuzzBaseNs } from './dataset.ts'
import { simulatedThreads } from './simulated-threads.ts'
import { putOnDisk } from './on-disk.ts'
import { replicated } from './replicated.ts'

/**
 * A subject reads its rows from files if its number of rows is a multiple of this number. A subject with an odd number
 * of rows is a replica.
 */
const ON_DISK_ONE_IN = 4

/** Returns the current time for queries over data around `baseNs`. */
export function nowOf({ baseNs }: Pick<SubjectSetting, 'baseNs'>): bigint {
  return baseNs + HOUR_NS
}

export const backendNames = ['rows', 'columnar', 'sqlite'] as const
export type BackendName = (typeof backendNames)[number]

/** How query texts are parsed and rows are stored. */
export interface SubjectSetting {
  readonly dialect: Dialect
  readonly baseNs: bigint
  /** Row numbers at which all earlier rows are sealed. Rows after the last row number stay unsealed. */
  readonly seals: readonly number[] | undefined
  /** The number of rows in one batch of the engines under test. */
  readonly batchRows: number
  /** Definitions that extend the standard language. */
  readonly extend?: Extension | undefined
  /** Creates a backend that is tested in place of the columnar backend and SQLite. */
  readonly backend?: ((rows: readonly StoredRow[], functions: Functions) => Backend | Promise<Backend>) | undefined
}

const usualSetting: SubjectSetting = { dialect: 'native', baseNs: fuzzBaseNs, seals: undefined, batchRows: 4096 }

/** The same rows in every backend. */
export interface Subject {
  readonly rows: readonly StoredRow[]
  readonly setting: SubjectSetting
  /** Returns the same subject with another dialect for query texts. */
  reading(dialect: Dialect): Subject
  /** Parses a query text. */
  parsed(text: string): Parsed
  /**
   * Parses and lowers a text to an unbound plan with the values of its parameters. Throws a SluiceError when the text
   * has errors.
   */
  lowered(text: string, parameters?: Parameters): LogicalPlan
  query(text: string, backend: BackendName, options?: QueryOptions): QueryResult
  /** Like `query`, for an unbound plan. */
  queryPlan(plan: LogicalPlan, backend: BackendName, options?: QueryOptions): QueryResult
  /** Returns the optimized plan, for fingerprints. */
  optimized(plan: LogicalPlan, options?: QueryOptions): LogicalPlan
  /** Returns the names of the optimizer rules that changed the plan of a text; none for a text with errors. */
  rulesOf(text: string, options?: QueryOptions): readonly string[]
  /** Returns the optimized plan of a text, for fingerprints. */
  plan(text: string): LogicalPlan
  close(): Promise<void>
}

/** Settings that decide the meaning of a query text. */
type TextSetting = Pick<SubjectSetting, 'dialect' | 'baseNs'>

/** Parses and lowers a text. Throws a SluiceError when the text has errors. */
export function lowerText(text: string, setting: TextSetting = usualSetting): LogicalPlan {
  return lowerParsed(parse(text, { dialect: setting.dialect }), setting)
}

function lowerParsed({ ast, diagnostics }: Parsed, { dialect, baseNs }: TextSetting): LogicalPlan {
  throwIfErrors(diagnostics)
  const textField = standardCatalog.tables.get('logs')?.textField
  return lower(ast, { nowNs: nowOf({ baseNs }), table: 'logs', dialect, textField })
}

/** Limits above the defaults, because structured queries can be longer as text than people write by hand. */
const wideLimits = { textBytes: 2 ** 22, terms: 65_536, pipes: 4_096, fields: 65_536 }

/** Caches plans. They are immutable, so one plan serves all ways in which it runs. */
class Plans {
  readonly #engine: PlanEngine
  readonly #parsed = new Map<string, Parsed>()
  readonly #lowered = new Map<string, LogicalPlan | SluiceError>()
  readonly #compiled = new Map<LogicalPlan, Map<string, CompiledPlan>>()

  constructor(engine: PlanEngine) {
    this.#engine = engine
  }

  parsed(text: string, dialect: Dialect): Parsed {
    const key = `${dialect} ${text}`
    let parsed = this.#parsed.get(key)
    if (parsed === undefined)
      this.#parsed.set(
        key,
        (parsed = parse(text, { dialect, limits: wideLimits, vocabulary: this.#engine.vocabulary })),
      )
    return parsed
  }

  lowered(text: string, setting: SubjectSetting, parameters?: Parameters): LogicalPlan {
    if (parameters !== undefined) {
      const { dialect } = setting
      const { vocabulary } = this.#engine
      return lowerParsed(parse(text, { dialect, limits: wideLimits, vocabulary, parameters }), setting)
    }
    const key = `${setting.dialect} ${text}`
    let plan = this.#lowered.get(key)
    if (plan === undefined) {
      try {
        plan = lowerParsed(this.parsed(text, setting.dialect), setting)
      } catch (error) {
        if (!(error instanceof SluiceError)) throw error
        plan = error
      }
      this.#lowered.set(key, plan)
    }
    if (plan instanceof SluiceError) throw plan
    return plan
  }

  compiled(plan: LogicalPlan, options: QueryOptions): CompiledPlan {
    if (options.scope !== undefined) return this.#engine.compilePlan(plan, options)
    let made = this.#compiled.get(plan)
    if (made === undefined) this.#compiled.set(plan, (made = new Map<string, CompiledPlan>()))
    const { startNs, endNs } = options.range ?? always
    const key = `${startNs} ${endNs} ${(options.disabledRules ?? []).join()}`
    let compiled = made.get(key)
    if (compiled === undefined) made.set(key, (compiled = this.#engine.compilePlan(plan, options)))
    return compiled
  }
}

function subjectOf(
  rows: readonly StoredRow[],
  engines: Readonly<Record<BackendName, PlanEngine>>,
  plans: Plans,
  setting: SubjectSetting,
  close: () => Promise<void>,
): Subject {
  const { dialect } = setting
  const filled = (options?: QueryOptions): QueryOptions => ({
    nowNs: nowOf(setting),
    range: always,
    dialect,
    ...options,
  })
  const queryPlan = (plan: LogicalPlan, backend: BackendName, options?: QueryOptions): QueryResult => {
    const whole = filled(options)
    return engines[backend].queryCompiled(plans.compiled(plan, whole), whole)
  }
  const lowered = (text: string, parameters?: Parameters): LogicalPlan => plans.lowered(text, setting, parameters)
  const optimized = (plan: LogicalPlan, options?: QueryOptions): LogicalPlan =>
    plans.compiled(plan, filled(options)).optimized
  return {
    rows,
    setting,
    reading: (other) => subjectOf(rows, engines, plans, { ...setting, dialect: other }, close),
    parsed: (text) => plans.parsed(text, dialect),
    lowered,
    query: (text, backend, options) => queryPlan(lowered(text), backend, options),
    queryPlan,
    optimized,
    rulesOf: (text, options) => {
      try {
        return plans.compiled(lowered(text), filled(options)).steps.map(({ rule }) => rule.name)
      } catch (error) {
        if (error instanceof SluiceError) return []
        throw error
      }
    },
    plan: (text) => optimized(lowered(text)),
    close,
  }
}

export async function makeSubject(rows: readonly StoredRow[], setting: Partial<SubjectSetting> = {}): Promise<Subject> {
  const { functions } = languageOf(setting.extend ?? {})
  const store = createMemoryStore(standardCatalog)
  const whole = { ...usualSetting, ...setting }
  // Every second subject is read through a replica that receives rows as they arrive, as in a worker thread.
  const replica = rows.length % 2 === 1 ? replicated(store) : undefined
  // Seals some of the rows, so that queries read both sealed and unsealed storage.
  let stored = 0
  for (const end of whole.seals ?? [Math.floor(rows.length / 2)]) {
    store.table('logs').writer.appendRows(rows.slice(stored, end))
    replica?.update()
    store.table('logs').seal()
    stored = end
  }
  // Subjects whose number of rows is a multiple of `ON_DISK_ONE_IN` read their sealed rows from files.
  if (rows.length % ON_DISK_ONE_IN === 0) putOnDisk(store.table('logs'))
  store.table('logs').writer.appendRows(rows.slice(stored))
  replica?.update()
  const connection = await openSqlite(':memory:')
  const telemetry = sqliteTelemetry(connection, standardCatalog)
  telemetry.append('logs', rows)
  const sqlite = sqliteBackend(telemetry, functions, { mode: 'in-process' })
  const model = rowsBackend(new Map([['logs', rows]]), functions)
  // In a third of all subjects, simulated threads share the work if the plan allows it.
  const parallelism = rows.length % 3 === 0 ? simulatedThreads() : undefined
  const columnar = columnarBackend(replica ?? store, functions, { parallelism })
  const engineOf = (backend: Backend): PlanEngine =>
    new PlanEngine({
      backends: [backend],
      upper: backend === sqlite ? columnar : backend,
      lint: 'off',
      extend: setting.extend,
      limits: backend === model ? {} : { batchRows: whole.batchRows },
    })
  const own = await setting.backend?.(rows, functions)
  const engines = { rows: engineOf(model), columnar: engineOf(own ?? columnar), sqlite: engineOf(own ?? sqlite) }
  const close = async (): Promise<void> => {
    await sqlite.close()
    connection.close()
  }
  return subjectOf(rows, engines, new Plans(engines.rows), whole, close)
}
