import type { DocumentBody, DocumentStore } from '../document-store.ts'
import { defaultPolicy } from './defaults.ts'
import { appliedPolicies } from './user-policies.ts'

/** A user's permissions from all policies, before they are applied to a table. */
export interface UserAccess {
  /** All roles that the policies name, unknown ones included; `undefined` if they name none. */
  readonly roleWords: ReadonlySet<string> | undefined
  /** Data scopes as stored; a row is visible if one allows it. Without any, nothing is visible. */
  readonly scopes: readonly unknown[]
}

function rolesOf(body: DocumentBody): readonly string[] {
  const { role } = body
  return typeof role === 'object' && role !== null && !Array.isArray(role) ? Object.keys(role) : []
}

/**
 * Permissions of a user; `undefined` if the user never had a policy. After all policies of a user were deleted, only
 * the role `read` remains, and no row is visible.
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
