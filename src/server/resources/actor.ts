import type { Actor } from '../../resources/index.ts'
import type { Identity } from '../auth/auth.ts'

/** The backend id of documents in a server with only one backend. */
export const DEFAULT_BACKEND = 'default'

/** Returns the author and backend of a change. */
export function actorOf(identity: Identity): Actor {
  return { backend: identity.backend ?? DEFAULT_BACKEND, by: identity.keyId, email: identity.email }
}
