import type { Diagnostic } from '../../../base/index.ts'
import type { RunRequest } from './driver.ts'
import type { PackedBatch } from './packed-batch.ts'

/** To the process that runs statements. One statement at a time; each batch is asked for. */
export type ToChild =
  | { readonly kind: 'open'; readonly path: string }
  /** Parameters are plain data here: see `toPlain`. */
  | { readonly kind: 'run'; readonly request: Omit<RunRequest, 'parameters'>; readonly parameters: unknown }
  | { readonly kind: 'next' }
  | { readonly kind: 'stop' }

export type FromChild =
  | { readonly kind: 'ready' }
  /** `isLast`: the statement has ended with it, and nothing is to be asked any more. */
  | { readonly kind: 'batch'; readonly batch: PackedBatch; readonly isLast: boolean }
  | { readonly kind: 'end' }
  | { readonly kind: 'stale' }
  /** With diagnostics when the query is to blame. */
  | { readonly kind: 'failed'; readonly code: string; readonly diagnostics?: readonly Diagnostic[] }
