import type { DocumentBody, DocumentStore } from '../document-store.ts'
import { defaultPolicy } from './defaults.ts'
import { appliedPolicies } from './user-policies.ts'

/** A user's permissions from all policies, before they are applied to a table. */
export interface UserAccess {
  /** All roles in the policies, unknown ones included; `undefined` if there are none. */
  readonly roleWords: ReadonlySet<string> | undefined
  /** Data scopes as stored. A row is visible if at least one scope allows it; without scopes no row is visible. */
  readonly scopes: readonly unknown[]
}

function rolesOf(body: DocumentBody): readonly string[] {
  const { role } = body
  return typeof role === 'object' && role !== null && !Array.isArray(role) ? Object.keys(role) : []
}

/**
 * Returns a user's permissions; `undefined` if the user never had a policy. After all policies of a user were deleted,
 * only the role `read` remains, and no row is visible.
 */
export function userAccess(store: DocumentStore, backend: string, email: string): UserAccess | undefined {
  return store.read(backend, (view) => {
    const ids = appliedPolicies(view, email)
    if (ids === undefined) return undefined
    const bodies = ids
      .map((id) => defaultPolicy(id)?.body ?? view.get('policy', id)?.body)
      .filter((body) => body !== undefined)
    if (bodies.length === 0) return { roleWords: new Set(['read']), scopes: [] }
    const words = bodies.flatMap(rolesOf)
    return {
      roleWords: words.length === 0 ? undefined : new Set(words),
      scopes: bodies.map((body) => body['dataScope'] ?? {}),
    }
  })
}
