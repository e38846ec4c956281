import { present } from '../base/index.ts'
import { createMemoryStore, standardCatalog } from '../store/index.ts'
import { storeInTurns, type WarmUpPart } from './warm-up-part.ts'

/** Rows of each table: loops over them run often enough to be compiled, and no round takes long. */
const SPANS = 8192
const LOGS = 4096
const LEVELS = ['info', 'warn', 'error']

/** Half of the traces of either table are in the other one, too. */
const traceOf = (number: number): string => Math.imul(number + 1, 0x9e3779b1).toString(16)

/** Joins. Their answers are of many rows: how code is compiled depends on what comes by. */
export const joins: WarmUpPart = {
  questions: [
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
  ],
  // A round takes a tenth of what the first does, and three are not enough for all loops.
  rounds: 8,
  async store(signal) {
    const store = createMemoryStore(standardCatalog)
    await storeInTurns(store.table('spans'), SPANS, SPANS, signal, (index) => [
      ['trace_id', traceOf(index >> 2)],
      ['span_id', traceOf(index + SPANS)],
      ['duration_seconds', index / 1000 + 0.0005],
    ])
    await storeInTurns(store.table('logs'), LOGS, LOGS, signal, (index) => [
      ['trace_id', traceOf((index >> 1) + SPANS / 8)],
      ['level', present(LEVELS[index % LEVELS.length])],
      ['took', index / 10 + 0.05],
    ])
    return store
  },
}
