import type { Actor } from '../../resources/index.ts'
import type { Identity } from '../auth/auth.ts'

/** The backend of documents where nobody has to choose one. */
export const DEFAULT_BACKEND = 'default'

/** Who changes something, and among the documents of which backend. */
export function actorOf(identity: Identity): Actor {
  return { backend: identity.backend ?? DEFAULT_BACKEND, by: identity.keyId, email: identity.email }
}
