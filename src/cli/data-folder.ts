import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DurableStore } from '../store/durable/index.ts'
import { CommandError } from './terminal.ts'

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
