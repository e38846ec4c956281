import type { Diagnostic } from '../../../base/index.ts'
import type { RunRequest } from './driver.ts'
import type { PackedBatch } from './packed-batch.ts'

/** Messages to the process that runs statements. It runs one statement at a time, and each batch is requested. */
export type ToChild =
  | { readonly kind: 'open'; readonly path: string }
  /** Parameters are plain data, see `toPlain`. */
  | { readonly kind: 'run'; readonly request: Omit<RunRequest, 'parameters'>; readonly parameters: unknown }
  | { readonly kind: 'next' }
  | { readonly kind: 'stop' }

export type FromChild =
  | { readonly kind: 'ready' }
  /** With `isLast` the statement has ended, and no further batch may be requested. */
  | { readonly kind: 'batch'; readonly batch: PackedBatch; readonly isLast: boolean }
  | { readonly kind: 'end' }
  | { readonly kind: 'stale' }
  /** With diagnostics when the query caused the failure. */
  | { readonly kind: 'failed'; readonly code: string; readonly diagnostics?: readonly Diagnostic[] }
