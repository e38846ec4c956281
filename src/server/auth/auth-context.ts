import type { DataScope } from '../../policy/index.ts'
import type { KeyRecord, KeySource, Role } from './keys.ts'
import type { Sessions } from './sessions.ts'

/** Rights of one user by policies. */
export interface Access {
  /** `undefined` if the policies name no roles. */
  readonly roles: ReadonlySet<Role> | undefined
  /** `undefined`: everything. */
  readonly scope: DataScope | undefined
  /** Stored scopes behind `scope`; query workers rebuild it from them. */
  readonly storedScopes?: readonly unknown[] | undefined
}

export type Reached = Access | 'none'

export interface AccessService {
  /**
   * Access to a backend. A user with policies, but none for this backend, has no access to it, unless the key names it
   * (`isNamed`): then as a user without policies.
   */
  accessOf(email: string | undefined, backend: string | undefined, isNamed: boolean): Reached | Promise<Reached>
}

/** Callers that need no key: programs on this machine, all callers, or none. */
export const openToWords = ['loopback', 'everyone', 'nobody'] as const
export type OpenTo = (typeof openToWords)[number]

/** State that decides who may call and what they see. */
export interface AuthContext {
  readonly keys: KeySource
  /** Times of the last request of each key in Unix ms, by the hash of the key; `noteUse` writes them. */
  readonly keyUses?: ReadonlyMap<string, number> | undefined
  /** Called for each request with a known key or session. */
  readonly noteUse?: ((record: KeyRecord) => void) | undefined
  /** Sessions of the console; without them only keys are accepted. */
  readonly sessions?: Sessions | undefined
  /** Ids of the backends that a request can choose; with one, no choice is needed. */
  readonly backends: readonly string[]
  readonly access: AccessService | undefined
  /** Who can read metrics and the API description without a key. Default: `loopback`. */
  readonly openTo?: OpenTo | undefined
  /** Host names, beside those of this machine, for requests without a key on the loopback address. */
  readonly allowHosts?: readonly string[] | undefined
  /** True if stored data or policies cannot be read completely: then only health checks are answered. */
  readonly isDamaged?: (() => boolean) | undefined
}
