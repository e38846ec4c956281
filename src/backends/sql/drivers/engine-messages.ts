import type { BudgetLimits, Diagnostic } from '../../../base/index.ts'
import type { EngineAddress } from '../engines/address.ts'
import type { ForeignSource, ForeignStatement } from '../foreign/engine.ts'
import type { PackedBatch } from './packed-batch.ts'

/** To the process that has a database open, over a socket: one call after the other, the next when the last has ended. */
export type ToEngine =
  | { readonly kind: 'describe' | 'settle'; readonly source: ForeignSource }
  | { readonly kind: 'explain'; readonly statement: ForeignStatement }
  | {
      readonly kind: 'run'
      readonly statement: ForeignStatement
      readonly batchRows: number
      readonly limits: BudgetLimits
      /** What is left of its time, milliseconds. */
      readonly remainingMs: number
    }
  /** The batch has been taken: one more may come. */
  | { readonly kind: 'next' }

/** Back from it: `hello` first; of `run` batches, then `end`; of other calls a `value`; of any of them `failed`. */
export type FromEngine =
  | { readonly kind: 'hello' }
  | { readonly kind: 'batch'; readonly batch: PackedBatch }
  | { readonly kind: 'end' }
  | { readonly kind: 'value'; readonly value: unknown }
  /** Without diagnostics where nobody's question can be to blame. */
  | { readonly kind: 'failed'; readonly reason: string; readonly diagnostics?: readonly Diagnostic[] }

/** To that process, from the one that started it. */
export type ToEngineProcess =
  | { readonly kind: 'open'; readonly address: EngineAddress; readonly socket: string }
  | { readonly kind: 'beat' }

export type FromEngineProcess =
  | { readonly kind: 'ready' }
  | { readonly kind: 'beat' }
  | { readonly kind: 'failed'; readonly reason: string; readonly diagnostics?: readonly Diagnostic[] }
