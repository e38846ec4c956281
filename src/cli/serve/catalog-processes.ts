import {
  openEngine,
  startEngineProcess,
  type EngineAddress,
  type EngineProcess,
  type ForeignEngine,
} from '../../backends/sql/index.ts'
import type { Logger } from '../../server/index.ts'

export interface CatalogProcessesOptions {
  /** What each of the databases may hold in memory for all its statements, bytes. */
  readonly memoryBytes: number
  readonly log: Logger
}

/** Where databases listen that have processes of their own, by the names of their connections. */
export type Sockets = ReadonlyMap<string, string>

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

  constructor(options: CatalogProcessesOptions) {
    this.#options = options
  }

  /** Where the databases of connections listen, by the names of these. */
  get sockets(): Sockets {
    return new Map(Array.from(this.#processes, ([name, { socket }]) => [name, socket]))
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
    return openEngine({ ...address, socket: started.socket })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#processes.values()].map((each) => each.close()))
  }
}

/** Opens databases in another thread, those that have a process by its socket. */
export function openerOver(sockets: Sockets): CatalogProcesses['open'] {
  return (address, connection) => openEngine({ ...address, socket: sockets.get(connection) })
}
