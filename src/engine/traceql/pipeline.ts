import { ENTRY_BYTES, assertNever, chargeWork, checkpoint, work, type Budget } from '../../base/index.ts'
import {
  printTraceql,
  type AggregateStage,
  type GroupStage,
  type SpanExpr,
  type Stage,
} from '../../lang/traceql/index.ts'
import { computed, conditionOf, type Condition } from './expressions.ts'
import { literalOperand } from './fields.ts'
import type { Trace, TraceSpan } from './model.ts'
import { combined } from './relations.ts'
import { compareOperands, keyOf, numberOf, type Operand } from './values.ts'

/** A value that a pipeline stage adds to a span set. Answers show `undefined` as nil. */
export interface SetAttribute {
  readonly name: string
  readonly value: Operand | undefined
}

/** Spans of one trace that form one result of a query. A set is never empty. */
export interface SpanSet {
  readonly spans: readonly TraceSpan[]
  readonly attributes: readonly SetAttribute[]
}

/** One stage of a pipeline: maps the span sets of a trace to new ones. */
export type SetStep = (sets: readonly SpanSet[], trace: Trace) => readonly SpanSet[]

function present(sets: readonly SpanSet[]): readonly SpanSet[] {
  return sets.filter(({ spans }) => spans.length > 0)
}

/** Returns a set with one more attribute, and charges the set's memory to the query. */
function withAttribute(spans: readonly TraceSpan[], attributes: SpanSet['attributes'], added: SetAttribute): SpanSet {
  chargeWork(ENTRY_BYTES + attributes.length * 8)
  return { spans, attributes: [...attributes, added] }
}

function spansOf(sets: readonly SpanSet[]): readonly TraceSpan[] {
  const [only] = sets
  return sets.length === 1 && only !== undefined ? only.spans : sets.flatMap(({ spans }) => spans)
}

function operation({ op, lhs, rhs }: Extract<SpanExpr, { kind: 'operation' }>): SetStep {
  const [left, right] = [stepOf(lhs), stepOf(rhs)]
  return (sets, trace) =>
    present(
      sets.map((set) => {
        const spans = combined(op, trace, spansOf(left([set], trace)), spansOf(right([set], trace)))
        return { spans, attributes: set.attributes }
      }),
    )
}

/** Compiles a `by` stage, which splits each set by the value of an expression. */
function groupStep({ key }: GroupStage): SetStep {
  const value = computed(key)
  const name = `by(${printTraceql(key)})`
  return (sets) =>
    sets.flatMap(({ spans, attributes }) => {
      const groups = new Map<string, { readonly value: Operand | undefined; readonly spans: TraceSpan[] }>()
      for (const span of spans) {
        work(1)
        const found = value(span)
        const groupKey = keyOf(found)
        const group = groups.get(groupKey)
        if (group === undefined) groups.set(groupKey, { value: found, spans: [span] })
        else group.spans.push(span)
      }
      return Array.from(groups.values(), (group) =>
        withAttribute(group.spans, attributes, { name, value: group.value }),
      )
    })
}

function sumOf(values: readonly Operand[]): Operand {
  const numbers = values.map(numberOf)
  if (numbers.every((value) => typeof value === 'bigint')) {
    const value = numbers.reduce((sum, each) => sum + each, 0n)
    return { type: values[0]?.type === 'duration' ? 'duration' : 'int', value }
  }
  return { type: 'float', value: numbers.reduce<number>((sum, each) => sum + Number(each), 0) }
}

function averageOf(values: readonly Operand[]): Operand {
  const sum = sumOf(values)
  if (sum.type === 'duration') return { type: 'duration', value: sum.value / BigInt(values.length) }
  return { type: 'float', value: Number(numberOf(sum)) / values.length }
}

function extreme(values: readonly Operand[], op: '<' | '>'): Operand | undefined {
  return values.reduce<Operand | undefined>(
    (best, value) => (best === undefined || compareOperands(op, value, best) ? value : best),
    undefined,
  )
}

function aggregated(aggregate: Exclude<AggregateStage['aggregate'], 'count'>, values: readonly Operand[]) {
  switch (aggregate) {
    case 'sum':
      return sumOf(values)
    case 'avg':
      return averageOf(values)
    case 'min':
      return extreme(values, '<')
    case 'max':
      return extreme(values, '>')
    default:
      return assertNever(aggregate)
  }
}

/**
 * Compiles an aggregate stage. It keeps the sets whose aggregate satisfies a comparison, and adds the aggregate to them
 * as an attribute.
 */
function aggregateStep({ aggregate, argument, op, value }: AggregateStage): SetStep {
  const name = `${aggregate}(${argument === undefined ? '' : printTraceql(argument)})`
  const read = argument === undefined ? undefined : computed(argument)
  const limit = literalOperand(value.literal)
  const resultOf = (spans: readonly TraceSpan[]): Operand | undefined => {
    if (aggregate === 'count' || read === undefined) return { type: 'int', value: BigInt(spans.length) }
    const values = spans
      .map(read)
      .filter((found) => found !== undefined)
      .filter((found) => numberOf(found) !== undefined)
    return values.length === 0 ? undefined : aggregated(aggregate, values)
  }
  return (sets) =>
    sets.flatMap(({ spans, attributes }) => {
      const result = resultOf(spans)
      return compareOperands(op, result, limit) ? [withAttribute(spans, attributes, { name, value: result })] : []
    })
}

function stageStep(stage: Stage): SetStep {
  switch (stage.kind) {
    case 'filter-stage':
      return stepOf(stage.spans)
    case 'aggregate':
      return aggregateStep(stage)
    case 'by':
      return groupStep(stage)
    case 'coalesce':
      return (sets) => (sets.length === 0 ? [] : [{ spans: spansOf(sets), attributes: [] }])
    case 'select':
      return (sets) => sets
    default:
      return assertNever(stage)
  }
}

function filtered(spans: readonly TraceSpan[], test: Condition): readonly TraceSpan[] {
  return spans.filter((span) => {
    work(1)
    return test(span)
  })
}

/** Compiles an expression over spans. Throws `regexp/invalid`. */
export function stepOf(expr: SpanExpr): SetStep {
  switch (expr.kind) {
    case 'filter': {
      const test = conditionOf(expr.condition)
      return (sets) => present(sets.map(({ spans, attributes }) => ({ spans: filtered(spans, test), attributes })))
    }
    case 'operation':
      return operation(expr)
    case 'pipeline': {
      const steps = [stepOf(expr.input), ...expr.stages.map(stageStep)]
      return (sets, trace) =>
        steps.reduce((current, step) => {
          work(current.length)
          return step(current, trace)
        }, sets)
    }
    default:
      return assertNever(expr)
  }
}

/**
 * Compiles an expression to a function that returns the span sets of a trace. The memory of the sets is charged to the
 * query.
 */
export function spanSets(expr: SpanExpr): (trace: Trace) => readonly SpanSet[] {
  const step = stepOf(expr)
  return (trace) => {
    checkpoint()
    return step([{ spans: trace.spans, attributes: [] }], trace)
  }
}

/** Calls `take` for each span that a query finds in a trace, then releases the memory of the span sets. */
export function eachSpanOf(
  budget: Budget,
  evaluate: (trace: Trace) => readonly SpanSet[],
  trace: Trace,
  take: (span: TraceSpan) => void,
): void {
  const before = budget.usedBytes
  const sets = evaluate(trace)
  const bytes = budget.usedBytes - before
  for (const { spans } of sets) for (const span of spans) take(span)
  budget.charge(-bytes)
}
