import { assertNever, type Span } from '../../../base/index.ts'
import { canon, noCounterpart, type ConvertedQuery, type Filter, type Pipe } from '../../log/index.ts'
import type { Metric, MetricFunction, SpanExpr, Stage, TraceqlExpr } from '../ast.ts'
import { parseTraceqlOrThrow } from '../parse.ts'
import { conditionFilter } from './conditions.ts'
import { fieldOf, logField, Notes } from './fields.ts'

const IN_TRACEQL = 'It is about the spans of a trace together. Ask in TraceQL itself.'

function ofStage(stage: Stage, notes: Notes): Pipe {
  const { span } = stage
  switch (stage.kind) {
    case 'filter-stage': {
      const { filter, pipes } = ofSpans(stage.spans, notes)
      if (pipes.length > 0) return noCounterpart(span, 'a pipeline inside of another', IN_TRACEQL)
      return { kind: 'filter', filter, span }
    }
    case 'select':
      return { kind: 'fields', fields: stage.fields.map((field) => fieldOf(field, notes)), span }
    case 'aggregate':
    case 'by':
    case 'coalesce':
      return noCounterpart(span, `\`${stage.kind === 'aggregate' ? stage.aggregate : stage.kind}()\``, IN_TRACEQL)
    default:
      return assertNever(stage)
  }
}

interface ConvertedSpans {
  readonly filter: Filter
  readonly pipes: readonly Pipe[]
}

function ofSpans(expr: SpanExpr, notes: Notes): ConvertedSpans {
  const { span } = expr
  switch (expr.kind) {
    case 'filter': {
      const all: Filter = { kind: 'pattern', parts: ['', ''], field: undefined, span }
      return { filter: expr.condition === undefined ? all : conditionFilter(expr.condition, notes), pipes: [] }
    }
    case 'operation':
      return noCounterpart(span, `\`${expr.op}\` between spans`, IN_TRACEQL)
    case 'pipeline': {
      const { filter, pipes } = ofSpans(expr.input, notes)
      return { filter, pipes: [...pipes, ...expr.stages.map((stage) => ofStage(stage, notes))] }
    }
    default:
      return assertNever(expr)
  }
}

/** Maps metrics functions without parameters to stats functions. */
const CALLS: Readonly<Partial<Record<MetricFunction['name'], string>>> = {
  rate: 'rate',
  count_over_time: 'count',
  min_over_time: 'min',
  max_over_time: 'max',
  sum_over_time: 'sum',
  avg_over_time: 'avg',
}

function callsOf({ fn, span }: Metric, notes: Notes): readonly { readonly call: object; readonly name: string }[] {
  const args = 'field' in fn ? [fieldOf(fn.field, notes)] : []
  const call = { params: [], args, order: [], nameSpan: span, span }
  if (fn.name === 'quantile_over_time') {
    notes.add('Quantiles are exact; those of TraceQL are estimated from powers of two.')
    return fn.quantiles.map((q) => ({
      call: { ...call, name: 'quantile', params: [{ text: String(q), isQuoted: false, span }] },
      name: `p${q}`,
    }))
  }
  const name = CALLS[fn.name]
  if (name === undefined) return noCounterpart(span, `\`${fn.name}\``, 'Ask in TraceQL itself.')
  return [{ call: { ...call, name }, name: 'value' }]
}

function statsOf(metric: Metric, notes: Notes): Pipe {
  const { by, stages, span } = metric
  if (stages.length > 0) return noCounterpart(span, 'a stage behind a metric', 'Filter or sort behind `stats`.')
  const plain = { bucket: undefined, offset: undefined, zone: undefined, fill: undefined }
  const keys = by.map(({ field }) => ({ ...plain, field: fieldOf(field, notes) }))
  const results = callsOf(metric, notes).map(({ call, name }) => {
    return { call, condition: undefined, cases: [], name: logField(name, span), span }
  })
  return { kind: 'stats', by: keys, results, span } as Pipe
}

function converted(query: TraceqlExpr, notes: Notes): ConvertedSpans {
  if (query.kind === 'trace-query') {
    notes.add('The answer is spans; that of TraceQL is traces.')
    return ofSpans(query.spans, notes)
  }
  const { metric, span } = query
  if (metric.kind !== 'metric') return noCounterpart(span, 'arithmetic on series', 'Use `math` behind `stats`.')
  notes.add('The numbers are those of the whole range; put `_time:5m` into `by` for steps.')
  const { filter, pipes } = ofSpans(metric.spans, notes)
  return { filter, pipes: [...pipes, statsOf(metric, notes)] }
}

function withoutGroup(filter: Filter): Filter {
  return filter.kind === 'group' ? filter.arg : filter
}

/**
 * Converts a TraceQL query to a query of the log language over the span table. Throws SluiceError: `traceql/…` if the
 * query is invalid; `convert/no-counterpart`, with the position, if the log language cannot express a part of it.
 */
export function convertTraceql(text: string): ConvertedQuery {
  const query = parseTraceqlOrThrow(text)
  const notes = new Notes()
  const { filter, pipes } = converted(query, notes)
  const span: Span = query.span
  const options = { options: [], isIncomplete: false, span }
  return { text: canon({ ...options, filter: withoutGroup(filter), pipes }, 'native'), notes: notes.list() }
}
