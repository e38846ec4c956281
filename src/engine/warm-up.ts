import { columnarBackend } from '../backends/columnar/index.ts'
import { nextTurn, present } from '../base/index.ts'
import type { Value } from '../data/index.ts'
import { standardFunctions } from '../functions/index.ts'
import { createMemoryStore, standardCatalog, type MemoryStore, type MemoryTable } from '../store/index.ts'
import { createEngine } from './engine.ts'

/** Rows of each table: loops over them run often enough to be compiled, and no round takes long. */
const SPANS = 8192
const LOGS = 4096
/** Rows that are stored between two turns. */
const ROWS_AT_ONCE = 1024
/** Of each question: a round takes a tenth of what the first does, and three are not enough for all loops. */
const ROUNDS = 8
const LEVELS = ['info', 'warn', 'error']

/** Questions whose answers are of many rows: how code is compiled depends on what comes by. */
export const warmUpQuestions: readonly { readonly table: string; readonly query: string }[] = [
  {
    table: 'spans',
    query:
      '* | join by (trace_id) (options(domain=logs) * | fields trace_id, level, took) inner | stats by (level) count() n, sum(took) took, sum(duration_seconds) s | sort by (level)',
  },
  {
    table: 'spans',
    query:
      '* | join by (trace_id) (options(domain=logs) * | fields trace_id, level, took) left | stats by (level) count() n, count(took) found, sum(duration_seconds) s | sort by (level)',
  },
  {
    table: 'logs',
    query:
      '* | join by (trace_id) (options(domain=traces) * | fields trace_id, duration_seconds) inner | stats by (level) count() n, sum(took) took, sum(duration_seconds) s | sort by (n desc)',
  },
  {
    table: 'spans',
    query:
      '* | join by (trace_id) (options(domain=logs) * | fields trace_id, level, took) inner | sort by (took desc, span_id) | limit 20',
  },
]

/** Half of the traces of either table are in the other one, too. */
const traceOf = (number: number): string => Math.imul(number + 1, 0x9e3779b1).toString(16)

async function fill(
  table: MemoryTable,
  count: number,
  signal: AbortSignal | undefined,
  row: (index: number) => readonly (readonly [string, Value])[],
): Promise<void> {
  for (let from = 0; from < count; from += ROWS_AT_ONCE) {
    const rows = Array.from({ length: ROWS_AT_ONCE }, (_, i) => ({
      timeNs: BigInt(from + i) * 1000n,
      row: new Map(row(from + i)),
    }))
    table.appendRows(rows)
    await nextTurn()
    signal?.throwIfAborted()
  }
  table.seal()
}

/** What the questions are asked of. Rejects once the signal aborts. */
export async function warmUpStore(signal?: AbortSignal): Promise<MemoryStore> {
  const store = createMemoryStore(standardCatalog)
  await fill(store.table('spans'), SPANS, signal, (index) => [
    ['trace_id', traceOf(index >> 2)],
    ['span_id', traceOf(index + SPANS)],
    ['duration_seconds', index / 1000 + 0.0005],
  ])
  await fill(store.table('logs'), LOGS, signal, (index) => [
    ['trace_id', traceOf((index >> 1) + SPANS / 8)],
    ['level', present(LEVELS[index % LEVELS.length])],
    ['took', index / 10 + 0.05],
  ])
  return store
}

/** Asks one question after the other, with a turn of the event loop before each. Rejects soon after the signal aborts, in the midst of a question too. */
export async function* warmUpSteps(signal?: AbortSignal): AsyncGenerator<void> {
  const store = await warmUpStore(signal)
  const engine = createEngine({ backends: [columnarBackend(store, standardFunctions)], lint: 'off' })
  for (let round = 0; round < ROUNDS; round++) {
    for (const { query, table } of warmUpQuestions) {
      await nextTurn()
      for await (const _ of engine.query(query, { table, signal }).batches()) continue
      yield
    }
  }
}

export interface WarmUpOptions {
  /** Ends it early, without an error. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Has this thread compile what joins run, before somebody waits for one: the first join of a process takes two to three times as long otherwise.
 * Asks questions of some thousand rows of its own, in turns, and keeps nothing; takes about 0.3 s of processor time. For programs that
 * have time at their start; answers are the same without.
 */
export async function warmUp({ signal }: WarmUpOptions = {}): Promise<void> {
  try {
    for await (const _ of warmUpSteps(signal)) continue
  } catch (error) {
    if (signal?.aborted !== true) throw error
  }
}
