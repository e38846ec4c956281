import { deleteRows, deletedRows, errorResponse } from '../../wire/index.ts'
import type { DeleteRequest } from '../deletion/deleter.ts'
import { fault } from '../errors/http-fault.ts'
import { actorOf } from '../resources/actor.ts'
import { json } from '../http/respond.ts'
import { defineRoute } from './definition/route.ts'

/** Not marked as a query, so that a busy server does not delay it. */
export const deleteRowsRoute = defineRoute({
  name: 'deleteRows',
  method: 'POST',
  path: '/api/rows/delete',
  summary: 'Delete rows permanently, or count the rows that would be deleted',
  role: 'admin',
  body: deleteRows,
  answers: [
    { status: 200, description: 'Number of rows deleted or counted.', schema: deletedRows },
    {
      status: 507,
      description: 'The disk is too full to rewrite the remaining files; send the request again later.',
      schema: errorResponse,
    },
  ],
  isQuery: false,
  isAvailable: ({ deletions }) => deletions !== undefined,
  handle: async ({ body, identity, context, caller }) => {
    const { deletions } = context
    if (deletions === undefined) throw fault('not-found', { what: 'path' })
    if (identity.scope !== undefined) throw fault('delete-under-scope', {})
    const { table, where, start, end, write } = body
    caller.readsText('where', where)
    const request: DeleteRequest = {
      backend: identity.backend,
      table,
      where,
      range: { startNs: start, endNs: end },
      nowNs: BigInt(context.clock.nowMs()) * 1_000_000n,
      mode: write ? 'delete' : 'count',
    }
    const { rows, id } = await deletions.delete(request, actorOf(identity))
    return json({ rows, deleted: write, ...(id === undefined ? {} : { id }) })
  },
})
