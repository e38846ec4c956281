import type { MessagePort } from 'node:worker_threads'
import type { LogEnds, LogMark } from '../../store/durable/index.ts'
import type { PackedBody } from '../http/body.ts'
import type { DeleteRequest } from '../deletion/deleter.ts'
import type { IngestReport } from '../ingest/decoder.ts'
import type { IngestRequest } from '../ingest/ingest-service.ts'
import type { Dropped } from '../ingest/store-memory.ts'
import type { Keeping, ReadBack } from '../data-folder/kept-tables.ts'
import type { ServerLimits } from '../settings/limits.ts'
import type { NamedLoader } from '../data-folder/load-data.ts'
import type { ToldError } from './told-error.ts'

/** What the ingest thread is started with. */
export interface IngestWorkerData {
  /** Ids of the backends, all of which begin empty. */
  readonly backends: readonly string[]
  readonly limits: ServerLimits
  /** Where batches are kept; without it they live as long as the thread. */
  readonly folder: string | undefined
  /** The identity of the lock of that folder. */
  readonly lock: string | undefined
  /** What the log held when the thread before this one was lost, as far as anybody was told; all of it where there was none. */
  readonly keepTo: LogEnds | undefined
  readonly keeping: Keeping
  readonly load: NamedLoader | undefined
  /** Of `ingestWords`. */
  readonly words: Int32Array
  /** As `NewsConnection` has them. */
  readonly newsWords: Int32Array
  /** Of `StoreFigures`. */
  readonly figures: SharedArrayBuffer
}

/**
 * Words that both sides watch: one that the thread counts up while it comes round to it, the body that it is at, the one that
 * broke it, and the system's number of the thread, 0 where it has none.
 */
export const ingestWords = { beat: 0, current: 1, broken: 2, thread: 3, count: 4 } as const

/** How often the thread counts its beat up, milliseconds. */
export const INGEST_BEAT_MS = 20

export type ToIngest =
  /** A piece of a body that is to come. */
  | { readonly kind: 'bytes'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | {
      readonly kind: 'ingest'
      readonly id: number
      readonly request: Omit<IngestRequest, 'body'> & Omit<PackedBody, 'chunks'>
      readonly receivedNs: bigint
    }
  | { readonly kind: 'delete'; readonly id: number; readonly request: DeleteRequest }
  | { readonly kind: 'reader'; readonly port: MessagePort; readonly reads: Int32Array }
  | { readonly kind: 'close' }

export type FromIngest =
  /** The log is open, and holds what it should. */
  | { readonly kind: 'opened'; readonly notices: readonly string[] }
  /** Something could not be written that is tried again. */
  | { readonly kind: 'trouble'; readonly error: ToldError }
  /** Rows left the memory for others. */
  | ({ readonly kind: 'dropped' } & Dropped)
  | ({ readonly kind: 'read-back' } & ReadBack)
  /** Something that the module which loads data says. */
  | { readonly kind: 'loading'; readonly message: unknown }
  /** Bodies are taken from here on. */
  | { readonly kind: 'ready'; readonly ends: LogEnds | undefined }
  /** It cannot begin. */
  | { readonly kind: 'failed'; readonly error: ToldError }
  | {
      readonly kind: 'done'
      readonly id: number
      readonly report: IngestReport
      readonly mark: LogMark | undefined
      /** What the body was in, for others. */
      readonly memory: readonly ArrayBuffer[]
    }
  | { readonly kind: 'deleted'; readonly id: number; readonly rows: number }
  | {
      readonly kind: 'refused'
      readonly id: number
      readonly error: ToldError
      readonly memory: readonly ArrayBuffer[]
    }
  /** A task for a worker of the pool waits in the port. */
  | { readonly kind: 'background'; readonly port: MessagePort }
  | { readonly kind: 'closed' }
