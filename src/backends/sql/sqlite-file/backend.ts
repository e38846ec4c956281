import { MAX_ATTEMPTS, type Budget } from '../../../base/index.ts'
import type { RecordBatch } from '../../../data/index.ts'
import { standardFunctions, type Functions } from '../../../functions/index.ts'
import {
  planTree,
  schemaOf,
  visit,
  type ExplainMeasure,
  type LogicalPlan,
  type TableDefinition,
} from '../../../plan/index.ts'
import type { Backend, CompiledStatement, Prepared, QueryContext, StatementCompiler } from '../../backend.ts'
import { acceptanceBy } from '../compile-block.ts'
import { CannotCompile, type Host } from '../block.ts'
import { compileSqlite, type Statement } from '../compile.ts'
import { decodeBatch } from '../decode-rows.ts'
import { sqliteFile } from '../dialects/sqlite-file.ts'
import { StaleStatement, type Proof } from '../drivers/driver.ts'
import type { SqliteFileEngine } from '../engines/sqlite-file.ts'
import type { TableMapping } from '../foreign/mapping.ts'
import { tableDefinition } from '../foreign/tables.ts'
import { verifyGuards } from '../statement/verify-guards.ts'
import { sqliteFileHost } from './host.ts'
import { checkOrders } from '../foreign/compile.ts'
import { knowledgeOfTypes, learn, type FileKnowledge, type TableKnowledge } from './knowledge.ts'
import { notesOf } from './notes.ts'
import { printedHost, unrankedHost } from './printed.ts'
import { fileScan } from './scan.ts'

/** The learned facts about the values of each table; keys are the tables' names in queries. */
type Knowledge = ReadonlyMap<string, FileKnowledge>

const nothing: Knowledge = new Map()

function isSame(a: Knowledge, b: Knowledge): boolean {
  return a.size === b.size && [...a].every(([name, known]) => b.get(name) === known)
}

/**
 * Returns the definition of a table of a SQLite file that queries see. Field types come from the mapping alone, since
 * nothing is known about the stored values.
 */
export function fileDefinition(mapping: TableMapping): TableDefinition {
  return tableDefinition(mapping, ({ type }) => type)
}

/** Everything besides the plan that `write` needs. */
interface Writing {
  readonly byName: ReadonlyMap<string, TableMapping>
  readonly functions: Functions
  readonly context?: QueryContext
  readonly knowledge: ReadonlyMap<string, TableKnowledge>
  /**
   * Compiles what plain SQL cannot express: `sqliteFileHost` for statements that a backend runs, another host for
   * statements that people run in a shell.
   */
  readonly host: Host
}

/**
 * Compiles a plan to a statement. Throws CannotCompile; with `unrankedHost` also if the statement would select rows by
 * an order of strings.
 */
function write(plan: LogicalPlan, { byName, functions, context, knowledge, host }: Writing): Statement {
  const statement = compileSqlite(plan, {
    dialect: sqliteFile,
    host,
    scan: (node, inner) => fileScan(node, inner, byName, knowledge),
    functions,
    range: context?.range,
    isInterruptible: false,
    epoch: 0,
    readsNative: true,
    isPrinted: host !== sqliteFileHost,
  })
  if (host === unrankedHost) checkOrders(statement.query, plan, false)
  const guards = verifyGuards(statement.query)
  context?.proveGuards?.(guards)
  return statement
}

/**
 * Returns a compiler of statements over tables of a SQLite file, for people who run them in a shell. Statements are
 * plain SQL if possible; their `notes` say what differs. Functions named `sluice_…` are host functions, which a shell
 * lacks.
 */
export function sqliteFileStatements(
  mappings: readonly TableMapping[],
  functions: Functions = standardFunctions,
): StatementCompiler {
  const byName = new Map(mappings.map((mapping) => [mapping.name, mapping]))
  const knowledge = new Map<string, TableKnowledge>()
  for (const mapping of mappings) {
    const known = knowledgeOfTypes(mapping)
    if (known !== undefined) knowledge.set(mapping.name, known)
  }
  const printed = (plan: LogicalPlan): Statement => {
    const writing = { byName, functions, knowledge }
    try {
      return write(plan, { ...writing, host: unrankedHost })
    } catch (error) {
      if (!(error instanceof CannotCompile)) throw error
      return write(plan, { ...writing, host: printedHost })
    }
  }
  const compile = (plan: LogicalPlan): CompiledStatement => {
    const statement = printed(plan)
    return { ...statement, notes: notesOf(statement) }
  }
  return { name: 'sqlite', accept: acceptanceBy(compile), compile }
}

