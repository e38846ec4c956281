import type { MessagePort } from 'node:worker_threads'
import type { Diagnostic } from '../../base/index.ts'

/** The end of a line to whoever has the data, for one worker. */
export interface NewsConnection {
  readonly port: MessagePort
  /** One word, which counts the changes that every later query must see. */
  readonly words: Int32Array
  /** Where the reader says which reads it has in work. */
  readonly reads: Int32Array
}

/** Where query workers learn what is in the backends. */
export interface NewsSource {
  /** For one more worker. */
  connect(): NewsConnection
  /** Before a query is given to a worker. */
  look?(): void
}

export const VERSION_WORD = 0

/** What a reader sends: without anything it asks for what is new. */
export interface ReaderMessage {
  /** The file of a group of segments, or of dictionaries, that it cannot read. */
  readonly damagedGroup: string
  readonly reasons: readonly Diagnostic[]
}

/** What comes to a reader that has sent anything: pieces of news, then how far they go. Files that were removed are told at any time. */
export type NewsMessage<News> =
  | { readonly news: News }
  | { readonly version: number }
  | { readonly removed: readonly string[] }
