import { nextTurn } from '../base/index.ts'
import type { Value } from '../data/index.ts'
import type { MemoryStore, MemoryTable } from '../store/index.ts'

/** Questions over rows of their own, and where these lie. */
export interface WarmUpPart {
  readonly questions: readonly { readonly table: string; readonly query: string }[]
  /** How often each is asked: the first round takes most of it. */
  readonly rounds: number
  /** Rejects once the signal aborts. */
  readonly store: (signal?: AbortSignal) => Promise<MemoryStore>
}

/** Rows that are stored between two turns. */
const ROWS_AT_ONCE = 1024

/** Stores rows, a microsecond between each two, and seals them in segments of so many. Rejects once the signal aborts. */
export async function storeInTurns(
  table: MemoryTable,
  count: number,
  segmentRows: number,
  signal: AbortSignal | undefined,
  row: (index: number) => readonly (readonly [string, Value])[],
): Promise<void> {
  for (let from = 0; from < count; from += ROWS_AT_ONCE) {
    const rows = Array.from({ length: ROWS_AT_ONCE }, (_, i) => ({
      timeNs: BigInt(from + i) * 1000n,
      row: new Map(row(from + i)),
    }))
    table.appendRows(rows)
    if ((from + ROWS_AT_ONCE) % segmentRows === 0) table.seal()
    await nextTurn()
    signal?.throwIfAborted()
  }
}
