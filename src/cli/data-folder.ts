import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DocumentStore } from '../resources/index.ts'
import type { DurableStore } from '../store/durable/index.ts'
import { CommandError } from './terminal.ts'

/** Where a data folder has its monitors, silences and policies. */
export const RESOURCES_FILE = 'resources.db'

/** Opens the monitors, silences and policies of a data folder that is there; without a folder they are forgotten. */
export async function openResources(folder: string | undefined, nowNs: () => bigint): Promise<DocumentStore> {
  const { createMemoryDocumentStore, openSqliteDocumentStore } = await import('../resources/index.ts')
  if (folder === undefined) return createMemoryDocumentStore(nowNs)
  return openSqliteDocumentStore(join(folder, RESOURCES_FILE), nowNs)
}

/** Opens the batch log of a data folder, which is made when it is not there. */
export async function openDataFolder(folder: string): Promise<DurableStore> {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    throw new CommandError(
      `The folder ${folder} cannot be made: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  const { openBatchLog } = await import('../store/durable/index.ts')
  return openBatchLog(join(folder, 'batches.db'))
}
