import { runCooperatively, present } from '../../base/index.ts'
import { countBits } from '../../data/index.ts'
import type { Engine } from '../../engine/index.ts'
import { matchersOfSelector } from '../../lang/promql/index.ts'
import { countChosen, msRange, samplesTable } from '../../store/index.ts'
import { deleteInMemory, type TablePersister } from '../../store/persistence/index.ts'
import { diskFault } from '../errors/disk-fault.ts'
import type { IngestTarget } from '../ingest/decoder.ts'
import { ONLY_BACKEND } from '../ingest/ingest-service.ts'
import { rowFinder, type RowChoice } from './find-rows.ts'

export interface DeleteRequest extends RowChoice {
  /** Id of the backend; `undefined` if there is only one. */
  readonly backend: string | undefined
  /** `check` validates the selection and returns 0, `count` counts the selected rows, `delete` deletes them. */
  readonly mode: 'check' | 'count' | 'delete'
}

/** Deletes rows permanently. */
export interface DeletionService {
  /**
   * Returns the number of rows. After a deletion resolves, its rows are in no answer, cannot come back, and are removed
   * from disk. Rejects with a SluiceError if a filter is invalid, or if a disk error or damaged data prevents the
   * deletion.
   */
  delete(request: DeleteRequest): Promise<number>
}

export interface DeleterOptions {
  /** Makes an engine over the target of a backend. */
  readonly engineOver: (target: IngestTarget) => Engine
  readonly targets: ReadonlyMap<string, IngestTarget>
  /** Files from which rows are deleted; `undefined` without files. */
  readonly persister: Pick<TablePersister, 'delete' | 'deleteSamples'> | undefined
  /** Called after rows were deleted. */
  readonly onChange: () => void
  /** Called before rows are counted. The returned function is called after the count. */
  readonly beginRead?: (() => () => void) | undefined
}

/** Deletes rows in the thread that owns them. Requests run one after the other. */
export function createDeleter({
  targets,
  engineOver,
  persister,
  onChange,
  beginRead,
}: DeleterOptions): DeletionService {
  let last: Promise<unknown> = Promise.resolve()
  const inOrder = async (remove: () => Promise<number>): Promise<number> => {
    const deleted = last.then(remove)
    last = deleted.catch(() => undefined)
    let rows: number
    try {
      rows = await deleted
    } catch (error) {
      throw diskFault(error)
    }
    onChange()
    return rows
  }
  const counted = async (count: () => Promise<number>): Promise<number> => {
    const end = beginRead?.()
    try {
      return await count()
    } finally {
      end?.()
    }
  }
  const samplesOf = async ({ samples, packer }: IngestTarget, { backend, mode, where, range }: DeleteRequest) => {
    const choice = { matchers: matchersOfSelector(where), ...msRange(range) }
    if (mode === 'check') return 0
    if (mode === 'count') return counted(() => runCooperatively(countChosen(samples, choice)))
    return inOrder(() =>
      persister === undefined
        ? runCooperatively(present(packer, 'a packer').remove(choice))
        : persister.deleteSamples(backend ?? ONLY_BACKEND, choice),
    )
  }
  return {
    delete: async (request) => {
      const { backend, mode, ...choice } = request
      const [first] = targets.values()
      const target = present(backend === undefined ? first : targets.get(backend), 'a backend')
      if (choice.table === samplesTable.name) return samplesOf(target, request)
      const table = target.store.table(choice.table)
      const find = rowFinder(engineOver(target), target.store.tables, choice)
      if (mode === 'check') return 0
      if (mode === 'count')
        return counted(async () => {
          let rows = 0
          for (const gone of (await find(table.view.snapshot())).values()) rows += countBits(gone)
          return rows
        })
      return inOrder(() =>
        persister === undefined
          ? deleteInMemory(table, find)
          : persister.delete(backend ?? ONLY_BACKEND, choice.table, find),
      )
    },
  }
}
