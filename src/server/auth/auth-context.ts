import type { DataScope } from '../../policy/index.ts'
import type { KeySource, Role } from './keys.ts'

/** What the policies of one user allow. */
export interface Access {
  /** `undefined` when the policies name no roles. */
  readonly roles: ReadonlySet<Role> | undefined
  /** `undefined` is everything. */
  readonly scope: DataScope | undefined
  /** The stored scopes that `scope` was made of: what a query worker makes it of again. */
  readonly storedScopes?: readonly unknown[] | undefined
}

export type Reached = Access | 'none'

export interface AccessService {
  /**
   * Policies speak per backend. Who has policies, but none on this backend, has no access to it, unless the key names it
   * (`isNamed`): then it is as for someone without policies.
   */
  accessOf(email: string | undefined, backend: string | undefined, isNamed: boolean): Reached | Promise<Reached>
}

/** Whom a key is not asked of: programs of this machine, everyone, or nobody. */
export const openToWords = ['loopback', 'everyone', 'nobody'] as const
export type OpenTo = (typeof openToWords)[number]

/** What decides who may call, and what they may see. */
export interface AuthContext {
  readonly keys: KeySource
  /** Ids of the backends that a request may choose from; with fewer than two nobody needs to choose. */
  readonly backends: readonly string[]
  readonly access: AccessService | undefined
  /** Who reads metrics and the description of the API without a key; `loopback` unless given. */
  readonly openTo?: OpenTo | undefined
  /** Names, beside those of this machine, by which requests without a key may call it on the loopback address. */
  readonly allowHosts?: readonly string[] | undefined
  /** True when what is stored, policies and all, cannot be read whole: then only health is served. */
  readonly isDamaged?: (() => boolean) | undefined
}
