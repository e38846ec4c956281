import { MAX_NS, MIN_NS, formatRfc3339, type Interval } from '../../base/index.ts'
import { beginDeletion, endDeletion, type Actor, type DocumentStore } from '../../resources/index.ts'
import type { DeleteRequest, DeletionService } from './deleter.ts'

/** Deletes rows with an audit record. */
export interface AuditedDeletions {
  /**
   * Deletes rows. Returns their number and the id of the audit record. A request that only counts rows creates no
   * record.
   */
  delete(request: DeleteRequest, actor: Actor): Promise<{ readonly rows: number; readonly id: string | undefined }>
}

/** Formats a time range for the audit record. */
function timesOf({ startNs, endNs }: Interval): string {
  const from = startNs === MIN_NS ? undefined : formatRfc3339(startNs, true)
  const to = endNs === MAX_NS ? undefined : formatRfc3339(endNs, true)
  if (from === undefined) return to === undefined ? 'all times' : `before ${to}`
  return to === undefined ? `from ${from} on` : `${from} to ${to}`
}

/** Writes an audit record before rows are deleted, and updates it with their number afterwards. */
export function auditedDeletions(
  deleter: DeletionService,
  store: DocumentStore,
  makeId: () => string,
): AuditedDeletions {
  return {
    delete: async (request, actor) => {
      if (request.mode !== 'delete') return { rows: await deleter.delete(request), id: undefined }
      // Validates the selection first, so that an invalid one leaves no audit record.
      await deleter.delete({ ...request, mode: 'check' })
      const { table, where, range } = request
      const id = makeId()
      const [start, end] = [formatRfc3339(range.startNs, true), formatRfc3339(range.endNs, true)]
      await beginDeletion(store, actor, id, { table, where, start, end, times: timesOf(range) })
      const rows = await deleter.delete(request)
      await endDeletion(store, actor, id, rows)
      return { rows, id }
    },
  }
}
