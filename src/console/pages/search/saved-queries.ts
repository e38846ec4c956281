import { failureOf } from '../../ask/ask-error.ts'
import type { Ask } from '../../ask/client.ts'
import { sourceOfRows } from '../../app/services.ts'
import { remembered } from '../../app/settings.ts'
import { onlyVersion } from '../../forms/stored.ts'

export interface SavedQuery {
  readonly name: string
  readonly query: string
}

type Queries = readonly SavedQuery[]

/** Saved queries of a page over files, stored in the browser. */
const ofBrowser = remembered<Queries>('saved-queries', [])

const PATH = '/api/saved-queries'

/**
 * Returns the user's saved queries, after applying `change` if given. They are stored on the server for each user, or
 * in the browser for a page over files. Rejects with AskError.
 */
export async function savedQueries(ask: Ask, change?: (before: Queries) => Queries): Promise<Queries> {
  if (sourceOfRows() === 'files') {
    if (change !== undefined) ofBrowser.value = change(ofBrowser.peek())
    return ofBrowser.peek()
  }
  const { body, etag } = await ask('json', { method: 'GET', path: PATH })
  const { queries } = body as { readonly queries: Queries }
  if (change === undefined) return queries
  const next = change(queries)
  try {
    await ask('json', { method: 'PUT', path: PATH, body: { queries: next }, headers: onlyVersion(etag) })
    return next
  } catch (error) {
    if (failureOf(error).kind !== 'stale') throw error
    // Another tab changed the list first, so the change is applied to the new list.
    return savedQueries(ask, change)
  }
}
