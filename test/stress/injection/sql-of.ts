import { seededRandom, SluiceError, always } from '../../../src/base/index.ts'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { dialects, sqliteBackend, type Statement } from '../../../src/backends/sql/index.ts'
import { renderSql } from '../../../src/backends/sql/statement/render.ts'
import { Instant, toText, type StoredRow, type Value } from '../../../src/data/index.ts'
import { assign } from '../../../src/engine/assign.ts'
import { createEngine, type CompiledPlan, type Engine, type QueryOptions } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import type { LogicalPlan } from '../../../src/plan/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'
import { openSqlite, sqliteTelemetry } from '../../../src/store/sqlite/index.ts'
import { fuzzBaseNs, fuzzRows } from '../../../src/fuzz/dataset.ts'

/** Statements of a query in every SQL dialect, or the error code with which the query is refused. */
export type SqlOf =
  | { readonly kind: 'sql'; readonly text: string }
  | { readonly kind: 'refused'; readonly code: string }

/**
 * Compiles queries. `written` is the string under test: names and literals equal to it become marks in the statements.
 */
export interface Compiler {
  text(query: string, options: QueryOptions, written: string): SqlOf
  plan(makePlan: () => LogicalPlan, written: string): SqlOf
}

/** Returns rows with a different value in each, more than statements can list. */
function manyRows(count: number): readonly StoredRow[] {
  return Array.from({ length: count }, (_, i): StoredRow => {
    const timeNs = fuzzBaseNs + BigInt(i)
    const texts = ['level', 'workload', 'namespace', 'content'].map((name): [string, Value] => [name, `Known ${i}`])
    const numbers = ['status', 'duration_ms'].map((name): [string, Value] => [name, i + 0.5])
    return { timeNs, sequence: i, row: new Map<string, Value>([['_time', new Instant(timeNs)], ...texts, ...numbers]) }
  })
}

function everyDialect(statement: Statement): string {
  const texts = dialects.map((dialect) =>
    dialect.name === 'sqlite' ? statement.sql : `${renderSql(statement.query, dialect)?.text}`,
  )
  return texts.join('\n;\n')
}

async function compilerOver(rows: readonly StoredRow[]): Promise<Compiler> {
  const telemetry = sqliteTelemetry(await openSqlite(':memory:'), standardCatalog)
  telemetry.append('logs', rows)
  const sqlite = sqliteBackend(telemetry, standardFunctions, { mode: 'in-process' })
  const columnar = columnarBackend(createMemoryStore(standardCatalog), standardFunctions)
  const engine: Engine = createEngine({ backends: [sqlite, columnar], lint: 'off' })
  const common: QueryOptions = { nowNs: fuzzBaseNs, range: always, lint: 'off' }
  const sqlOf = (make: () => CompiledPlan): SqlOf => {
    try {
      const part = assign(make().optimized, sqlite, columnar, standardFunctions)
      const parts = part.backend === sqlite ? [part] : [...part.inputs.values()]
      const statements = parts.map(({ plan }) => sqlite.compile(plan))
      if (statements.length === 0) return { kind: 'refused', code: 'no-statement' }
      return { kind: 'sql', text: statements.map(everyDialect).join('\n;;\n') }
    } catch (error) {
      if (error instanceof SluiceError) return { kind: 'refused', code: error.code }
      throw error
    }
  }
  return {
    text: (query, options) => sqlOf(() => engine.plan(query, { ...common, ...options })),
    plan: (makePlan) => sqlOf(() => engine.compilePlan(makePlan(), common)),
  }
}

const knownRows = fuzzRows(seededRandom(1), 60)

/** All values of the small table; statements over it list them completely. */
export const knownValues: readonly string[] = [
  ...new Set(knownRows.flatMap(({ row }) => [...row.values()].map(toText))),
]

/**
 * Returns a compiler over a table whose values statements list completely, and one over a table with too many values to
 * list.
 */
export async function makeCompilers(): Promise<readonly Compiler[]> {
  return [await compilerOver(knownRows), await compilerOver(manyRows(5000))]
}
