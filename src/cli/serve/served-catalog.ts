import type { Engine } from '../../engine/index.ts'
import type { Logger, ServedOpener } from '../../server/index.ts'
import type { SampleSource } from '../../store/index.ts'
import { openCatalogSession } from '../catalog-file.ts'
import type { Terminal } from '../terminal.ts'
import { openerOf } from './catalog-opener.ts'
import { CatalogProcesses } from './catalog-processes.ts'

export interface ServedCatalogOptions {
  readonly requirePushdown: number | undefined
  readonly adviceMs: number
  /** Number of query threads; with 0, queries run in the calling thread. */
  readonly workers: number
  /** Memory limit of each database process, bytes. */
  readonly memoryBytes: number
  readonly log: Logger
}

/** A catalog for `createServer`. */
export interface OpenedCatalog {
  readonly served: {
    readonly engine: Engine
    readonly samples?: SampleSource
    readonly readiness: () => Promise<void>
    readonly opener?: ServedOpener
  }
  close(): Promise<void>
}

/** Opens a catalog for this thread, with an opener for query threads. Rejects as `openCatalogSession` does. */
export async function openServedCatalog(
  path: string,
  { requirePushdown, adviceMs, workers, memoryBytes, log }: ServedCatalogOptions,
  terminal: Terminal,
): Promise<OpenedCatalog> {
  const processes = new CatalogProcesses({ memoryBytes, log })
  const counted = workers === 0 ? undefined : workers
  try {
    const { open } = processes
    const how = { requirePushdown, adviceMs, workers: counted, open }
    const { engine, catalog, close } = await openCatalogSession(path, how, terminal)
    const samples = catalog.samples(engine)
    const { sockets } = processes
    const { mappings } = catalog
    return {
      served: {
        engine,
        readiness: () => catalog.ping(),
        ...(samples === undefined ? {} : { samples }),
        ...(workers === 0
          ? {}
          : { opener: openerOf(path, { requirePushdown, adviceMs, workers, sockets, mappings }, terminal) }),
      },
      close: async () => {
        await close()
        await processes.close()
      },
    }
  } catch (error) {
    await processes.close()
    throw error
  }
}
