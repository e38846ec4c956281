import type { Budget, Interval } from '../../src/base/index.ts'
import { Instant, type Row, type Value } from '../../src/data/index.ts'
import type { Engine } from '../../src/engine/index.ts'
import {
  runTraceMetrics,
  searchTraces,
  serviceOf,
  type Operand,
  type SpanAccess,
} from '../../src/engine/traceql/index.ts'
import { parseTraceqlOrThrow } from '../../src/lang/traceql/index.ts'
import type { ExplainTree } from '../../src/plan/index.ts'
import { NOW_NS } from './tables.ts'

/** Time range of trace queries, ns since 1970: two hours up to the current time of the blocks. */
const range: Interval = { startNs: NOW_NS - 7_200_000_000_000n, endNs: NOW_NS }

/** Maximum number of traces in a search, as in the console. */
const MAX_TRACES = 200

function shownValue(value: Operand | undefined): string {
  if (value === undefined) return 'nil'
  return value.type === 'array' ? value.items.map(shownValue).join(', ') : String(value.value)
}

const seconds = (ns: bigint): number => Number(ns) / 1e9

/** Rows of an answer, and the plan of each read, in order. */
export interface SpanAnswer {
  readonly rows: readonly Row[]
  readonly plans: readonly ExplainTree[]
}

/**
 * Runs a TraceQL query over the table of spans. A search returns one row for each trace, a metric query one row for
 * each series, computed over the whole range. Throws SluiceError.
 */
export async function searchSpans(
  text: string,
  engine: Engine,
  budget: Budget,
  signal: AbortSignal,
): Promise<SpanAnswer> {
  const query = parseTraceqlOrThrow(text)
  const plans: ExplainTree[] = []
  const read: SpanAccess['rows']['read'] = (plan, within) => {
    const result = engine.queryPlan(plan, { range: within, signal })
    plans.push(result.explain())
    return result.batches()
  }
  const reading: SpanAccess = { rows: { read }, budget }
  if (query.kind === 'trace-query') {
    const found = await searchTraces(reading, { spans: query.spans, range, limit: MAX_TRACES })
    const rows = found.map(({ trace, sets }) => {
      const spans = sets.reduce((sum, set) => sum + set.spans.length, 0)
      const row: [string, Value][] = [
        ['_time', new Instant(trace.startNs)],
        ['service', trace.root === undefined ? null : serviceOf(trace.root)],
        ['root', trace.root?.name ?? null],
        ['seconds', seconds(trace.durationNs)],
        ['trace_id', trace.id],
        ['spans', spans],
      ]
      return new Map(row)
    })
    return { rows, plans }
  }
  const { series } = await runTraceMetrics(reading, query.metric, { ...range, stepNs: undefined })
  const rows = series.map(({ labels, values }): Row => {
    const shown = labels.map(({ name, value }): [string, Value] => [name, shownValue(value)])
    return new Map<string, Value>([...shown, ['value', values[0] ?? null]])
  })
  return { rows, plans }
}
