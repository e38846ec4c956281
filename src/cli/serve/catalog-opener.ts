import { dirname } from 'node:path'
import type { TableMapping } from '../../backends/sql/index.ts'
import type { ServedOpener } from '../../server/index.ts'
import { readCatalogFile } from '../catalog-file.ts'
import type { Terminal } from '../terminal.ts'
import type { Sockets } from './catalog-processes.ts'
import { moduleBeside } from '../../system/index.ts'

/** A catalog as the threads of `serve --catalog` open it. */
export interface ServedCatalog {
  readonly text: string
  readonly folder: string
  /** Environment variables with users and passwords. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Time of rows without one, the same in all threads. */
  readonly nowNs: bigint
  readonly requirePushdown: number | undefined
  readonly adviceMs: number
  /** Number of threads that run queries. */
  readonly workers: number
  /** Sockets by connection name. */
  readonly sockets: Sockets
  /**
   * Mappings that the first thread found: all threads see the same, and none has to look at thousands of files again.
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
