import type { MessagePort } from 'node:worker_threads'
import type { Diagnostic } from '../../base/index.ts'

/** Connection of one worker to the owner of the data. */
export interface ReplicationConnection {
  readonly port: MessagePort
  /** Shared counter of changes that later queries must see. */
  readonly words: Int32Array
  /** Shared memory in which the reader publishes its reads in flight. */
  readonly reads: Int32Array
}

/** Source of backend changes for query workers. */
export interface ReplicationSource {
  /** Connects one more worker. */
  connect(): ReplicationConnection
  /** Called before a query is passed to a worker. */
  publishChanges?(): void
}

export const VERSION_WORD = 0

/** Message from a reader. An empty message requests changes. */
export interface ReaderMessage {
  /** Part or dictionary file that the reader could not read. */
  readonly damagedGroup: string
  readonly reasons: readonly Diagnostic[]
}

/** Messages to a reader: changes, then their version. Removed files may be reported at any time. */
export type ReplicationMessage<News> =
  | { readonly news: News }
  | { readonly version: number }
  | { readonly removed: readonly string[] }
