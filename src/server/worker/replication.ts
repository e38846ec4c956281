import type { MessagePort } from 'node:worker_threads'
import type { Diagnostic } from '../../base/index.ts'

/** Connection of one worker to the owner of the data. */
export interface ReplicationConnection {
  readonly port: MessagePort
  /** One word that counts the changes which later queries must see. */
  readonly words: Int32Array
  /** Words in which the reader publishes its reads in flight. */
  readonly reads: Int32Array
}

/** Source of backend changes for query workers. */
export interface ReplicationSource {
  /** Connects one more worker. */
  connect(): ReplicationConnection
  /** Called before a query is given to a worker. */
  look?(): void
}

export const VERSION_WORD = 0

/** Message of a reader; an empty one requests changes. */
export interface ReaderMessage {
  /** File of a part, or of dictionaries, that it cannot read. */
  readonly damagedGroup: string
  readonly reasons: readonly Diagnostic[]
}

/** Messages to a reader after its first one: changes, then their version. Removed files are reported at any time. */
export type ReplicationMessage<News> =
  | { readonly news: News }
  | { readonly version: number }
  | { readonly removed: readonly string[] }
