import { MAX_ATTEMPTS, hasMember, checkArgument, Options, invariant } from '../../base/index.ts'
import type { RecordBatch } from '../../data/index.ts'
import { standardFunctions, type Functions } from '../../functions/index.ts'
import { planTree, schemaOf, type ExplainMeasure, type LogicalPlan, type RecordCatalog } from '../../plan/index.ts'
import { standardCatalog } from '../../store/index.ts'
import { knowledgeOfAnything, tableLayouts, type Indexes, type SqliteTelemetry } from '../../store/sqlite/index.ts'
import type { Backend, Prepared, QueryContext, StatementCompiler } from '../backend.ts'
import { acceptanceBy } from './compile-block.ts'
import { compileStatement, type Statement } from './compile.ts'
import { decodeBatch } from './decode-rows.ts'
import { sqlite } from './dialects/sqlite.ts'
import { StaleStatement, type SqlDriver } from './drivers/driver.ts'
import { inProcessDriver } from './drivers/in-process.ts'
import { ProcessPool } from './drivers/pool.ts'
import { hostFunctionsOf } from './host/host-functions.ts'
import { queryPlan } from './query-plan.ts'
import { verifyGuards } from './statement/verify-guards.ts'

/** Options of `sqliteBackend`. */
export interface SqliteBackendOptions {
  /**
   * Process in which statements run. `in-process`: this process, which a statement blocks. `child`: a pool of child
   * processes, in which a single statement can be killed and has a memory limit; requires a database file.
   */
  readonly mode: 'in-process' | 'child'
  /** The number of processes in `child` mode; 2 by default. */
  readonly processes?: number
}

/** A backend over a SQLite database. It also compiles statements for `toSQL`. */
export interface SqliteBackend extends Backend, SqliteStatements {
  close(): Promise<void>
}

/** Compiles query plans to SQLite statements. */
export interface SqliteStatements extends StatementCompiler {
  /** Compiles a plan to a statement. Throws if SQLite cannot run the plan. */
  compile(plan: LogicalPlan): Statement
}

/** Options of `sqliteStatements`. */
export interface SqliteStatementOptions {
  /**
   * The tables of the telemetry database, in the layout that `sqliteTelemetry` creates; the standard tables by default.
   */
  readonly catalog?: RecordCatalog
  /** The functions that queries may call; the standard ones by default. */
  readonly functions?: Functions
  readonly indexes?: Indexes
}

const backendOptions = new Options<SqliteBackendOptions>(
  { mode: { words: { 'in-process': true, child: true } }, processes: 'number' },
  ['mode'],
)
const statementOptions = new Options<SqliteStatementOptions>({
  catalog: 'object',
  functions: 'object',
  indexes: 'object',
})

/**
 * Returns a compiler of plans to SQLite statements that needs no database. The statements are longer than those of
 * `sqliteBackend`, which knows facts about the stored values. Functions named `sluice_…` in a statement are host
 * functions, which `sqliteBackend` registers with SQLite.
 */
export function sqliteStatements(options: SqliteStatementOptions = {}): SqliteStatements {
  statementOptions.check(options, '`sqliteStatements`')
  const { catalog = standardCatalog, functions = standardFunctions, indexes } = options
  const layouts = tableLayouts(catalog.tables.values(), indexes)
  const knowledge = knowledgeOfAnything(layouts)
  const compile = (plan: LogicalPlan): Statement =>
    compileStatement(plan, { dialect: sqlite, layouts, knowledge, functions, range: undefined, isInterruptible: false })
  return { name: 'sqlite', accept: acceptanceBy(compile), compile }
}

function driverOf(telemetry: SqliteTelemetry, functions: Functions, options: SqliteBackendOptions): SqlDriver {
  if (options.mode === 'in-process') return inProcessDriver(telemetry.connection, functions)
  invariant(!telemetry.connection.memory, 'another process cannot read a database in memory')
  const pool = new ProcessPool({ path: telemetry.connection.name, size: options.processes ?? 2 })
  pool.warmUp()
  return pool
}

/** Makes a backend that runs plans as SQLite statements over the tables of a telemetry database. */
export function sqliteBackend(
  telemetry: SqliteTelemetry,
  functions: Functions = standardFunctions,
  options: SqliteBackendOptions = { mode: 'in-process' },
): SqliteBackend {
  checkArgument(
    hasMember(telemetry, 'connection'),
    telemetry,
    'what `sqliteTelemetry` gives',
    'sqliteBackend(sqliteTelemetry(connection))',
  )
  backendOptions.check(options, '`sqliteBackend`')
  // The telemetry connection only writes and explains. EXPLAIN compiles the statement, so the connection needs the host
  // functions.
  hostFunctionsOf(telemetry.connection)
  const driver = driverOf(telemetry, functions, options)
  // A child process knows only the standard functions. Sluice computes calls of other functions on the rows that the
  // statement returns.
  const known = options.mode === 'child' ? standardFunctions : functions

  function compile(plan: LogicalPlan, context?: QueryContext): Statement {
    const statement = compileStatement(plan, {
      dialect: sqlite,
      layouts: telemetry.layouts,
      knowledge: telemetry.knowledge(),
      functions: known,
      range: context?.range,
      isInterruptible: context !== undefined && driver.needsCheckpoints,
    })
    const guards = verifyGuards(statement.query)
    context?.proveGuards?.(guards)
    return statement
  }

  function prepare(plan: LogicalPlan, context: QueryContext): Prepared {
    let statement = compile(plan, context)
    let measured: ExplainMeasure | undefined

    async function* run(): AsyncIterable<RecordBatch> {
      const { budget, batchRows } = context
      const { valueLimits } = budget
      const startedMs = performance.now()
      let rows = 0
      for (let attempt = 0; ; attempt++) {
        const { sql, parameters, columnCount, epoch } = statement
        try {
          for await (const raw of driver.run({ sql, parameters, columnCount, epoch, batchRows, valueLimits }, budget)) {
            rows += raw.rowCount
            yield decodeBatch(raw, statement)
          }
          break
        } catch (error) {
          if (!(error instanceof StaleStatement) || attempt === MAX_ATTEMPTS) throw error
          statement = compile(plan, context)
        }
      }
      measured = { rows, milliseconds: performance.now() - startedMs, counters: {} }
    }

    return {
      schema: schemaOf(plan),
      explain: () => planTree(plan, 'sqlite', [statement.sql, ...queryPlan(telemetry.connection, statement)], measured),
      run,
    }
  }

  return { name: 'sqlite', accept: acceptanceBy(compile), prepare, compile, close: () => driver.close() }
}
