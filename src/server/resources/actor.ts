import type { Actor } from '../../resources/index.ts'
import type { Caller } from '../auth.ts'

/** The backend of documents where nobody has to choose one. */
export const DEFAULT_BACKEND = 'default'

/** Who changes something, and among the documents of which backend. */
export function actorOf(caller: Caller): Actor {
  return { backend: caller.backend ?? DEFAULT_BACKEND, by: caller.keyId, email: caller.email }
}
