import type { DataScope } from '../../policy/index.ts'
import type { KeyRecord, KeySource, Role } from './keys.ts'
import type { Sessions } from './sessions.ts'

/** Permissions that stored policies give to a user. */
export interface Access {
  /** Roles that the policies allow; `undefined` if no policy names roles. */
  readonly roles: ReadonlySet<Role> | undefined
  /** Rows that the policies allow; `undefined` allows everything. */
  readonly scope: DataScope | undefined
  /** Stored form of `scope`, from which query workers compile it. */
  readonly storedScopes?: readonly unknown[] | undefined
}

export type Reached = Access | 'none'

export interface AccessService {
  /**
   * Returns the access to a backend. A user who has policies only on other backends has no access, unless the key names
   * this backend (`isNamed`). In that case the user has the access of a user without policies.
   */
  accessOf(email: string | undefined, backend: string | undefined, isNamed: boolean): Reached | Promise<Reached>
}

/** Clients that may read system routes without a key: clients on this machine, all clients, or none. */
export const openToWords = ['loopback', 'everyone', 'nobody'] as const
export type OpenTo = (typeof openToWords)[number]

/** State for authentication and authorization. */
export interface AuthContext {
  readonly keys: KeySource
  /** Time of the last request of each key, Unix ms, by the hash of the key. */
  readonly keyUses?: ReadonlyMap<string, number> | undefined
  /** Called for each request with a known key or session. */
  readonly noteUse?: ((record: KeyRecord) => void) | undefined
  /** Sessions of the console; without sessions only keys are accepted. */
  readonly sessions?: Sessions | undefined
  /** Ids of the backends that a request can choose. If there is only one, the request need not choose. */
  readonly backends: readonly string[]
  readonly access: AccessService | undefined
  /** Clients that can read metrics and the API description without a key. Default: `loopback`. */
  readonly openTo?: OpenTo | undefined
  /** Additional host names that are accepted in requests without a key on the loopback address. */
  readonly allowHosts?: readonly string[] | undefined
  /** Returns true if stored data or policies cannot be read completely. Then only health checks are answered. */
  readonly isDamaged?: (() => boolean) | undefined
}
