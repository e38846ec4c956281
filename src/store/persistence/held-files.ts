import { join } from 'node:path'
import { errorCode } from '../../base/index.ts'
import type { Files, ManifestState } from '../durable/index.ts'
import { PooledFiles } from '../segments/index.ts'
import { backendFolder, fileNamesOf } from './folders.ts'

/** The open files of a folder to which another process may write. */
export interface HeldFiles {
  readonly pool: PooledFiles
  /** The names of files that the manifest names but that do not exist. */
  readonly missing: readonly string[]
}

/**
 * Opens every file that the manifest names. An open file stays readable after its writer has removed it. The caller
 * must call `pool.closeAll`. If the system limits the number of open files, the remaining files are opened when they
 * are read.
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
          // A file that cannot be opened for another reason fails when it is read, with an error that names it.
          if (code === 'ENOENT') missing.push(name)
        }
    return { pool, missing }
  } catch (error) {
    pool.closeAll()
    throw error
  }
}
