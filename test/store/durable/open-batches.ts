import { openDataFolder } from '../../../src/server/index.ts'
import type { DurableStore } from '../../../src/store/durable/index.ts'

/** The batches of a data folder; `close` closes all of it. */
export async function openBatches(folder: string): Promise<DurableStore> {
  const { batches, close } = await openDataFolder(folder, () => 0n)
  return { append: (batch) => batches.append(batch), replay: () => batches.replay(), close }
}
