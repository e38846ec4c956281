import { inTurns, present } from '../../base/index.ts'
import { countBits } from '../../data/index.ts'
import type { Engine } from '../../engine/index.ts'
import { deleteInMemory, type KeptTables } from '../../store/kept/index.ts'
import { diskFault } from '../disk-fault.ts'
import type { IngestTarget } from '../ingest/decoder.ts'
import { ONLY_BACKEND } from '../ingest/ingest-service.ts'
import { rowFinder, type RowChoice } from './find-rows.ts'

export interface DeleteRequest extends RowChoice {
  /** The backend by id; `undefined` where there is only one. */
  readonly backend: string | undefined
  /** `check` looks whether the choice can be read and gives 0, `count` counts its rows, `delete` takes them out. */
  readonly mode: 'check' | 'count' | 'delete'
}

/** Takes rows out for ever. */
export interface DeletionService {
  /**
   * The number of rows; once it resolves they are in no answer, nothing brings them back, and what is on the disk of them leaves.
   * Rejects with a SluiceError for filters that cannot be read, and where the disk or its damage prevents it.
   */
  delete(request: DeleteRequest): Promise<number>
}

export interface DeleterOptions {
  /** Over the target of a backend. */
  readonly engineOver: (target: IngestTarget) => Engine
  readonly targets: ReadonlyMap<string, IngestTarget>
  /** `undefined` where nothing is kept in files. */
  readonly kept: Pick<KeptTables, 'delete'> | undefined
  /** Told when rows are gone. */
  readonly onChange: () => void
}

/** Deletes in the thread that has the rows, one request after the other. */
export function createDeleter({ targets, engineOver, kept, onChange }: DeleterOptions): DeletionService {
  let last: Promise<unknown> = Promise.resolve()
  return {
    delete: async ({ backend, mode, ...choice }) => {
      const [first] = targets.values()
      const target = present(backend === undefined ? first : targets.get(backend), 'a backend')
      const table = target.store.table(choice.table)
      const find = rowFinder(engineOver(target), target.store.tables, choice)
      if (mode === 'check') return 0
      if (mode === 'count') {
        let rows = 0
        for (const gone of (await inTurns(find(table.snapshot()))).values()) rows += countBits(gone)
        return rows
      }
      const deleted = last.then(() =>
        kept === undefined ? deleteInMemory(table, find) : kept.delete(backend ?? ONLY_BACKEND, choice.table, find),
      )
      last = deleted.catch(() => undefined)
      let rows: number
      try {
        rows = await deleted
      } catch (error) {
        throw diskFault(error)
      }
      onChange()
      return rows
    },
  }
}
