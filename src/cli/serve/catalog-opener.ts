import { dirname } from 'node:path'
import type { TableMapping } from '../../backends/sql/index.ts'
import type { ServedOpener } from '../../server/index.ts'
import { readCatalogFile } from '../catalog-file.ts'
import type { Terminal } from '../terminal.ts'
import type { Sockets } from './catalog-processes.ts'
import { moduleBeside } from '../../system/index.ts'

/** Everything that a thread of `serve --catalog` needs to open the catalog. It can be posted to a thread. */
export interface ServedCatalog {
  readonly text: string
  readonly folder: string
  /** Environment variables that contain users and passwords of databases. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Time of rows that have none; the same in all threads. */
  readonly nowNs: bigint
  readonly requirePushdown: number | undefined
  readonly adviceMs: number
  /** Number of threads that run queries. */
  readonly workers: number
  /** Sockets by connection name. */
  readonly sockets: Sockets
  /**
   * Table mappings that the first thread has inferred. The other threads reuse them: inferring may inspect thousands of
   * files.
   */
  readonly mappings: readonly TableMapping[]
}

/** Opens the catalog in a query thread. */
export function openerOf(
  path: string,
  options: Pick<ServedCatalog, 'requirePushdown' | 'adviceMs' | 'workers' | 'sockets' | 'mappings'>,
  terminal: Terminal,
): ServedOpener {
  const data: ServedCatalog = {
    ...options,
    text: readCatalogFile(path),
    folder: dirname(path),
    env: { ...terminal.env },
    nowNs: terminal.nowNs(),
  }
  return { module: moduleBeside(import.meta.url, 'open-catalog'), data }
}
