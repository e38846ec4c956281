import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { SluiceError, nowhere } from '../base/index.ts'
import { createMemoryDocumentStore, openSqliteDocumentStore, type DocumentStore } from '../resources/index.ts'
import type { DurableStore } from '../store/durable/index.ts'
import { setupDiagnostic } from './setup-diagnostics.ts'

/** Where a data folder has its monitors, silences and policies. */
export const RESOURCES_FILE = 'resources.db'

/** Opens the monitors, silences and policies of a data folder that is there; without a folder they are forgotten. */
export async function openResources(folder: string | undefined, nowNs: () => bigint): Promise<DocumentStore> {
  if (folder === undefined) return createMemoryDocumentStore(nowNs)
  return openSqliteDocumentStore(join(folder, RESOURCES_FILE), nowNs)
}

/** Opens the batch log of a data folder, which is made when it is not there. Throws a SluiceError when it cannot be. */
export async function openDataFolder(folder: string): Promise<DurableStore> {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SluiceError([setupDiagnostic('no-data-folder', { folder, reason }, nowhere)])
  }
  const { openBatchLog } = await import('../store/durable/index.ts')
  return openBatchLog(join(folder, 'batches.db'))
}
