import { assertNever, runWithBudget } from '../../../base/index.ts'
import type { FieldRef, Metric, MetricExpr } from '../../../lang/traceql/index.ts'
import { columnsOfFields, columnsOfTraces, fieldsIn } from '../columns.ts'
import { Trace } from '../model.ts'
import { fieldNeedsTrace, needsTrace } from '../needs.ts'
import { eachSpanOf, spanSets } from '../pipeline.ts'
import { prefilterOf } from '../prefilter.ts'
import { eachSpan, type SpanAccess } from '../read-spans.ts'
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
 * Calls `take` for each trace. If the metric does not depend on other spans of a trace, each span is passed as a trace
 * of its own.
 */
async function eachInterval(
  access: SpanAccess,
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
    return eachTrace(access, { spans, range, limit: Infinity }, columns, ({ trace }) => {
      take(trace)
      return true
    })
  }
  await eachSpan(access, { predicate: prefilterOf(spans), columns: columnsOfFields(read) }, range, (span) => {
    take(new Trace(span.traceId, [span]))
  })
}

async function ofMetric(access: SpanAccess, metric: Metric, times: SampleTimes): Promise<readonly TraceSeries[]> {
  const { fn } = metric
  const evaluate = spanSets(metric.spans)
  const target =
    fn.name === 'compare' ? new Comparison(fn, times, access.budget) : new Accumulator(metric, fn, times, access.budget)
  await eachInterval(access, metric, times, (trace) =>
    eachSpanOf(access.budget, evaluate, trace, (span) => target.add(span)),
  )
  return runWithBudget(access.budget, () => staged(target.series(), metric.stages))
}

async function valueOf(access: SpanAccess, expr: MetricExpr, times: SampleTimes): Promise<MetricValue> {
  switch (expr.kind) {
    case 'metric':
      return ofMetric(access, expr, times)
    case 'number':
      return expr.value
    case 'arithmetic': {
      const lhs = await valueOf(access, expr.lhs, times)
      const rhs = await valueOf(access, expr.rhs, times)
      return runWithBudget(access.budget, () => {
        const value = arithmetic(expr.op, lhs, rhs)
        return typeof value === 'number' ? value : staged(value, expr.stages)
      })
    }
    default:
      return assertNever(expr)
  }
}

/** The answer of a metrics query, with its sample times: from start to end, by step. */
export interface TraceMetrics {
  readonly series: readonly TraceSeries[]
  readonly times: SampleTimes
}

/** Evaluates a metrics query at each step of a range, or once for the whole range. Throws SluiceError. */
export async function runTraceMetrics(
  access: SpanAccess,
  metric: MetricExpr,
  asked: SampleTimes,
): Promise<TraceMetrics> {
  const times = alignedTimes(asked)
  const value = await valueOf(access, metric, times)
  return { series: typeof value === 'number' ? [] : value, times }
}
