import { openDataFolder } from '../../../src/server/index.ts'
import type { DurableStore } from '../../../src/store/durable/index.ts'

/** Opens the batch log of a data folder; `close` closes the whole folder. */
export async function openBatches(folder: string): Promise<DurableStore> {
  const { batches, close } = await openDataFolder(folder, () => 0n)
  return { append: (batch) => batches.append(batch), replay: () => batches.replay(), close }
}
