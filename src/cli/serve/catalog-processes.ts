import {
  openEngine,
  rememberSources,
  startEngineProcess,
  type EngineAddress,
  type EngineProcess,
  type ForeignEngine,
  type ToldSources,
} from '../../backends/sql/index.ts'
import type { Logger } from '../../server/index.ts'

export interface CatalogProcessesOptions {
  /** What each of the databases may hold in memory for all its statements, bytes. */
  readonly memoryBytes: number
  readonly log: Logger
}

/** Where databases listen that have processes of their own, and what they have told of their sources. */
export type OpenedDatabases = ReadonlyMap<string, { readonly socket: string; readonly told: ToldSources }>

/** What a process of a database may hold beside what the database counts: a quarter more, its program and batches on their way. */
const BESIDE_TIMES = 1.25
const BESIDE_BYTES = 768 * 2 ** 20
/** What may be on the disk of what the memory cannot hold, in times of that memory. */
const SCRATCH_TIMES = 4

/**
 * The databases of a catalog that may be open only once, and never in a thread which may be ended: DuckDB takes the whole process
 * with it then. Each is in a process of its own, and all threads are callers of that.
 */
export class CatalogProcesses {
  readonly #options: CatalogProcessesOptions
  readonly #processes = new Map<string, EngineProcess>()
  readonly #told = new Map<string, ToldSources>()

  constructor(options: CatalogProcessesOptions) {
    this.#options = options
  }

  /** By the names of connections, for another thread. */
  get opened(): OpenedDatabases {
    return new Map(
      Array.from(this.#processes, ([name, { socket }]) => [name, { socket, told: this.#told.get(name) ?? new Map() }]),
    )
  }

  readonly open = async (address: EngineAddress, connection: string): Promise<ForeignEngine> => {
    if (address.name !== 'duckdb') return openEngine(address)
    const { memoryBytes, log } = this.#options
    const started = await startEngineProcess({
      address: { ...address, memoryBytes },
      ceilingBytes: memoryBytes * BESIDE_TIMES + BESIDE_BYTES,
      scratchBytes: memoryBytes * SCRATCH_TIMES,
      onLost: (why) => log.error({ connection, why }, 'the process of a database is lost'),
    })
    this.#processes.set(connection, started)
    const told: ToldSources = new Map()
    this.#told.set(connection, told)
    return rememberSources(await openEngine({ ...address, socket: started.socket }), told)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#processes.values()].map((each) => each.close()))
  }
}

/** Opens databases in another thread, those that have a process by what is told of that. */
export function openerOver(opened: OpenedDatabases): CatalogProcesses['open'] {
  return async (address, connection) => {
    const known = opened.get(connection)
    if (known === undefined) return openEngine(address)
    const { socket, told } = known
    return rememberSources(await openEngine({ ...address, socket }), told)
  }
}
