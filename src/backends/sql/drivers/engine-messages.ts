import type { BudgetLimits, Diagnostic } from '../../../base/index.ts'
import type { EngineAddress } from '../engines/address.ts'
import type { ForeignSource, ForeignStatement } from '../foreign/engine.ts'
import type { PackedBatch } from './packed-batch.ts'

/**
 * Messages to the process that has a database open, over a socket. The next call may begin when the last one has ended.
 */
export type ToEngine =
  | { readonly kind: 'describe' | 'settle'; readonly source: ForeignSource }
  | { readonly kind: 'explain'; readonly statement: ForeignStatement }
  | {
      readonly kind: 'run'
      readonly statement: ForeignStatement
      readonly batchRows: number
      readonly limits: BudgetLimits
      /** The remaining time of the call in milliseconds. */
      readonly remainingMs: number
    }
  /** The reader has taken a batch, so one more may be sent. */
  | { readonly kind: 'next' }

/**
 * Messages from this process: `hello` first; for `run` batches, then `end`; for other calls a `value`; for any call
 * `failed`.
 */
export type FromEngine =
  | { readonly kind: 'hello' }
  | { readonly kind: 'batch'; readonly batch: PackedBatch }
  | { readonly kind: 'end' }
  | { readonly kind: 'value'; readonly value: unknown }
  /** Diagnostics are missing when no query can have caused the failure. */
  | { readonly kind: 'failed'; readonly reason: string; readonly diagnostics?: readonly Diagnostic[] }

/** Messages to this process from its parent. */
export type ToEngineProcess =
  | { readonly kind: 'open'; readonly address: EngineAddress; readonly socket: string }
  | { readonly kind: 'beat' }

export type FromEngineProcess =
  | { readonly kind: 'ready' }
  | { readonly kind: 'beat' }
  | { readonly kind: 'failed'; readonly reason: string; readonly diagnostics?: readonly Diagnostic[] }
