import type { Body, DocumentStore } from '../document-store.ts'
import { defaultPolicy } from './defaults.ts'
import { appliedPolicies } from './user-policies.ts'

/** What a user's policies say, before anyone asks what it means for a table. */
export interface UserAccess {
  /** The words of all roles that the policies name, unknown ones included; `undefined` when they name none. */
  readonly roleWords: ReadonlySet<string> | undefined
  /** The data scopes as stored; one is enough to see a row. Without any, nothing can be seen. */
  readonly scopes: readonly unknown[]
}

function rolesOf(body: Body): readonly string[] {
  const { role } = body
  return typeof role === 'object' && role !== null && !Array.isArray(role) ? Object.keys(role) : []
}

/**
 * The access of a user; `undefined` for one that never had a policy. Once there was a policy, its end is not freedom:
 * with all of them deleted nothing can be seen, and of the roles only `read` is left.
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
