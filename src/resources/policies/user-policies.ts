import { fold } from '../../data/index.ts'
import { userNameOf } from '../../wire/index.ts'
import type { DocumentTransaction, DocumentView, StoredDocument } from '../document-store.ts'
import { defaultPolicy } from './defaults.ts'

/** Returns the document id of a user's policies: the address without differences of case and Unicode form. */
export function userId(email: string): string {
  return userNameOf(fold(userNameOf(email)))
}

function idsOf(document: StoredDocument): readonly string[] {
  const ids = document.body['policies']
  return Array.isArray(ids) ? (ids as readonly unknown[]).filter((id) => typeof id === 'string') : []
}

/** Returns the ids of policies applied to a user, deleted ones included; `undefined` if there never were any. */
export function appliedPolicies(view: DocumentView, email: string): readonly string[] | undefined {
  const found = view.get('user-policies', userId(email))
  return found === undefined ? undefined : idsOf(found)
}

/** Counts the users of each policy. */
export function userCounts(view: DocumentView): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const document of view.list('user-policies')) {
    for (const id of new Set(idsOf(document))) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}

/**
 * Adds policies to a user or, with `override`, replaces the user's policies. Applying the same policies again changes
 * nothing.
 */
export function applyPolicies(tx: DocumentTransaction, email: string, ids: readonly string[], override: boolean): void {
  const before = appliedPolicies(tx, email)
  const next = [...new Set(override ? ids : [...(before ?? []), ...ids])]
  const isSame = before !== undefined && next.length === before.length && next.every((id, i) => id === before[i])
  if (isSame || (before === undefined && next.length === 0)) return
  tx.put('user-policies', userId(email), { policies: next })
}

export function isPolicy(view: DocumentView, id: string): boolean {
  return defaultPolicy(id) !== undefined || view.get('policy', id) !== undefined
}
