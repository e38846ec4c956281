import type { Diagnostic } from '../../../base/index.ts'
import type { RunRequest } from './driver.ts'
import type { PackedBatch } from './packed-batch.ts'

/**
 * Messages to the child process that runs statements. It runs one statement at a time and computes each batch on
 * request.
 */
export type ToChild =
  | { readonly kind: 'open'; readonly path: string }
  /** Runs a statement. The parameters are plain data, converted by `toPlain`, so that they can be sent. */
  | { readonly kind: 'run'; readonly request: Omit<RunRequest, 'parameters'>; readonly parameters: unknown }
  | { readonly kind: 'next' }
  | { readonly kind: 'stop' }

export type FromChild =
  | { readonly kind: 'ready' }
  /** A result batch. With `isLast` the statement has ended, and no further batch may be requested. */
  | { readonly kind: 'batch'; readonly batch: PackedBatch; readonly isLast: boolean }
  | { readonly kind: 'end' }
  | { readonly kind: 'stale' }
  /** The statement has failed. `diagnostics` is present when the query caused the failure. */
  | { readonly kind: 'failed'; readonly code: string; readonly diagnostics?: readonly Diagnostic[] }
