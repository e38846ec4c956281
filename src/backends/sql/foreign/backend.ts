import { present, runWithBudget } from '../../../base/index.ts'
import type { RecordBatch } from '../../../data/index.ts'
import type { Functions } from '../../../functions/index.ts'
import { planTree, schemaOf, type Catalog, type ExplainMeasure, type LogicalPlan } from '../../../plan/index.ts'
import type { Backend, Prepared, QueryContext, StatementCompiler } from '../../backend.ts'
import { acceptanceBy } from '../compile-block.ts'
import type { Dialect } from '../dialect.ts'
import { verifyGuards } from '../statement/verify-guards.ts'
import { decodeForeign, isCutRight, ranked, rowsAt } from './answer.ts'
import { compileForeign, type CompiledForeign, type CompiledSql, type Ranking } from './compile.ts'
import type { ForeignBatch, ForeignEngine, ForeignName, ForeignValue } from './engine.ts'
import { Held } from './held.ts'
import type { TableMapping } from './mapping.ts'
import { catalogOf } from './tables.ts'
import { VALUE_BYTES } from '../tuning.ts'

/** Compiles plans to statements over tables of a database, without a connection to the database. */
export interface ForeignStatements extends StatementCompiler {
  readonly name: ForeignName
  readonly dialect: Dialect
  /** The tables with the schemas that queries see, for `createEngine`. */
  readonly catalog: Catalog
  /** Compiles a plan to a statement. Throws when the database cannot run the plan. */
  compile(plan: LogicalPlan): CompiledForeign
}

export interface ForeignBackend extends Backend, ForeignStatements {
  readonly name: ForeignName
  close(): Promise<void>
}

const FLOAT_SUMS_NOTE = "sums of floats are the database's own: within 1e-9 of the sum of absolute values"

/** Thrown if an answer has a group with the key `''`, which must be merged with the group of missing values. */
class UnmergedGroups extends Error {}

export function foreignStatements(
  { name, dialect }: { readonly name: ForeignName; readonly dialect: Dialect },
  mappings: readonly TableMapping[],
  functions: Functions,
): ForeignStatements {
  const byName = new Map(mappings.map((mapping) => [mapping.name, mapping]))
  const compile = (plan: LogicalPlan): CompiledForeign =>
    compileForeign(plan, {
      dialect,
      mappings: byName,
      functions,
      range: undefined,
      keepsEmptyKeys: false,
    })
  return {
    name,
    dialect,
    catalog: catalogOf(mappings, dialect),
    accept: acceptanceBy(compile),
    compile,
  }
}

function batchBytes({ columns }: ForeignBatch): number {
  let bytes = 0
  for (const values of columns) {
    for (const value of values) bytes += VALUE_BYTES + (typeof value === 'string' ? value.length * 2 : 0)
  }
  return bytes
}

function joined(batches: readonly ForeignBatch[], width: number): ForeignBatch {
  const columns: ForeignValue[][] = Array.from({ length: width }, () => [])
  for (const batch of batches) {
    for (const [i, column] of columns.entries()) for (const value of present(batch.columns[i])) column.push(value)
  }
  return { rowCount: batches.reduce((sum, batch) => sum + batch.rowCount, 0), columns }
}

/**
 * Makes a backend that runs plans as statements of a user's own database. Mappings describe the fields of its tables.
 */
export function foreignBackend(
  engine: ForeignEngine,
  mappings: readonly TableMapping[],
  functions: Functions,
): ForeignBackend {
  const { name, dialect } = engine
  const statements = foreignStatements(engine, mappings, functions)
  const byName = new Map(mappings.map((mapping) => [mapping.name, mapping]))

  function prepare(plan: LogicalPlan, context: QueryContext): Prepared {
    const { budget, batchRows } = context
    const compiled = compile(true)
    let measured: ExplainMeasure | undefined
    let enginePlan: readonly string[] = []

    function compile(keepsEmptyKeys: boolean): CompiledForeign {
      const made = compileForeign(plan, { dialect, mappings: byName, functions, range: context.range, keepsEmptyKeys })
      const guards = verifyGuards(made.query)
      context.proveGuards?.(guards)
      return made
    }

    /**
     * Runs the statement and yields its answer. Throws UnmergedGroups before the first batch if the answer has a group
     * `''`.
     */
    async function* batchesOf(
      { forms, unmergedAt }: CompiledForeign,
      { sql, parameters, mostRows }: CompiledSql,
    ): AsyncIterable<ForeignBatch> {
      const run = { budget, batchRows, isAlone: plan === context.whole }
      for await (const batch of engine.run({ sql, parameters, forms, mostRows }, run)) {
        if (unmergedAt !== undefined && batch.columns[unmergedAt]?.[0] === true) throw new UnmergedGroups()
        yield batch
      }
    }

    async function* rankedBatches(statement: CompiledForeign, by: Ranking): AsyncIterable<ForeignBatch> {
      const { forms } = statement
      const held = new Held(budget)
      const collect = async (given: CompiledSql): Promise<ForeignBatch> => {
        const batches: ForeignBatch[] = []
        for await (const batch of batchesOf(statement, given)) {
          held.add(batchBytes(batch))
          batches.push(batch)
        }
        return joined(batches, forms.length)
      }
      try {
        let rows = await collect(statement)
        if (by.whole !== undefined && rows.rowCount >= by.offset + (by.limit ?? 0) && !isCutRight(rows, by)) {
          held.clear()
          rows = await collect(by.whole)
        }
        const answer = runWithBudget(budget, () => ranked(rows, by))
        for (let from = 0; from < answer.length; from += batchRows) {
          budget.checkpoint()
          yield rowsAt(rows, answer.slice(from, from + batchRows))
        }
      } finally {
        held.clear()
      }
    }

    async function* answerOf(statement: CompiledForeign): AsyncIterable<RecordBatch> {
      const { ranking } = statement
      for await (const batch of ranking === undefined
        ? batchesOf(statement, statement)
        : rankedBatches(statement, ranking)) {
        yield decodeForeign(batch, statement)
      }
    }

    /**
     * Yields the answer of a slower second statement, which converts `''` to NULL in each row before grouping. Used if
     * the first statement returned a group `''`.
     */
    async function* mergedAnswer(): AsyncIterable<RecordBatch> {
      try {
        yield* answerOf(compiled)
      } catch (error) {
        if (!(error instanceof UnmergedGroups)) throw error
        yield* answerOf(compile(false))
      }
    }

    async function* run(): AsyncIterable<RecordBatch> {
      const startedMs = performance.now()
      let rows = 0
      for await (const batch of mergedAnswer()) {
        rows += batch.rowCount
        yield batch
      }
      measured = { rows, milliseconds: performance.now() - startedMs, counters: {} }
    }

    return {
      schema: schemaOf(plan),
      explain: () => {
        const sums = compiled.hasFloatSums ? [FLOAT_SUMS_NOTE] : []
        return planTree(plan, name, [compiled.sql, ...sums, ...enginePlan], measured)
      },
      askPlan: async () => {
        const { sql, parameters, forms } = compiled
        enginePlan = await engine.explain({ sql, parameters, forms })
      },
      run,
    }
  }

  return { ...statements, prepare, close: () => engine.close() }
}
