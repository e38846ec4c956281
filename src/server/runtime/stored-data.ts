import { SluiceError } from '../../base/index.ts'
import { FileReaders, type TablePersister } from '../../store/persistence/index.ts'
import { newTenant } from '../backends/tenant.ts'
import { openDataFolder, type DataFolder } from '../data-folder/data-folder.ts'
import {
  tablePersister,
  loadInto,
  memoryRetention,
  readBackInto,
  storeMemory,
  type ReadBack,
} from '../data-folder/table-persister.ts'
import type { StoreFigures } from '../data-folder/store-gauges.ts'
import { createDeleter, type DeletionService } from '../deletion/deleter.ts'
import type { MemoryRetention } from '../ingest/memory-retention.ts'
import { DROPPED, droppedRows, type StoreMemory } from '../ingest/store-memory.ts'
import type { ServerSetup } from './server-setup.ts'

/** True for an error which shows that files of the folder have been damaged. */
function isDamage(error: unknown): boolean {
  return error instanceof SluiceError && (error.code === 'durable/damaged' || error.code === 'durable/missing')
}

/** Stored data of a server: the data folder, and the tables that this thread owns. */
export class StoredData {
  readonly #setup: ServerSetup
  readonly #readers = new FileReaders()
  #folder: DataFolder | undefined
  #persister: TablePersister | undefined
  #damage: unknown
  #memory: StoreMemory | undefined
  #retention: MemoryRetention | undefined
  #endRetention: (() => void) | undefined

  private constructor(setup: ServerSetup) {
    this.#setup = setup
  }

  /** Opens the data. For a damaged folder, `isDamaged` is true. Rejects with a SluiceError for an unusable folder. */
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

  /** Data folder; `undefined` if there is none, and if it is damaged. */
  get folder(): DataFolder | undefined {
    return this.#folder
  }

  /** Writes rows to the data folder; `undefined` if there is none, or if another thread owns the tables. */
  get persister(): TablePersister | undefined {
    return this.#persister
  }

  get memory(): StoreMemory | undefined {
    return this.#memory
  }

  get isDamaged(): boolean {
    return this.#damage !== undefined
  }

  /** True if another thread owns the tables. A damaged folder is not opened in another thread. */
  get needsThread(): boolean {
    return this.#setup.workers > 0 && this.#setup.isOurs && !this.isDamaged
  }

  /** Must be called before a query reads files. The returned function must be called when the query has ended. */
  readonly beginRead = (): (() => void) => this.#readers.begin()

  /** Puts the server into a state in which it only answers health checks. */
  readonly refuse = (error: unknown): void => {
    this.#damage = error
    const reported = error instanceof SluiceError ? error.diagnostics : []
    this.#setup.log.error(
      {
        codes: reported.map(({ code }) => code),
        reasons: reported.length === 0 ? [String(error)] : reported.map(({ message }) => message),
      },
      'the data folder cannot be read whole; nothing is served but health',
    )
  }

  /** Replays the log. Rejects if the folder is damaged. */
  async readBack(): Promise<ReadBack> {
    if (this.isDamaged) throw this.#damage
    return readBackInto(this.#held)
  }

  /** Loads the rows of the setting `load`, which are never stored. */
  async load(): Promise<void> {
    const { load } = this.#setup.settings
    if (load === undefined) return
    await loadInto(this.#held, { module: load.module.href, data: load.data }, (message) => load.onMessage?.(message))
  }

  /**
   * Returns a service that deletes rows in this thread; `undefined` if stores belong to the caller or the folder is
   * damaged.
   */
  deleter(): DeletionService | undefined {
    const { isOurs, stores, settings } = this.#setup
    if (!isOurs || this.isDamaged) return undefined
    return createDeleter({
      targets: stores,
      engineOver: (target) => newTenant(settings.clock, target).engine,
      persister: this.#persister,
      onChange: () => undefined,
      beginRead: this.beginRead,
    })
  }

  note(figures: StoreFigures): void {
    figures.note(this.#persister, this.#memory, this.#retention)
  }

  endRetention(): void {
    this.#endRetention?.()
  }

  async close(): Promise<void> {
    await this.#persister?.close()
    await this.#folder?.close()
  }

  get #held(): Parameters<typeof readBackInto>[0] {
    return { targets: this.#setup.stores, batches: this.#folder?.batches, persister: this.#persister }
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
    this.#persister = tablePersister({
      ...this.#folder,
      ...keeping,
      targets: stores,
      readers: this.#readers,
      keepsSegments: isOurs,
      nowNs,
      onChange: () => undefined,
      onFailure: (error) => log.error({ error }, 'a segment could not be kept, or was mended; nothing is lost'),
    })
  }

  /** Limits the memory and age of the data in this thread's backends. */
  #limit(): void {
    const { keeping, stores, log, isOurs, nowNs } = this.#setup
    this.#memory = storeMemory(keeping, stores, this.#persister, (dropped) => log.error(droppedRows(dropped), DROPPED))
    if (this.needsThread || !isOurs) return
    this.#retention = memoryRetention(keeping, stores, this.#persister, nowNs)
    this.#endRetention = this.#retention?.start(() => undefined)
  }
}
