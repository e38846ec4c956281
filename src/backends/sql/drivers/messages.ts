import type { Diagnostic } from '../../../base/index.ts'
import type { RunRequest } from './driver.ts'
import type { PackedBatch } from './packed-batch.ts'

/** Messages to the child process that runs statements: one statement at a time, each batch on request. */
export type ToChild =
  | { readonly kind: 'open'; readonly path: string }
  /** Runs a statement. `toPlain` has converted the parameters to plain data that can be sent. */
  | { readonly kind: 'run'; readonly request: Omit<RunRequest, 'parameters'>; readonly parameters: unknown }
  | { readonly kind: 'next' }
  | { readonly kind: 'stop' }

export type FromChild =
  | { readonly kind: 'ready' }
  /** A result batch. After a batch with `isLast` the statement has ended, and no further batch may be requested. */
  | { readonly kind: 'batch'; readonly batch: PackedBatch; readonly isLast: boolean }
  | { readonly kind: 'end' }
  | { readonly kind: 'stale' }
  /** The statement has failed. `diagnostics` is present if the query caused the failure. */
  | { readonly kind: 'failed'; readonly code: string; readonly diagnostics?: readonly Diagnostic[] }
