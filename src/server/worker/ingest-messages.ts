import type { MessagePort } from 'node:worker_threads'
import type { LogEnds, LogMark } from '../../store/durable/index.ts'
import type { PackedBody } from '../http/body.ts'
import type { DeleteRequest } from '../deletion/deleter.ts'
import type { IngestReport } from '../ingest/decoder.ts'
import type { IngestRequest } from '../ingest/ingest-service.ts'
import type { Dropped } from '../ingest/store-memory.ts'
import type { Keeping, ReadBack } from '../data-folder/table-persister.ts'
import type { ServerLimits } from '../settings/limits.ts'
import type { NamedLoader } from '../data-folder/load-data.ts'
import type { SerializedError } from './serialized-error.ts'

/** Data that the ingest thread receives when it starts. */
export interface IngestWorkerData {
  /** Ids of the backends. The backends are empty at first. */
  readonly backends: readonly string[]
  readonly limits: ServerLimits
  /** Data folder; without a folder, batches live as long as the thread. */
  readonly folder: string | undefined
  /** Identity of the folder's lock. */
  readonly lock: string | undefined
  /** Acknowledged end of the log at the time when the previous thread was lost; `undefined` to keep the whole log. */
  readonly keepTo: LogEnds | undefined
  readonly keeping: Keeping
  readonly load: NamedLoader | undefined
  /** Words of shared memory, with the indexes in `ingestWords`. */
  readonly words: Int32Array
  /** Shared counter of changes that later queries must see. */
  readonly newsWords: Int32Array
  /** Shared buffer of the store's statistics (`StoreFigures`). */
  readonly figures: SharedArrayBuffer
}

/**
 * Indexes in shared memory: a heartbeat, the id of the current body, the id of the body that broke the thread, and the
 * system's thread id (0 if unknown).
 */
export const ingestWords = { beat: 0, current: 1, broken: 2, thread: 3, count: 4 } as const

/** Interval between two heartbeats of the thread, ms. */
export const INGEST_BEAT_MS = 20

export type ToIngest =
  /** A chunk of a body. */
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
  /** The log was opened and is valid. */
  | { readonly kind: 'opened'; readonly notices: readonly string[] }
  /** A write failed and will be retried. */
  | { readonly kind: 'trouble'; readonly error: SerializedError }
  /** Rows were dropped from memory. */
  | ({ readonly kind: 'dropped' } & Dropped)
  | ({ readonly kind: 'read-back' } & ReadBack)
  /** A message from the module that loads data. */
  | { readonly kind: 'loading'; readonly message: unknown }
  /** Bodies are accepted from now on. */
  | { readonly kind: 'ready'; readonly ends: LogEnds | undefined }
  /** The thread cannot start. */
  | { readonly kind: 'failed'; readonly error: SerializedError }
  | {
      readonly kind: 'done'
      readonly id: number
      readonly report: IngestReport
      readonly mark: LogMark | undefined
      /** Buffers of the body, returned for reuse. */
      readonly memory: readonly ArrayBuffer[]
    }
  | { readonly kind: 'deleted'; readonly id: number; readonly rows: number }
  | {
      readonly kind: 'refused'
      readonly id: number
      readonly error: SerializedError
      readonly memory: readonly ArrayBuffer[]
    }
  /** A background job for a pool worker; its messages come through the port. */
  | { readonly kind: 'background'; readonly port: MessagePort }
  | { readonly kind: 'closed' }
