import { SluiceError } from '../../base/index.ts'
import { FileReaders, type KeptTables } from '../../store/kept/index.ts'
import { newTenant } from '../backends/tenant.ts'
import { openDataFolder, type DataFolder } from '../data-folder/data-folder.ts'
import {
  keptTables,
  loadInto,
  memoryRetention,
  readBackInto,
  storeMemory,
  type ReadBack,
} from '../data-folder/kept-tables.ts'
import type { StoreFigures } from '../data-folder/store-gauges.ts'
import { createDeleter, type DeletionService } from '../deletion/deleter.ts'
import type { MemoryRetention } from '../ingest/memory-retention.ts'
import { DROPPED, droppedRows, type StoreMemory } from '../ingest/store-memory.ts'
import type { ServerSetup } from './server-setup.ts'

/** True for a folder whose files are there and not as they were written. */
function isDamage(error: unknown): boolean {
  return error instanceof SluiceError && (error.code === 'durable/damaged' || error.code === 'durable/missing')
}

/** What a server stores: its data folder, and the tables of its backends as far as this thread has them. */
export class StoredData {
  readonly #setup: ServerSetup
  readonly #readers = new FileReaders()
  #folder: DataFolder | undefined
  #kept: KeptTables | undefined
  #damage: unknown
  #memory: StoreMemory | undefined
  #retention: MemoryRetention | undefined
  #endRetention: (() => void) | undefined

  private constructor(setup: ServerSetup) {
    this.#setup = setup
  }

  /** A damaged folder gives data that are `isDamaged`. Rejects with a SluiceError for a folder that cannot be used at all. */
  static async open(setup: ServerSetup): Promise<StoredData> {
    const data = new StoredData(setup)
    try {
      await data.#openFolder()
    } catch (error) {
      if (!isDamage(error)) throw error
      data.refuse(error)
    }
    const { folder } = data
    if (data.needsThread) await Promise.all([folder?.batches.close(), folder?.manifest.close()])
    data.#limit()
    return data
  }

  /** Undefined where nothing outlives the process, and where the folder is damaged. */
  get folder(): DataFolder | undefined {
    return this.#folder
  }

  /** Undefined without a folder, and where another thread has the tables. */
  get kept(): KeptTables | undefined {
    return this.#kept
  }

  get memory(): StoreMemory | undefined {
    return this.#memory
  }

  get isDamaged(): boolean {
    return this.#damage !== undefined
  }

  /** True where another thread has the tables: a folder that cannot be opened here is not opened by that thread. */
  get needsThread(): boolean {
    return this.#setup.workers > 0 && this.#setup.isOurs && !this.isDamaged
  }

  /** Called when a query begins that may read files; the result is called when it has ended. */
  readonly beginRead = (): (() => void) => this.#readers.begin()

  /** From now on nothing is served but health. */
  readonly refuse = (error: unknown): void => {
    this.#damage = error
    const told = error instanceof SluiceError ? error.diagnostics : []
    this.#setup.log.error(
      {
        codes: told.map(({ code }) => code),
        reasons: told.length === 0 ? [String(error)] : told.map(({ message }) => message),
      },
      'the data folder cannot be read whole; nothing is served but health',
    )
  }

  /** Replays the log. Rejects when the folder is damaged. */
  async readBack(): Promise<ReadBack> {
    if (this.isDamaged) throw this.#damage
    return readBackInto(this.#held)
  }

  /** Loads the rows of the setting `load`, beside those that are stored. */
  async load(): Promise<void> {
    const { load } = this.#setup.settings
    if (load === undefined) return
    await loadInto(this.#held, { module: load.module.href, data: load.data }, (message) => load.told?.(message))
  }

  /** Deletes rows in this thread; undefined where the caller has the stores, or the folder is damaged. */
  deleter(): DeletionService | undefined {
    const { isOurs, stores, settings } = this.#setup
    if (!isOurs || this.isDamaged) return undefined
    return createDeleter({
      targets: stores,
      engineOver: (target) => newTenant(settings.clock, target).engine,
      kept: this.#kept,
      onChange: () => undefined,
      beginRead: this.beginRead,
    })
  }

  note(figures: StoreFigures): void {
    figures.note(this.#kept, this.#memory, this.#retention)
  }

  endRetention(): void {
    this.#endRetention?.()
  }

  async close(): Promise<void> {
    await this.#kept?.close()
    await this.#folder?.close()
  }

  get #held(): Parameters<typeof readBackInto>[0] {
    return { targets: this.#setup.stores, batches: this.#folder?.batches, kept: this.#kept }
  }

  async #openFolder(): Promise<void> {
    const { settings, log, nowNs, keeping, stores, isOurs } = this.#setup
    if (settings.data === undefined) return
    this.#folder = await openDataFolder(settings.data, nowNs, {
      onFailure: (error) => log.error({ error }, 'the log of changes could not be written anew; it goes on as it is'),
      diskReserveBytes: settings.diskReserveBytes,
    })
    for (const notice of this.#folder.notices) log.error({ notice }, 'the data folder was put right; nothing is lost')
    if (this.needsThread) return
    this.#kept = keptTables({
      ...this.#folder,
      ...keeping,
      targets: stores,
      readers: this.#readers,
      keeps: isOurs,
      nowNs,
      onChange: () => undefined,
      onFailure: (error) => log.error({ error }, 'a segment could not be kept, or was mended; nothing is lost'),
    })
  }

  /** Bounds what backends of this thread hold, by bytes and by age. */
  #limit(): void {
    const { keeping, stores, log, isOurs, nowNs } = this.#setup
    this.#memory = storeMemory(keeping, stores, this.#kept, (dropped) => log.error(droppedRows(dropped), DROPPED))
    if (this.needsThread || !isOurs) return
    this.#retention = memoryRetention(keeping, stores, this.#kept, nowNs)
    this.#endRetention = this.#retention?.start(() => undefined)
  }
}
