import { dirname } from 'node:path'
import type { TableMapping } from '../../backends/sql/index.ts'
import type { ServedOpener } from '../../server/index.ts'
import { readCatalogFile } from '../catalog-file.ts'
import type { Terminal } from '../terminal.ts'
import type { Sockets } from './catalog-processes.ts'
import { moduleBeside } from '../../system/index.ts'

/** A catalog as each thread of `serve --catalog` opens it. */
export interface ServedCatalog {
  readonly text: string
  readonly folder: string
  /** Where users and passwords are looked up. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The time of rows that have none, the same in all threads. */
  readonly nowNs: bigint
  readonly requirePushdown: number | undefined
  readonly adviceMs: number
  /** How many threads answer queries over it. */
  readonly workers: number
  /** By the names of connections. */
  readonly sockets: Sockets
  /** How the tables are seen, as the first thread has found: so all see the same, and none waits for a look at thousands of files. */
  readonly mappings: readonly TableMapping[]
}

/** How a thread that answers queries opens the catalog for itself. */
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
