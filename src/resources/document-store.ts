import type { PlainJson } from '../data/index.ts'

/**
 * Kinds of documents. `user-policies` and `saved-queries` are one document for each user, `deletion` records a deletion
 * of rows, `alerting` is the state of monitors and notifications. The store itself writes `audit`.
 */
export type DocumentKind =
  | 'monitor'
  | 'silence'
  | 'policy'
  | 'user-policies'
  | 'saved-queries'
  | 'deletion'
  | 'alerting'
  | 'audit'

/** Kinds of documents whose changes are audited. */
export type ResourceKind = Exclude<DocumentKind, 'alerting' | 'audit'>

/** A JSON object with user-defined names. */
export type DocumentBody = { readonly [name: string]: PlainJson }

/** Author and backend of an operation. The operation sees only documents of this backend. */
export interface Actor {
  readonly backend: string
  /** The public id of the author's key, or the name of the program. */
  readonly by: string
  readonly email: string | undefined
}

/**
 * A check inside a transaction: receives the stored version that is about to change, and throws if the caller last read
 * a different version.
 */
export type VersionCheck<T> = (stored: T) => void

export interface StoredDocument {
  readonly kind: DocumentKind
  readonly id: string
  /** Name of the document, unique within its kind and backend; `undefined` if it has none. */
  readonly name: string | undefined
  /** Revision of the document: 1 at first, incremented by each change. */
  readonly revision: number
  readonly body: DocumentBody
  readonly createdBy: string
  readonly createdAtNs: bigint
  readonly updatedBy: string
  readonly updatedAtNs: bigint
}

export interface ListOptions {
  /** If given, only documents with greater ids are listed. */
  readonly after?: string
  readonly limit?: number
}

/** Documents of one backend, as of one moment. */
export interface DocumentView {
  get(kind: DocumentKind, id: string): StoredDocument | undefined
  findByName(kind: DocumentKind, name: string): StoredDocument | undefined
  /** Returns the documents in ascending order of ids. */
  list(kind: DocumentKind, options?: ListOptions): readonly StoredDocument[]
}

/** A transaction. Reads see earlier writes, also of other transactions in the same commit. */
export interface DocumentTransaction extends DocumentView {
  readonly nowNs: bigint
  readonly actor: Actor
  /**
   * Creates or replaces a document, increments its revision and writes an audit record. No other document of the kind
   * may have the name. Throws ResourceError `resources/quota` if the documents of the kind would exceed the quota, in
   * total or for the key.
   */
  put(kind: ResourceKind, id: string, body: DocumentBody, name?: string): StoredDocument
  /** Removes a document and writes an audit record; false if there was none. */
  remove(kind: ResourceKind, id: string): boolean
  /**
   * Creates, replaces or (with `undefined`) removes a document of the kind `alerting`. This program state has no quota
   * and no audit record.
   */
  putState(id: string, body: DocumentBody | undefined): void
}

/** Store of monitors, silences and policies. */
export interface DocumentStore {
  /** Calls `work` with a view of the committed documents of one backend. */
  read<T>(backend: string, work: (view: DocumentView) => T): T
  /**
   * Runs `work` inside the commit, so that its checks still hold when the changes are written. All its changes apply
   * or, if it throws, none. `work` must be synchronous without other effects, because it may run again. Resolves when
   * the change survives `kill -9` and power loss; rejects with what `work` threw, or with ResourceError
   * `resources/disk-full`, `resources/disk-reserve`, `resources/write-failed`, `resources/closed`.
   */
  write<T>(actor: Actor, work: (tx: DocumentTransaction) => T): Promise<T>
  /** Returns the backends that have a document of this kind and id. */
  backendsWith(kind: DocumentKind, id: string): readonly string[]
  /** Returns a string that changes with every commit, for use as a cache key. */
  epoch(): string
  /** Waits for changes in flight, then closes the store. */
  close(): Promise<void>
}
