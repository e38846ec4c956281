import { formatRfc3339 } from '../../base/index.ts'
import { beginDeletion, endDeletion, type Actor, type DocumentStore } from '../../resources/index.ts'
import type { DeleteRequest, DeletionService } from './deleter.ts'

/** Deletes rows and leaves a record of it. */
export interface AuditedDeletions {
  /** The number of rows, and the id of the record; counting leaves none. */
  delete(request: DeleteRequest, actor: Actor): Promise<{ readonly rows: number; readonly id: string | undefined }>
}

/** The audit has each deletion before a row is gone, and how many there were when all are. */
export function auditedDeletions(
  deleter: DeletionService,
  store: DocumentStore,
  makeId: () => string,
): AuditedDeletions {
  return {
    delete: async (request, actor) => {
      if (request.mode !== 'delete') return { rows: await deleter.delete(request), id: undefined }
      // What cannot be read is not begun.
      await deleter.delete({ ...request, mode: 'check' })
      const { table, where, range } = request
      const id = makeId()
      const [start, end] = [formatRfc3339(range.startNs, true), formatRfc3339(range.endNs, true)]
      await beginDeletion(store, actor, id, { table, where, start, end })
      const rows = await deleter.delete(request)
      await endDeletion(store, actor, id, rows)
      return { rows, id }
    },
  }
}
