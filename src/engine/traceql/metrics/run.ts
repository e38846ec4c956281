import { assertNever, runWithBudget } from '../../../base/index.ts'
import type { FieldRef, Metric, MetricExpr } from '../../../lang/traceql/index.ts'
import { columnsOfFields, columnsOfTraces, fieldsIn } from '../columns.ts'
import { Trace } from '../model.ts'
import { fieldNeedsTrace, needsTrace } from '../needs.ts'
import { eachSpanOf, spanSets } from '../pipeline.ts'
import { prefilterOf } from '../prefilter.ts'
import { eachSpan, type SpanReading } from '../read-spans.ts'
import { eachTrace } from '../search.ts'
import { Accumulator } from './accumulate.ts'
import { Comparison } from './compare.ts'
import { alignedTimes, type SampleTimes, type TraceSeries } from './series.ts'
import { arithmetic, staged, type MetricValue } from './stages.ts'

function fieldsOf({ fn, by }: Metric): readonly FieldRef[] {
  const keys = by.map(({ field }) => field)
  return 'field' in fn ? [...keys, fn.field] : keys
}

/**
 * Calls `take` for each trace. If a metric does not depend on other spans, calls it with each span as a trace of its
 * own.
 */
async function eachPart(
  reading: SpanReading,
  metric: Metric,
  times: SampleTimes,
  take: (trace: Trace) => void,
): Promise<void> {
  const { spans, fn } = metric
  const fields = fieldsOf(metric)
  const read = [...fieldsIn(spans), ...fields]
  const range = { startNs: times.startNs, endNs: times.endNs + 1n }
  if (fn.name === 'compare' || needsTrace(spans) || fields.some(fieldNeedsTrace)) {
    const columns = fn.name === 'compare' ? undefined : columnsOfTraces(read)
    return eachTrace(reading, { spans, range, limit: Infinity }, columns, ({ trace }) => {
      take(trace)
      return true
    })
  }
  await eachSpan(reading, { predicate: prefilterOf(spans), columns: columnsOfFields(read) }, range, (span) => {
    take(new Trace(span.traceId, [span]))
  })
}

async function ofMetric(reading: SpanReading, metric: Metric, times: SampleTimes): Promise<readonly TraceSeries[]> {
  const { fn } = metric
  const evaluate = spanSets(metric.spans)
  const target =
    fn.name === 'compare'
      ? new Comparison(fn, times, reading.budget)
      : new Accumulator(metric, fn, times, reading.budget)
  await eachPart(reading, metric, times, (trace) =>
    eachSpanOf(reading.budget, evaluate, trace, (span) => target.add(span)),
  )
  return runWithBudget(reading.budget, () => staged(target.series(), metric.stages))
}

async function valueOf(reading: SpanReading, expr: MetricExpr, times: SampleTimes): Promise<MetricValue> {
  switch (expr.kind) {
    case 'metric':
      return ofMetric(reading, expr, times)
    case 'number':
      return expr.value
    case 'arithmetic': {
      const lhs = await valueOf(reading, expr.lhs, times)
      const rhs = await valueOf(reading, expr.rhs, times)
      return runWithBudget(reading.budget, () => {
        const value = arithmetic(expr.op, lhs, rhs)
        return typeof value === 'number' ? value : staged(value, expr.stages)
      })
    }
    default:
      return assertNever(expr)
  }
}

/** The answer of a metrics query, and the sample times: from start to end, in steps. */
export interface TraceMetrics {
  readonly series: readonly TraceSeries[]
  readonly times: SampleTimes
}

/** Evaluates a metrics query at each step of a range, or once for the whole range. Throws a SluiceError. */
export async function runTraceMetrics(
  reading: SpanReading,
  metric: MetricExpr,
  asked: SampleTimes,
): Promise<TraceMetrics> {
  const times = alignedTimes(asked)
  const value = await valueOf(reading, metric, times)
  return { series: typeof value === 'number' ? [] : value, times }
}
