import { CommandError } from '../base/index.ts'
import type { Backend } from '../backends/index.ts'
import type { Tables } from '../backends/columnar/index.ts'
import type { RecordTableDefinition, Table } from '../plan/index.ts'
import { Planner, createEngine, type Engine, type LintPolicy } from '../engine/index.ts'
import { standardFunctions } from '../functions/index.ts'
import { createMemoryStore, standardCatalog } from '../store/index.ts'
import type { FileTableOptions, StreamTableOptions } from '../sources/files/index.ts'
import type { Terminal } from './terminal.ts'

export const backendNames = ['columnar', 'rows', 'sqlite'] as const
export type BackendName = (typeof backendNames)[number]

export interface Session {
  readonly engine: Engine
  close(): Promise<void>
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

/** An engine over tables; other backends than columnar get a copy of their rows. */
export async function openSession(
  tables: Tables,
  backendName: BackendName,
  terminal: Terminal,
  lint: LintPolicy,
): Promise<Session> {
  const { backend, close } = await openBackend(backendName, tables)
  const backends = [backend]
  if (backendName === 'sqlite') backends.push((await openBackend('columnar', tables)).backend)
  const engine = createEngine({
    backends,
    lint,
    clock: { nowMs: () => terminal.nowMs(), nowNs: () => terminal.nowNs() },
  })
  return { engine, close }
}

function definitionOf(name: string): RecordTableDefinition {
  const definition = standardCatalog.tables.get(name)
  if (definition === undefined) throw new CommandError(`There is no table ${name}.`)
  return definition
}

/** The standard tables, of which one is files; `close` ends what reads them. */
export async function fileTables(
  name: string,
  options: Omit<FileTableOptions, 'definition'>,
): Promise<Tables & { readonly close: () => Promise<void> }> {
  const { tables } = createMemoryStore(standardCatalog)
  const definition = definitionOf(name)
  const { FileTable } = await import('../sources/files/index.ts')
  const files = new FileTable({ ...options, definition })
  return { tables: new Map<string, Table>([...tables, [name, files]]), close: () => files.close() }
}

/** The standard tables, of which one is read as it comes. */
export async function streamTables(name: string, options: Omit<StreamTableOptions, 'definition'>): Promise<Tables> {
  const { tables } = createMemoryStore(standardCatalog)
  const { StreamTable } = await import('../sources/files/index.ts')
  return {
    tables: new Map<string, Table>([
      ...tables,
      [name, new StreamTable({ ...options, definition: definitionOf(name) })],
    ]),
  }
}

/** Reads and plans query texts; runs nothing. */
export function planner(terminal: Terminal, lint: LintPolicy): Planner {
  return new Planner({ lint, clock: { nowMs: () => terminal.nowMs(), nowNs: () => terminal.nowNs() } })
}

/** For commands that only read query texts. */
export async function textSession(terminal: Terminal): Promise<Session> {
  return openSession(createMemoryStore(standardCatalog), 'columnar', terminal, 'warn')
}
