import type { SavedQueries } from '../wire/index.ts'
import type { Actor, DocumentStore, StoredDocument, VersionCheck } from './document-store.ts'
import { userId } from './policies/user-policies.ts'

/** The saved queries of each user. A key without a user has its own list. */
export interface SavedQueryService {
  read(actor: Actor): SavedQueries
  replace(actor: Actor, queries: SavedQueries, check: VersionCheck<SavedQueries>): Promise<SavedQueries>
}

function idOf({ by, email }: Actor): string {
  return email === undefined ? `key ${by}` : `user ${userId(email)}`
}

function queriesOf(document: StoredDocument | undefined): SavedQueries {
  return (document?.body ?? { queries: [] }) as unknown as SavedQueries
}

/** Returns the service for saved queries in a store. */
export function createSavedQueryService(store: DocumentStore): SavedQueryService {
  return {
    read: (actor) => queriesOf(store.read(actor.backend, (view) => view.get('saved-queries', idOf(actor)))),
    replace: async (actor, { queries }, check) => {
      const stored = await store.write(actor, (tx) => {
        check(queriesOf(tx.get('saved-queries', idOf(actor))))
        return tx.put('saved-queries', idOf(actor), { queries })
      })
      return queriesOf(stored)
    },
  }
}
