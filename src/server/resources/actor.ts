import type { Actor } from '../../resources/index.ts'
import type { Identity } from '../auth/auth.ts'

/** Backend of documents if there is only one. */
export const DEFAULT_BACKEND = 'default'

/** Author and backend of a change. */
export function actorOf(identity: Identity): Actor {
  return { backend: identity.backend ?? DEFAULT_BACKEND, by: identity.keyId, email: identity.email }
}
