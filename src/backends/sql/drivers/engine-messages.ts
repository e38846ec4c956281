import type { BudgetLimits, Diagnostic } from '../../../base/index.ts'
import type { EngineAddress } from '../engines/address.ts'
import type { ForeignSource, ForeignStatement } from '../foreign/engine.ts'
import type { PackedBatch } from './packed-batch.ts'

/** Socket messages to the process that has a database open. A connection has one call at a time. */
export type ToEngine =
  | { readonly kind: 'describe' | 'settle'; readonly source: ForeignSource }
  | { readonly kind: 'explain'; readonly statement: ForeignStatement }
  | {
      readonly kind: 'run'
      readonly statement: ForeignStatement
      readonly batchRows: number
      readonly limits: BudgetLimits
      /** Milliseconds that the call may still take. */
      readonly remainingMs: number
    }
  /** The reader has taken a batch, so the process may send one more. */
  | { readonly kind: 'next' }

/**
 * Socket messages from the process that has a database open; `hello` is the first. A `run` call is answered by batches
 * and then `end`, other calls by a `value`. Any call may end with `failed`.
 */
export type FromEngine =
  | { readonly kind: 'hello' }
  | { readonly kind: 'batch'; readonly batch: PackedBatch }
  | { readonly kind: 'end' }
  | { readonly kind: 'value'; readonly value: unknown }
  /** A failed call. `diagnostics` is absent if the query cannot have caused the failure. */
  | { readonly kind: 'failed'; readonly reason: string; readonly diagnostics?: readonly Diagnostic[] }

/** Messages to the database process from its parent process. */
export type ToEngineProcess =
  | { readonly kind: 'open'; readonly address: EngineAddress; readonly socket: string }
  | { readonly kind: 'beat' }

export type FromEngineProcess =
  | { readonly kind: 'ready' }
  | { readonly kind: 'beat' }
  | { readonly kind: 'failed'; readonly reason: string; readonly diagnostics?: readonly Diagnostic[] }
