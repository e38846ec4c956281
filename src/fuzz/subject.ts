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

/** One subject in so many reads from files, as its number of rows says; odd ones are replicas. */
const ON_DISK_ONE_IN = 4

/** "Now" of queries over data around `baseNs`. */
export function nowOf({ baseNs }: Pick<SubjectSetting, 'baseNs'>): bigint {
  return baseNs + HOUR_NS
}

export const backendNames = ['rows', 'columnar', 'sqlite'] as const
export type BackendName = (typeof backendNames)[number]

/** How texts are read. */
export interface SubjectSetting {
  readonly dialect: Dialect
  readonly baseNs: bigint
  /** Places in the rows at which what came before is sealed; later rows are not. */
  readonly seals: readonly number[] | undefined
  /** Rows that travel together in the engines under test. */
  readonly batchRows: number
  /** What the language has beside the standard one. */
  readonly extend?: Extension | undefined
  /** A backend of the caller's own over the rows, queried in place of the columnar one and SQLite. */
  readonly backend?: ((rows: readonly StoredRow[], functions: Functions) => Backend | Promise<Backend>) | undefined
}

const usualSetting: SubjectSetting = { dialect: 'native', baseNs: fuzzBaseNs, seals: undefined, batchRows: 4096 }

/** The same rows in every backend, ready to be queried. */
export interface Subject {
  readonly rows: readonly StoredRow[]
  readonly setting: SubjectSetting
  /** The same subject, reading texts of another dialect. */
  reading(dialect: Dialect): Subject
  /** A text, read. */
  parsed(text: string): Parsed
  /** The plan of a text, names unresolved, with the values of its parameters. Throws SluiceError when it has errors. */
  lowered(text: string, parameters?: Parameters): LogicalPlan
  query(text: string, backend: BackendName, options?: QueryOptions): QueryResult
  /** As `query`, of a plan with names unresolved. */
  queryPlan(plan: LogicalPlan, backend: BackendName, options?: QueryOptions): QueryResult
  /** A plan as optimized, for fingerprints. */
  optimized(plan: LogicalPlan, options?: QueryOptions): LogicalPlan
  /** Names of the optimizer rules that changed the plan of a text; none of a text with errors. */
  rulesOf(text: string, options?: QueryOptions): readonly string[]
  /** The plan as optimized, for fingerprints. */
  plan(text: string): LogicalPlan
  close(): Promise<void>
}

/** What the meaning of a text depends on. */
type TextSetting = Pick<SubjectSetting, 'dialect' | 'baseNs'>

/** Throws SluiceError when the text has errors. */
export function lowerText(text: string, setting: TextSetting = usualSetting): LogicalPlan {
  return lowerParsed(parse(text, { dialect: setting.dialect }), setting)
}

function lowerParsed({ ast, diagnostics }: Parsed, { dialect, baseNs }: TextSetting): LogicalPlan {
  throwIfErrors(diagnostics)
  const textField = standardCatalog.tables.get('logs')?.textField
  return lower(ast, { nowNs: nowOf({ baseNs }), table: 'logs', dialect, textField })
}

/** The text of a structured query can be longer than what people write. */
const wideLimits = { textBytes: 2 ** 22, terms: 65_536, pipes: 4_096, fields: 65_536 }

/** Plans are immutable, so each is made once for all the ways in which it is run. */
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
  // Every other subject is read as a worker thread reads it, told of the rows as they come.
  const replica = rows.length % 2 === 1 ? replicated(store) : undefined
  // A part is sealed and the rest is not, so that both ways of storing rows are queried.
  let stored = 0
  for (const end of whole.seals ?? [Math.floor(rows.length / 2)]) {
    store.table('logs').writer.appendRows(rows.slice(stored, end))
    replica?.update()
    store.table('logs').seal()
    stored = end
  }
  // Of the others, every other one reads from files what is sealed.
  if (rows.length % ON_DISK_ONE_IN === 0) putOnDisk(store.table('logs'))
  store.table('logs').writer.appendRows(rows.slice(stored))
  replica?.update()
  const connection = await openSqlite(':memory:')
  const telemetry = sqliteTelemetry(connection, standardCatalog)
  telemetry.append('logs', rows)
  const sqlite = sqliteBackend(telemetry, functions, { mode: 'in-process' })
  const model = rowsBackend(new Map([['logs', rows]]), functions)
  // A third of all subjects shares morsels among threads, as far as their plans can.
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
