import { integer, field, type RecordBatch, type Value } from '../../../data/index.ts'
import { standardFunctions, type Functions } from '../../../functions/index.ts'
import { schemaOf, type ExplainMeasure, type LogicalPlan, type TableDefinition } from '../../../plan/index.ts'
import type { SqlValue } from '../../../store/sqlite/index.ts'
import type { Backend, Prepared, QueryContext, StatementCompiler } from '../../backend.ts'
import { acceptanceBy } from '../compile-block.ts'
import { explainNodes } from '../explain.ts'
import { compileSqlite, type Statement } from '../compile.ts'
import { decodeBatch, type RawBatch } from '../decode-rows.ts'
import { sqliteFile } from '../dialects/sqlite-file.ts'
import type { SqliteFileEngine } from '../engines/sqlite-file.ts'
import type { TableMapping } from '../foreign/mapping.ts'
import { verifyGuards } from '../verify-guards.ts'
import { sqliteFileHost } from './host.ts'
import { fileScan } from './scan.ts'

/** A table of a file as queries see it: nothing is promised of its values but what the catalog says. */
export function fileDefinition(mapping: TableMapping): TableDefinition {
  const { name, time, fields, attributes, textField, streamFields, domain = 'logs' } = mapping
  return {
    name,
    schema: {
      fields: [field(time.field, 'time', 'dynamic'), ...fields.map((each) => field(each.name, each.type, 'dynamic'))],
      isOpen: attributes.length > 0,
    },
    timeField: time.field,
    ...(textField === undefined ? {} : { textField }),
    aliases: new Map(fields.flatMap((each) => each.aliases.map((alias) => [alias, each.name] as const))),
    streamFields,
    domain,
  }
}

/** Writes plans as statements over tables of a SQLite file; functions in them whose names begin with `sluice_` are ours. */
export function sqliteFileStatements(
  mappings: readonly TableMapping[],
  functions: Functions = standardFunctions,
): StatementCompiler & { compile(plan: LogicalPlan, context?: QueryContext): Statement } {
  const byName = new Map(mappings.map((mapping) => [mapping.name, mapping]))
  const compile = (plan: LogicalPlan, context?: QueryContext): Statement => {
    const statement = compileSqlite(plan, {
      dialect: sqliteFile,
      host: sqliteFileHost,
      scan: (node, inner) => fileScan(node, inner, byName),
      functions,
      range: context?.range,
      isInterruptible: false,
      epoch: 0,
    })
    const guards = verifyGuards(statement.query)
    context?.proveGuards?.(guards)
    return statement
  }
  return { name: 'sqlite', accept: acceptanceBy(compile), compile }
}

/** Whole numbers of the file as values: exact, `number` where that is the same. */
function withIntegers({ rowCount, columns }: RawBatch): RawBatch {
  return {
    rowCount,
    columns: columns.map((values) =>
      values.some((value) => typeof value === 'bigint')
        ? values.map((value): SqlValue => (typeof value === 'bigint' ? (integer(value) as Value & SqlValue) : value))
        : values,
    ),
  }
}

/** Plans as statements over the tables of a SQLite file, whoever made them. */
export function sqliteFileBackend(
  engine: SqliteFileEngine,
  mappings: readonly TableMapping[],
): Backend & StatementCompiler {
  // Another process knows the standard functions only.
  const statements = sqliteFileStatements(mappings, standardFunctions)

  function prepare(plan: LogicalPlan, context: QueryContext): Prepared {
    const statement = statements.compile(plan, context)
    let measured: ExplainMeasure | undefined

    async function* run(): AsyncIterable<RecordBatch> {
      const { budget, batchRows } = context
      const { valueLimits } = budget
      const { sql, parameters, columnCount } = statement
      const startedMs = performance.now()
      let rows = 0
      const request = { sql, parameters, columnCount, epoch: undefined, batchRows, valueLimits }
      for await (const raw of engine.driver.run(request, budget)) {
        rows += raw.rowCount
        yield decodeBatch(withIntegers(raw), statement)
      }
      measured = { rows, milliseconds: performance.now() - startedMs, counters: {} }
    }

    return {
      schema: schemaOf(plan),
      explain: () => explainNodes(plan, 'sqlite', [statement.sql], measured),
      run,
    }
  }

  return { ...statements, prepare }
}
