import { checkArgument, Budget, POLL_MS, SluiceError, nowhere } from '../base/index.ts'
import type { Backend, CompiledStatement, StatementCompiler } from '../backends/index.ts'
import {
  foreignCompiler,
  foreignTables,
  type ForeignEngine,
  type ForeignName,
  type SqlParameter,
  type TableMapping,
} from '../backends/sql/index.ts'
import { createEngine, defaultEngineLimits, type Engine, type EngineOptions } from '../engine/index.ts'
import { METRIC_NAME } from '../data/index.ts'
import type { Catalog, TableDefinition } from '../plan/index.ts'
import type { SampleSource } from '../store/index.ts'
import type { ConnectOptions } from './connect.ts'
import { catalogDiagnostic } from './diagnostics.ts'
import { checkCatalog, checkMade, closeAll, type CheckedCatalog } from './open.ts'
import { routedBackend } from './routed-backend.ts'
import { isForeignName, standardMappings } from './standard-tables.ts'
import { TableSamples, type SeriesTable } from './samples.ts'
import type { CatalogFile } from './text/schema.ts'

/** The tables of a catalog, connected to their databases. */
export interface OpenCatalog {
  readonly mappings: readonly TableMapping[]
  /** The definitions of the tables. The first table is the default of queries. */
  readonly definitions: Catalog
  /** Runs as much of a plan as possible in the databases. */
  readonly backend: Backend & StatementCompiler
  /** Returns the kind of database that a table is in; `undefined` for unknown tables. */
  nameOf(table: string): ForeignName | undefined
  /** Returns the lines of the database's own plan for a statement over a table. */
  explain(table: string, statement: CompiledStatement): Promise<readonly string[]>
  /** Returns a new engine over the tables. */
  engine(options?: Omit<EngineOptions, 'tables' | 'backends' | 'catalog'>): Engine
  /** Returns the metric samples in the tables; `undefined` if no table has any. */
  samples(engine: Engine): SampleSource | undefined
  /** Checks that each database responds. Throws `catalog/is-away` with the names of those that do not. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Adds the aliases `_time`, `_msg` and `content`, unless the table has fields or aliases with these names. */
function withUsualNames(definition: TableDefinition): TableDefinition {
  const { schema, timeField, textField, domain } = definition
  const aliases = new Map(definition.aliases)
  const add = (name: string, field: string | undefined): void => {
    if (field === undefined || aliases.has(name) || schema.fields.some((each) => each.name === name)) return
    aliases.set(name, field)
  }
  add('_time', timeField)
  // Metrics need the names `_msg` and `content` as labels.
  if (domain !== 'metrics') {
    add('_msg', textField)
    add('content', textField)
  }
  return { ...definition, aliases }
}

const PING_MS = 5_000

async function answers(engine: ForeignEngine): Promise<void> {
  const budget = new Budget({ ...defaultEngineLimits, timeoutMs: PING_MS }, () => performance.now())
  const statement = { sql: 'SELECT 1 AS one', parameters: [], forms: ['int64'] as const }
  for await (const _ of engine.run(statement, { budget, batchRows: 1 }));
}

/** Returns a compiler of queries over the standard tables to SQL. It needs no connection to a database. */
export function standardCompiler(name: ForeignName): {
  readonly compiler: StatementCompiler
  readonly catalog: Catalog
} {
  checkArgument(isForeignName(name), name, 'the name of a database', "standardCompiler('duckdb')")
  const { compiler, definitions } = foreignCompiler(name, standardMappings(name))
  const tables = new Map(definitions.map((each) => [each.name, withUsualNames(each)]))
  return { compiler, catalog: { tables, defaultTable: definitions[0]?.name ?? '' } }
}

/**
 * Opens a catalog: connects to its databases and checks the mapping. Throws SluiceError with all errors, each at its
 * position in the text.
 */
export async function openCatalog(text: string, options: ConnectOptions = {}): Promise<OpenCatalog> {
  return opened(await checkCatalog(text, options))
}

/** Opens a catalog that a program made. Throws SluiceError with all errors. */
export async function openMadeCatalog(file: CatalogFile, options: ConnectOptions): Promise<OpenCatalog> {
  return opened(await checkMade(file, options))
}

async function opened({ tables, engines, diagnostics, series }: CheckedCatalog): Promise<OpenCatalog> {
  if (diagnostics.length > 0) {
    await closeAll(engines)
    throw new SluiceError(diagnostics)
  }
  const definitions = new Map<string, TableDefinition>()
  const routes = [...engines].flatMap(([connection, engine]) => {
    const mappings = tables.filter((table) => table.connection === connection).map(({ mapping }) => mapping)
    if (mappings.length === 0) return []
    const foreign = foreignTables(engine, mappings)
    for (const each of foreign.definitions) definitions.set(each.name, withUsualNames(each))
    return [{ backend: foreign.backend, tables: new Set(mappings.map(({ name }) => name)) }]
  })
  const mappings = tables.map(({ mapping }) => mapping)
  const inOrder = mappings.flatMap(({ name }) => definitions.get(name) ?? [])
  const catalog: Catalog = {
    tables: new Map(inOrder.map((each) => [each.name, each])),
    defaultTable: inOrder[0]?.name ?? '',
  }
  const backend = routedBackend(routes)
  const ownerOf = (table: string): ForeignEngine | undefined => {
    const owner = tables.find(({ mapping }) => mapping.name === table)
    return owner && engines.get(owner.connection)
  }
  const ask = async (): Promise<void> => {
    const away = await Promise.all(
      [...engines].map(async ([connection, engine]) => {
        try {
          await answers(engine)
          return []
        } catch (error) {
          const reason = error instanceof SluiceError ? error.message : 'the connection broke'
          return [catalogDiagnostic('is-away', { connection, reason }, nowhere)]
        }
      }),
    )
    if (away.flat().length > 0) throw new SluiceError(away.flat())
  }
  let asked: { readonly atMs: number; readonly answer: Promise<void> } | undefined
  return {
    mappings,
    definitions: catalog,
    backend,
    engine: (more = {}) => createEngine({ ...more, backends: [backend], catalog }),
    nameOf: (table) => ownerOf(table)?.name,
    explain: async (table, { sql, parameters }) => {
      // The cast is safe, since the compilers of this catalog made the statement's parameters.
      return ownerOf(table)?.explain({ sql, parameters: parameters as readonly SqlParameter[], forms: [] }) ?? []
    },
    samples: (engine) => {
      const found = mappings.flatMap(({ name, domain }): readonly SeriesTable[] => {
        const given = series.get(name)
        if (domain !== 'metrics' && given === undefined) return []
        return [{ table: name, nameField: given?.name ?? METRIC_NAME, valueField: given?.value ?? 'value' }]
      })
      return found.length === 0 ? undefined : new TableSamples(engine, found)
    },
    ping: () => {
      const nowMs = performance.now()
      if (asked === undefined || nowMs - asked.atMs > POLL_MS) asked = { atMs: nowMs, answer: ask() }
      return asked.answer
    },
    close: () => closeAll(engines),
  }
}
