import type { BudgetLimits, Diagnostic } from '../../../base/index.ts'
import type { EngineAddress } from '../engines/address.ts'
import type { ForeignSource, ForeignStatement } from '../foreign/engine.ts'
import type { PackedBatch } from './packed-batch.ts'

/** Messages over a socket to the process that has a database open. A connection has one call at a time. */
export type ToEngine =
  | { readonly kind: 'describe' | 'settle'; readonly source: ForeignSource }
  | { readonly kind: 'explain'; readonly statement: ForeignStatement }
  | {
      readonly kind: 'run'
      readonly statement: ForeignStatement
      readonly batchRows: number
      readonly limits: BudgetLimits
      /** The time in milliseconds that the call may still take. */
      readonly remainingMs: number
    }
  /** The reader has taken a batch; the process may send one more. */
  | { readonly kind: 'next' }

/**
 * Messages over a socket from the process that has a database open: `hello` first. A `run` call is answered by batches,
 * then `end`; other calls by a `value`; any call may end with `failed`.
 */
export type FromEngine =
  | { readonly kind: 'hello' }
  | { readonly kind: 'batch'; readonly batch: PackedBatch }
  | { readonly kind: 'end' }
  | { readonly kind: 'value'; readonly value: unknown }
  /** A failed call. `diagnostics` is missing when the query cannot have caused the failure. */
  | { readonly kind: 'failed'; readonly reason: string; readonly diagnostics?: readonly Diagnostic[] }

/** Messages to the database process from its parent. */
export type ToEngineProcess =
  | { readonly kind: 'open'; readonly address: EngineAddress; readonly socket: string }
  | { readonly kind: 'beat' }

export type FromEngineProcess =
  | { readonly kind: 'ready' }
  | { readonly kind: 'beat' }
  | { readonly kind: 'failed'; readonly reason: string; readonly diagnostics?: readonly Diagnostic[] }
