import {
  openEngine,
  startEngineProcess,
  type EngineAddress,
  type EngineProcess,
  type ForeignEngine,
} from '../../backends/sql/index.ts'
import type { Logger } from '../../server/index.ts'

export interface CatalogProcessesOptions {
  /** Memory limit of each database, over all its statements, bytes. */
  readonly memoryBytes: number
  readonly log: Logger
}

/** Sockets of databases with a process of their own, by connection name. */
export type Sockets = ReadonlyMap<string, string>

/**
 * Memory ceiling of a database process: its database's limit times this factor, plus `BESIDE_BYTES`. The excess is for
 * the program and for batches in flight.
 */
const BESIDE_TIMES = 1.25
const BESIDE_BYTES = 768 * 2 ** 20
/** Maximum temporary disk space, as a multiple of the memory limit. */
const SCRATCH_TIMES = 4

/**
 * Runs each DuckDB database in a process of its own, which all threads call. A DuckDB file can be open only once, and
 * terminating a thread that has it open would end the whole process.
 */
export class CatalogProcesses {
  readonly #options: CatalogProcessesOptions
  readonly #processes = new Map<string, EngineProcess>()

  constructor(options: CatalogProcessesOptions) {
    this.#options = options
  }

  /** Sockets of the databases by connection name. */
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

/** Returns a function that opens the databases through these sockets, for other threads. */
export function openerOver(sockets: Sockets): CatalogProcesses['open'] {
  return (address, connection) => openEngine({ ...address, socket: sockets.get(connection) })
}
