import { join } from 'node:path'
import { errorCode } from '../../base/index.ts'
import type { Files, ManifestState } from '../durable/index.ts'
import { PooledFiles } from '../segments/index.ts'
import { backendFolder, fileNamesOf } from './folders.ts'

/** Files of a folder that another process may write to, open for as long as they are read. */
export interface HeldFiles {
  readonly pool: PooledFiles
  /** Names of those that are not there. */
  readonly missing: readonly string[]
}

/**
 * Opens every file that a manifest names, so that it can be read when its writer has put others in its place and taken its name away. To
 * be closed by `pool.closeAll`. Where the system lets only some be open, the others are opened when they are read.
 */
export function holdFiles(files: Files, folder: string, { tables }: Pick<ManifestState, 'tables'>): HeldFiles {
  const pool = new PooledFiles(files)
  const missing: string[] = []
  try {
    for (const table of tables.values())
      for (const name of fileNamesOf(table))
        try {
          if (!pool.hold(join(backendFolder(folder, table.backend), name))) return { pool, missing }
        } catch (error) {
          const code = errorCode(error)
          if (code === undefined) throw error
          // Another file that cannot be opened costs what reads it, by its name.
          if (code === 'ENOENT') missing.push(name)
        }
    return { pool, missing }
  } catch (error) {
    pool.closeAll()
    throw error
  }
}
