import type { Backend } from '../backends/index.ts'
import { createEngine, type Engine, type LintPolicy } from '../engine/index.ts'
import { standardFunctions } from '../functions/index.ts'
import { createMemoryStore, standardCatalog, type MemoryStore, type MemoryTableOptions } from '../store/index.ts'
import { CommandError, type Terminal } from './terminal.ts'

export const backendNames = ['columnar', 'rows', 'sqlite'] as const

export interface Session {
  readonly store: MemoryStore
  readonly engine: Engine
  close(): Promise<void>
}

interface OpenBackend {
  readonly backend: Backend
  readonly close: () => Promise<void>
}

async function openBackend(name: string, store: MemoryStore): Promise<OpenBackend> {
  switch (name) {
    case 'columnar': {
      const { columnarBackend } = await import('../backends/columnar/index.ts')
      return { backend: columnarBackend(store, standardFunctions), close: async () => {} }
    }
    case 'rows':
    case 'sqlite':
      return (await import('./copied-backends.ts')).copiedBackend(name, store)
    default:
      throw new CommandError(`There is no backend ${name}; there are ${backendNames.join(', ')}.`)
  }
}

/** An engine over a store that is loaded already; other backends than columnar get a copy of its rows. */
export async function openSession(
  store: MemoryStore,
  backendName: string,
  terminal: Terminal,
  lint: LintPolicy,
): Promise<Session> {
  const { backend, close } = await openBackend(backendName, store)
  const backends = [backend]
  if (backendName === 'sqlite') backends.push((await openBackend('columnar', store)).backend)
  const engine = createEngine({
    backends,
    lint,
    clock: { nowMs: () => terminal.nowMs(), nowNs: () => terminal.nowNs() },
  })
  return { store, engine, close }
}

/** A store for a session; one-off queries pass what they need of it. */
export function emptyStore(options: MemoryTableOptions = {}): MemoryStore {
  return createMemoryStore(standardCatalog, options)
}

/** For commands that only read query texts. */
export async function textSession(terminal: Terminal): Promise<Session> {
  return openSession(emptyStore(), 'columnar', terminal, 'warn')
}
