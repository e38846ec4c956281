import type { PlainJson } from '../data/index.ts'

/**
 * What the store keeps. `user-policies` is what was applied to one user, `deletion` which rows were deleted; `audit` is written by
 * the store itself.
 */
export type DocumentKind = 'monitor' | 'silence' | 'policy' | 'user-policies' | 'deletion' | 'audit'

/** The kinds that a transaction may write. */
export type ResourceKind = Exclude<DocumentKind, 'audit'>

/** A JSON object; its names are the user's own. */
export type Body = { readonly [name: string]: PlainJson }

/** Who acts, and on the documents of which backend. Documents of other backends do not exist for them. */
export interface Actor {
  readonly backend: string
  /** The key's public id, or the program's own name. */
  readonly by: string
  readonly email: string | undefined
}

export interface StoredDocument {
  readonly kind: DocumentKind
  readonly id: string
  /** Unique within kind and backend where there is one. */
  readonly name: string | undefined
  /** 1 at first, and one more for each change. */
  readonly revision: number
  readonly body: Body
  readonly createdBy: string
  readonly createdAtNs: bigint
  readonly updatedBy: string
  readonly updatedAtNs: bigint
}

export interface ListOptions {
  /** Ids greater than this one. */
  readonly after?: string
  readonly limit?: number
}

/** Documents of one backend at one moment. */
export interface DocumentView {
  get(kind: DocumentKind, id: string): StoredDocument | undefined
  findByName(kind: DocumentKind, name: string): StoredDocument | undefined
  /** In ascending order of the ids. */
  list(kind: DocumentKind, options?: ListOptions): readonly StoredDocument[]
}

/** One change in the making. Reads see what was written before, also by others of the same commit. */
export interface DocumentTransaction extends DocumentView {
  readonly nowNs: bigint
  readonly actor: Actor
  /**
   * Creates or replaces; counts the revision and writes the audit record. The name must not be another's. Throws ResourceError
   * `resources/quota` where there would be too many or too large documents of the kind, all together or of the key.
   */
  put(kind: ResourceKind, id: string, body: Body, name?: string): StoredDocument
  /** False when there was nothing; writes the audit record. */
  remove(kind: ResourceKind, id: string): boolean
}

/** What keeps monitors, silences and policies. */
export interface DocumentStore {
  /** Reads committed documents of one backend. */
  read<T>(backend: string, work: (view: DocumentView) => T): T
  /**
   * Runs `work` inside the commit, so that whatever it checks still holds when it is written: all of its changes or,
   * when it throws, none. It must be synchronous and free of effects outside the transaction, because it may be run
   * again. Resolves once the change survives `kill -9` and power loss; rejects with what `work` threw, or with
   * ResourceError `resources/disk-full`, `resources/disk-reserve`, `resources/write-failed`, `resources/closed`.
   */
  write<T>(actor: Actor, work: (tx: DocumentTransaction) => T): Promise<T>
  /** The backends that have a document of this kind and id. */
  backendsWith(kind: DocumentKind, id: string): readonly string[]
  /** Another text after every commit: what may be remembered is keyed by it. */
  epoch(): string
  /** Waits for changes under way. */
  close(): Promise<void>
}
