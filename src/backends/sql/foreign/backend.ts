import { present } from '../../../base/index.ts'
import type { RecordBatch } from '../../../data/index.ts'
import type { Functions } from '../../../functions/index.ts'
import {
  inputs,
  opsOf,
  schemaOf,
  type Catalog,
  type ExplainMeasure,
  type ExplainTree,
  type LogicalPlan,
} from '../../../plan/index.ts'
import type { Acceptance, Backend, Prepared, QueryContext, StatementCompiler } from '../../backend.ts'
import { CannotCompile } from '../block.ts'
import type { Dialect } from '../dialect.ts'
import { verifyGuards } from '../verify-guards.ts'
import { decodeForeign, isCutRight, ranked } from './answer.ts'
import { compileForeign, type CompiledForeign } from './compile.ts'
import type { ForeignBatch, ForeignEngine, ForeignName, ForeignValue } from './engine.ts'
import type { TableMapping } from './mapping.ts'
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

export function foreignStatements(
  { name, dialect }: { readonly name: ForeignName; readonly dialect: Dialect },
  mappings: readonly TableMapping[],
  functions: Functions,
): ForeignStatements {
  const byName = new Map(mappings.map((mapping) => [mapping.name, mapping]))
  const compile = (plan: LogicalPlan): CompiledForeign =>
    compileForeign(plan, { dialect, mappings: byName, functions, range: undefined })
  return {
    name,
    dialect,
    catalog: catalogOf(mappings, dialect),
    accept: (plan): Acceptance => {
      try {
        compile(plan)
        return { kind: 'whole' }
      } catch (error) {
        if (error instanceof CannotCompile) return { kind: 'not', node: error.node, reason: error.reason }
        throw error
      }
    },
    compile,
  }
}

function explainNodes(
  plan: LogicalPlan,
  owner: string,
  notes: readonly string[],
  measured: ExplainMeasure | undefined,
): ExplainTree {
  return {
    kind: plan.kind,
    label: opsOf(plan).label(plan),
    owner,
    notes,
    estimateRows: undefined,
    measured,
    inputs: inputs(plan).map((input) => explainNodes(input, owner, [], undefined)),
  }
}

/** Roughly what a value of a result takes in memory. */
const VALUE_BYTES = 32

function batchBytes({ columns }: ForeignBatch): number {
  let bytes = 0
  for (const values of columns) {
    for (const value of values) bytes += VALUE_BYTES + (typeof value === 'string' ? value.length * 2 : 0)
  }
  return bytes
}

function joined(batches: readonly ForeignBatch[], width: number): ForeignBatch {
  const columns = Array.from({ length: width }, (_, i) => {
    const all: ForeignValue[] = []
    for (const batch of batches) for (const value of present(batch.columns[i])) all.push(value)
    return all
  })
  return { rowCount: batches.reduce((sum, batch) => sum + batch.rowCount, 0), columns }
}

function sliced({ columns }: ForeignBatch, from: number, to: number): ForeignBatch {
  const part = columns.map((values) => values.slice(from, to))
  return { rowCount: to - from, columns: part }
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
    const compiled = compileForeign(plan, { dialect, mappings: byName, functions, range: context.range })
    const guards = verifyGuards(compiled.query)
    context.proveGuards?.(guards)
    const { forms, ranking } = compiled
    let measured: ExplainMeasure | undefined
    let enginePlan: readonly string[] = []

    const batchesOf = ({ sql, parameters }: Pick<CompiledForeign, 'sql' | 'parameters'>): AsyncIterable<ForeignBatch> =>
      engine.run({ sql, parameters, forms }, { budget: context.budget, batchRows: context.batchRows })

    /** All rows of a statement, charged for as long as they are held. */
    async function collect(
      statement: Pick<CompiledForeign, 'sql' | 'parameters'>,
      charge: (bytes: number) => void,
    ): Promise<ForeignBatch> {
      const batches: ForeignBatch[] = []
      for await (const batch of batchesOf(statement)) {
        charge(batchBytes(batch))
        batches.push(batch)
      }
      return joined(batches, forms.length)
    }

    async function* rankedBatches(by: NonNullable<typeof ranking>): AsyncIterable<ForeignBatch> {
      const { budget, batchRows } = context
      let heldBytes = 0
      const charge = (bytes: number): void => {
        heldBytes += bytes
        budget.charge(bytes)
      }
      try {
        let rows = await collect(compiled, charge)
        if (by.whole !== undefined && rows.rowCount >= by.offset + (by.limit ?? 0) && !isCutRight(rows, by)) {
          charge(-heldBytes)
          rows = await collect(by.whole, charge)
        }
        const answer = ranked(rows, by)
        for (let from = 0; from < answer.rowCount; from += batchRows) {
          yield sliced(answer, from, Math.min(from + batchRows, answer.rowCount))
        }
      } finally {
        budget.charge(-heldBytes)
      }
    }

    async function* run(): AsyncIterable<RecordBatch> {
      const startedMs = performance.now()
      let rows = 0
      for await (const batch of ranking === undefined ? batchesOf(compiled) : rankedBatches(ranking)) {
        rows += batch.rowCount
        yield decodeForeign(batch, compiled)
      }
      measured = { rows, milliseconds: performance.now() - startedMs, counters: {} }
    }

    return {
      schema: schemaOf(plan),
      explain: () => explainNodes(plan, name, [compiled.sql, ...enginePlan], measured),
      askPlan: async () => {
        const { sql, parameters } = compiled
        enginePlan = await engine.explain({ sql, parameters, forms })
      },
      run,
    }
  }

  return { ...statements, prepare, close: () => engine.close() }
}