function tablesOf(plan: LogicalPlan): ReadonlySet<string> {
  const names = new Set<string>()
  visit(plan, (node) => {
    if (node.kind === 'scan') names.add(node.table)
  })
  return names
}

/** Makes a backend that runs plans as statements over the tables of a SQLite file of any schema. */
export function sqliteFileBackend(
  engine: SqliteFileEngine,
  mappings: readonly TableMapping[],
): Backend & StatementCompiler {
  // The child processes that run statements know only the standard functions.
  const statements = sqliteFileStatements(mappings, standardFunctions)
  const byName = new Map(mappings.map((mapping) => [mapping.name, mapping]))
  const common = { byName, functions: standardFunctions, host: sqliteFileHost }
  const written = (plan: LogicalPlan, context: QueryContext, knowledge: Knowledge): Statement =>
    write(plan, { ...common, context, knowledge })
  const lessons = new Map<string, Promise<FileKnowledge | undefined>>()
  /** The facts learned so far about each table, available without waiting. */
  const taught = new Map<string, FileKnowledge>()

  /**
   * Returns the facts about the values of these tables. They are learned when a statement first reads a table, and
   * again if `isStale` says that the file has changed.
   */
  async function learned(names: ReadonlySet<string>, budget: Budget, isStale: boolean): Promise<Knowledge> {
    const found = new Map<string, FileKnowledge>()
    for (const name of names) {
      const mapping = byName.get(name)
      if (mapping === undefined) continue
      let lesson = isStale ? undefined : lessons.get(name)
      if (lesson === undefined) {
        lesson = learn(mapping, (sql, values, columns) => engine.texts(sql, values, columns, budget))
        lessons.set(name, lesson)
        // A failed lesson is forgotten, so that the next statement tries again.
        lesson.catch(() => lessons.delete(name))
      }
      // Another statement may have started the learning and then been stopped; nothing is known in that case.
      const known = await lesson.catch(() => {
        budget.checkpoint()
        return undefined
      })
      if (known === undefined) continue
      found.set(name, known)
      taught.set(name, known)
    }
    return found
  }

  /**
   * Returns the facts that were learned earlier, if there are some for all of these tables; otherwise none. A statement
   * compiled with them need not be compiled again when it runs.
   */
  function knownBefore(names: ReadonlySet<string>): Knowledge {
    const knowledge = new Map([...taught].filter(([name]) => names.has(name)))
    return knowledge.size === names.size ? knowledge : nothing
  }

  function prepare(plan: LogicalPlan, context: QueryContext): Prepared {
    const names = tablesOf(plan)
    let by = knownBefore(names)
    let statement = written(plan, context, by)
    let measured: ExplainMeasure | undefined
    let enginePlan: readonly string[] = []

    /**
     * Compiles the statement with the known facts. Returns the proofs: small statements that run before it and show
     * whether the facts still hold.
     */
    const rewritten = (known: Knowledge): readonly Proof[] => {
      if (!isSame(known, by)) statement = written(plan, context, known)
      by = known
      return [...known.values()].map(({ proof }) => proof)
    }

    async function* run(): AsyncIterable<RecordBatch> {
      const { budget, batchRows } = context
      const { valueLimits } = budget
      const startedMs = performance.now()
      let rows = 0
      for (let lesson = 0; ; lesson++) {
        const proofs = rewritten(lesson === MAX_ATTEMPTS ? nothing : await learned(names, budget, lesson > 0))
        const { sql, parameters, columnCount } = statement
        const request = { sql, parameters, columnCount, epoch: undefined, batchRows, valueLimits, proofs }
        try {
          for await (const raw of engine.driver.run(request, budget)) {
            rows += raw.rowCount
            yield decodeBatch(raw, statement)
          }
          break
        } catch (error) {
          if (!(error instanceof StaleStatement)) throw error
          rows = 0
        }
      }
      measured = { rows, milliseconds: performance.now() - startedMs, counters: {} }
    }

    return {
      schema: schemaOf(plan),
      explain: () => planTree(plan, 'sqlite', [statement.sql, ...enginePlan], measured),
      askPlan: async () => {
        rewritten(await learned(names, context.budget, false))
        const { sql, parameters } = statement
        enginePlan = await engine.explain({ sql, parameters, forms: [] })
      },
      run,
    }
  }

  return { ...statements, accept: acceptanceBy((plan) => write(plan, { ...common, knowledge: nothing })), prepare }
}
