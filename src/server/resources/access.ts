import { MAX_CACHED } from '../../base/index.ts'
import type { Catalog } from '../../plan/index.ts'
import type { FunctionDefinitions } from '../../functions/index.ts'
import { combineScopes } from '../../policy/scope/index.ts'
import { userAccess, userId, type DocumentStore } from '../../resources/index.ts'
import type { Access, AccessService, Reached } from '../auth/auth-context.ts'
import { isRole } from '../auth/keys.ts'
import { DEFAULT_BACKEND } from './actor.ts'

/**
 * Access if there are no policies: roles come only from the key, so that the first key of a server can create policies.
 */
const unrestricted: Access = { roles: undefined, scope: undefined }

/**
 * Creates a service for the permissions of users by stored policies. A user without policies sees nothing with
 * `requirePolicy`, otherwise everything. Permissions are cached until the store changes, so that changes apply to the
 * next request.
 */
export function createAccessService(
  store: DocumentStore,
  tools: { readonly catalog: Catalog; readonly functions: FunctionDefinitions; readonly requirePolicy?: boolean },
): AccessService {
  // Access of a key without a user, to which no policy applies.
  const withoutPolicy: Access =
    tools.requirePolicy === true
      ? { roles: undefined, scope: combineScopes([], tools), storedScopes: [] }
      : unrestricted
  const remembered = new Map<string, Reached>()
  let epoch: string | undefined
  const find = (email: string, backend: string, isNamed: boolean): Reached => {
    const found = userAccess(store, backend, email)
    // A user with policies on another backend only has no access here.
    if (found === undefined) {
      const isKnown = store.backendsWith('user-policies', userId(email)).length > 0
      return isKnown && !isNamed ? 'none' : withoutPolicy
    }
    const { roleWords, scopes } = found
    // Role names that this release does not know grant nothing.
    const roles = roleWords === undefined ? undefined : new Set([...roleWords].filter(isRole))
    return { roles, scope: combineScopes(scopes, tools), storedScopes: scopes }
  }
  return {
    accessOf: (email, backend = DEFAULT_BACKEND, isNamed) => {
      if (email === undefined) return withoutPolicy
      const now = store.epoch()
      if (now !== epoch || remembered.size > MAX_CACHED) remembered.clear()
      epoch = now
      const key = JSON.stringify([backend, userId(email), isNamed])
      let access = remembered.get(key)
      if (access === undefined) {
        access = find(email, backend, isNamed)
        remembered.set(key, access)
      }
      return access
    },
  }
}
