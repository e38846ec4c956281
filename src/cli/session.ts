import { CommandError } from '../base/index.ts'
import type { Backend } from '../backends/index.ts'
import type { Tables } from '../backends/columnar/index.ts'
import {
  inputs,
  subqueries,
  type Catalog,
  type LogicalPlan,
  type RecordTableDefinition,
  type Table,
  type TableDefinition,
} from '../plan/index.ts'
import { Planner, createEngine, type Engine, type LintPolicy } from '../engine/index.ts'
import { standardFunctions } from '../functions/index.ts'
import { createMemoryStore, standardCatalog, tableAsSaid, type RecordOptions } from '../store/index.ts'
import type { FileTableOptions, StreamTableOptions } from '../sources/files/index.ts'
import type { NamedTable } from './options/table-option.ts'
import type { Terminal } from './terminal.ts'

export const backendNames = ['columnar', 'rows', 'sqlite'] as const
export type BackendName = (typeof backendNames)[number]

export interface Session {
  readonly engine: Engine
  readonly close: () => Promise<void>
}

/** A session with the default table of its queries. */
export interface OpenedSession extends Session {
  readonly table: string
}

interface OpenBackend {
  readonly backend: Backend
  readonly close: () => Promise<void>
}

async function openBackend(name: BackendName, tables: Tables): Promise<OpenBackend> {
  switch (name) {
    case 'columnar': {
      const { columnarBackend } = await import('../backends/columnar/index.ts')
      return { backend: columnarBackend(tables, standardFunctions), close: async () => {} }
    }
    case 'rows':
    case 'sqlite':
      return (await import('./copied-backends.ts')).copiedBackend(name, tables)
  }
}

/** Opens an engine over tables; backends other than columnar get a copy of the rows. */
export async function openSession(
  tables: Tables,
  backendName: BackendName,
  terminal: Terminal,
  lint: LintPolicy,
): Promise<Session> {
  const { backend, close } = await openBackend(backendName, tables)
  const backends = [backend]
  if (backendName === 'sqlite') backends.push((await openBackend('columnar', tables)).backend)
  const catalog = catalogWith([...tables.tables.values()].map(({ definition }) => definition))
  const engine = createEngine({
    backends,
    catalog,
    lint,
    clock: { nowMs: () => terminal.nowMs(), nowNs: () => terminal.nowNs() },
  })
  return { engine, close }
}

/**
 * Returns a standard table with the stream fields of the options. Field names in the options become aliases in queries.
 */
function definitionOf(name: string, options: RecordOptions | undefined): RecordTableDefinition {
  const definition = standardCatalog.tables.get(name)
  if (definition === undefined) throw new CommandError(`There is no table ${name}.`)
  const named = tableAsSaid(definition, options)
  const { streamFields } = options ?? {}
  return streamFields === undefined ? named : { ...named, streamFields }
}

/** Returns the table of an additional file: a standard table of that name, or else a table like `logs`. */
function namedDefinition(name: string, said: RecordOptions | undefined): RecordTableDefinition {
  const known = standardCatalog.tables.has(name) ? name : 'logs'
  return { ...definitionOf(known, said && withoutStreams(said)), name }
}

/** Returns the stream fields of a standard table. */
export function streamFieldsOf(name: string): readonly string[] {
  return standardCatalog.tables.get(name)?.streamFields ?? []
}

/** Returns the tables that a bound plan reads. */
export function tablesRead(plan: LogicalPlan): ReadonlySet<string> {
  const below = [...inputs(plan), ...subqueries(plan)].flatMap((part) => [...tablesRead(part)])
  return new Set(plan.kind === 'scan' ? [plan.table, ...below] : below)
}

/** True if a bound plan reads neighbouring rows of a stream, as `stream_context` does. */
export function readsStreams(plan: LogicalPlan): boolean {
  const isReader = plan.kind === 'table-apply' && standardFunctions.tables.get(plan.fn)?.needsStreamFields === true
  return isReader || [...inputs(plan), ...subqueries(plan)].some(readsStreams)
}

function catalogWith(definitions: readonly TableDefinition[]): Catalog {
  const own = definitions.map((definition) => [definition.name, definition] as const)
  return { ...standardCatalog, tables: new Map([...standardCatalog.tables, ...own]) }
}

/** Removes the stream fields from the options, because the table definition has them. */
function withoutStreams({ streamFields: _, ...options }: RecordOptions): RecordOptions {
  return options
}

interface OpenTables extends Tables {
  /** Stops reading. */
  readonly close: () => Promise<void>
}

/** Returns the standard tables, one of them over files. */
export async function fileTables(name: string, options: Omit<FileTableOptions, 'definition'>): Promise<OpenTables> {
  const { tables } = createMemoryStore(standardCatalog)
  const definition = definitionOf(name, options.options)
  const { FileTable } = await import('../sources/files/index.ts')
  const said = options.options && withoutStreams(options.options)
  const files = new FileTable({ ...options, options: said, definition })
  return { tables: new Map<string, Table>([...tables, [name, files]]), close: () => files.close() }
}

/** Adds named tables over files. */
export async function withNamedTables(
  { tables, close }: OpenTables,
  named: readonly NamedTable[],
  options: Omit<FileTableOptions, 'definition' | 'paths'>,
): Promise<OpenTables> {
  if (named.length === 0) return { tables, close }
  const { FileTable, namedFiles } = await import('../sources/files/index.ts')
  const said = options.options && withoutStreams(options.options)
  const files = named.map(({ name, path }) => {
    const definition = namedDefinition(name, said)
    return new FileTable({ ...options, ...namedFiles([path]), options: said, definition })
  })
  return {
    tables: new Map<string, Table>([...tables, ...files.map((table) => [table.definition.name, table] as const)]),
    close: async () => {
      for (const table of files) await table.close()
      await close()
    },
  }
}

/** Returns the standard tables, one of them over a stream. */
export async function streamTables(name: string, options: Omit<StreamTableOptions, 'definition'>): Promise<OpenTables> {
  const { tables } = createMemoryStore(standardCatalog)
  const { StreamTable } = await import('../sources/files/index.ts')
  const said = options.options && withoutStreams(options.options)
  return {
    tables: new Map<string, Table>([
      ...tables,
      [name, new StreamTable({ ...options, options: said, definition: definitionOf(name, options.options) })],
    ]),
    close: async () => {},
  }
}

/** Returns a planner for queries over a table with record options, and over named tables. The planner runs no query. */
export function planner(
  terminal: Terminal,
  lint: LintPolicy,
  table: string,
  said: RecordOptions | undefined,
  named: readonly NamedTable[] = [],
): Planner {
  const catalog = catalogWith([definitionOf(table, said), ...named.map(({ name }) => namedDefinition(name, said))])
  return new Planner({ lint, catalog, clock: { nowMs: () => terminal.nowMs(), nowNs: () => terminal.nowNs() } })
}
