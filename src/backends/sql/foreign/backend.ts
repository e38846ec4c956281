import { inTurns, present, type Turns } from '../../../base/index.ts'
import type { RecordBatch } from '../../../data/index.ts'
import type { Functions } from '../../../functions/index.ts'
import { planTree, schemaOf, type Catalog, type ExplainMeasure, type LogicalPlan } from '../../../plan/index.ts'
import type { Backend, Prepared, QueryContext, StatementCompiler } from '../../backend.ts'
import { acceptanceBy } from '../compile-block.ts'
import type { Dialect } from '../dialect.ts'
import { verifyGuards } from '../verify-guards.ts'
import { decodeForeign, isCutRight, ranked, rowsAt } from './answer.ts'
import { compileForeign, type CompiledForeign, type CompiledSql, type ForeignInput, type Ranking } from './compile.ts'
import type { ForeignBatch, ForeignEngine, ForeignName, ForeignValue } from './engine.ts'
import { OutOfRangeError } from './diagnostics.ts'
import { Held, VALUE_BYTES } from './held.ts'
import type { TableMapping } from './mapping.ts'
import { exactSums, firstSums, UnsureSum } from './sums.ts'
import { catalogOf } from './tables.ts'

/** Writes plans as statements of a database over mapped tables; needs no database. */
export interface ForeignStatements extends StatementCompiler {
  readonly name: ForeignName
  readonly dialect: Dialect
  /** The tables as queries see them, for `createEngine`. */
  readonly catalog: Catalog
  /** Throws when the plan is not accepted. */
  compile(plan: LogicalPlan): CompiledForeign
}

export interface ForeignBackend extends Backend, ForeignStatements {
  readonly name: ForeignName
  close(): Promise<void>
}

/** How a statement is first written; what comes back may ask for another one. */
type Mode = Pick<ForeignInput, 'sums' | 'keepsEmptyKeys'>
const firstMode: Mode = { sums: firstSums, keepsEmptyKeys: true }

/** Thrown when two groups of an answer are one. */
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
      sums: firstSums,
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

/** At most 1,024 rows a batch, hence short turns. */
function* joined(batches: readonly ForeignBatch[], width: number): Turns<ForeignBatch> {
  const columns: ForeignValue[][] = Array.from({ length: width }, () => [])
  for (const batch of batches) {
    for (const [i, column] of columns.entries()) for (const value of present(batch.columns[i])) column.push(value)
    yield
  }
  return { rowCount: batches.reduce((sum, batch) => sum + batch.rowCount, 0), columns }
}

/** Plans as statements of a database that keeps its own data. */
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
    const compiled = compile(firstMode)
    let measured: ExplainMeasure | undefined
    let enginePlan: readonly string[] = []

    function compile(mode: Mode): CompiledForeign {
      const made = compileForeign(plan, { dialect, mappings: byName, functions, range: context.range, ...mode })
      const guards = verifyGuards(made.query)
      context.proveGuards?.(guards)
      return made
    }

    /** Throws UnmergedGroups before its first batch. */
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
        return inTurns(joined(batches, forms.length))
      }
      try {
        let rows = await collect(statement)
        if (by.whole !== undefined && rows.rowCount >= by.offset + (by.limit ?? 0) && !isCutRight(rows, by)) {
          held.clear()
          rows = await collect(by.whole)
        }
        const answer = await inTurns(ranked(rows, by))
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

    /** All of it before the first row is given. */
    async function* heldAnswer(statement: CompiledForeign): AsyncIterable<RecordBatch> {
      const held = new Held(budget)
      try {
        const batches: RecordBatch[] = []
        for await (const batch of answerOf(statement)) {
          held.add(batch.rowCount * batch.columns.length * VALUE_BYTES)
          batches.push(batch)
        }
        yield* batches
      } finally {
        held.clear()
      }
    }

    /** In the first mode in which it is sure. */
    async function* sureAnswer(): AsyncIterable<RecordBatch> {
      for (let [mode, statement] = [firstMode, compiled]; ; statement = compile(mode)) {
        try {
          yield* statement.hasCloseSums ? heldAnswer(statement) : answerOf(statement)
          return
        } catch (error) {
          if (error instanceof UnsureSum) mode = { ...mode, sums: error.next }
          else if (error instanceof OutOfRangeError && statement.hasCloseSums) mode = { ...mode, sums: exactSums }
          else if (error instanceof UnmergedGroups) mode = { ...mode, keepsEmptyKeys: false }
          else throw error
        }
      }
    }

    async function* run(): AsyncIterable<RecordBatch> {
      const startedMs = performance.now()
      let rows = 0
      for await (const batch of sureAnswer()) {
        rows += batch.rowCount
        yield batch
      }
      measured = { rows, milliseconds: performance.now() - startedMs, counters: {} }
    }

    return {
      schema: schemaOf(plan),
      explain: () => planTree(plan, name, [compiled.sql, ...enginePlan], measured),
      askPlan: async () => {
        const { sql, parameters, forms } = compiled
        enginePlan = await engine.explain({ sql, parameters, forms })
      },
      run,
    }
  }

  return { ...statements, prepare, close: () => engine.close() }
}
