import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import type {
  AtModifier,
  BinaryOp,
  DurationExpr,
  Matcher,
  PromqlExpr,
  VectorSelector,
} from '../../../src/lang/promql/ast.ts'
import { lengthOf } from '../../../src/lang/promql/build-duration.ts'
import { PLAIN_MATCHING } from '../../../src/lang/promql/build.ts'
import * as make from '../../../src/lang/promql/make.ts'
import { isPlainMetricName } from '../../../src/lang/promql/parser/tokens.ts'
import { restrictSelector } from '../../../src/lang/promql/transform.ts'
import { seriesSignatures, type SeriesType } from '../../../src/plan/index.ts'

/** Options of the generators of expressions. */
export interface ExprShape {
  /** Generator of names, labels and values. */
  readonly texts: Arbitrary<string>
  readonly depth: number
}

const NO_SPAN = make.NO_PLACE
const PLAIN_WORDS = [
  'up',
  'http_requests_total',
  'job:rate:5m',
  'node_cpu',
  'a',
  'fill',
  'start',
  'by',
  'offset',
  'sum',
]
const LABELS = ['job', 'instance', 'le', 'on', 'group_left', 'service.name', 'ü', 'x y']

/** Draws a string without unpaired surrogates. */
export const anyText: Arbitrary<string> = fc.string({ unit: 'binary', maxLength: 6 })
export const wordText: Arbitrary<string> = fc.constantFrom(...PLAIN_WORDS, ...LABELS)

export const anyShape: ExprShape = { texts: fc.oneof(wordText, anyText), depth: 3 }

function durationNumber(seconds: number, isDuration: boolean): DurationExpr {
  return { kind: 'duration-number', seconds, isDuration, isWrapped: false, span: NO_SPAN }
}

const seconds = fc.integer({ min: 1, max: 10_000_000 }).map((ms) => durationNumber(ms / 1000, true))
const fraction = fc.integer({ min: 1, max: 1_000_000 }).map((n) => durationNumber(n / 64, false))
const literal = fc.oneof(seconds, fraction)

function durationCall(name: 'step' | 'range' | 'min_of' | 'max_of', args: readonly DurationExpr[]): DurationExpr {
  return { kind: 'duration-call', name, args, isWrapped: false, span: NO_SPAN }
}

/** Durations in parentheses, so that their meaning does not depend on adjacent operators. */
const wrapped: Arbitrary<DurationExpr> = fc.letrec<{ expr: DurationExpr }>((tie) => ({
  expr: fc.oneof(
    { maxDepth: 3 },
    literal.map((expr) => ({ ...expr, isWrapped: true })),
    fc.constantFrom('step' as const, 'range' as const).map((name) => durationCall(name, [])),
    fc
      .tuple(fc.constantFrom('min_of' as const, 'max_of' as const), tie('expr'), tie('expr'))
      .map(([name, a, b]) => durationCall(name, [a, b])),
    fc
      .tuple(fc.constantFrom('+', '-', '*', '/', '%', '^'), tie('expr'), tie('expr'))
      .map(([op, lhs, rhs]): DurationExpr => {
        const kind = { kind: 'duration-binary', op: op as '+', lhs, rhs } as const
        return { ...kind, isWrapped: true, span: NO_SPAN }
      }),
    tie('expr').map((expr): DurationExpr => ({
      kind: 'duration-unary',
      op: '-',
      expr,
      isWrapped: true,
      span: NO_SPAN,
    })),
  ),
})).expr

const duration = fc.oneof({ weight: 3, arbitrary: literal }, { weight: 1, arbitrary: wrapped })

const at: Arbitrary<AtModifier> = fc.oneof(
  fc.integer({ min: -1e15, max: 1e15 }).map((timeMs): AtModifier => ({ kind: 'time', timeMs })),
  fc.constantFrom<AtModifier>({ kind: 'start' }, { kind: 'end' }),
)

const modifiers = fc.record({
  offset: fc.option(fc.tuple(duration, fc.boolean()), { nil: undefined, freq: 2 }),
  at: fc.option(at, { nil: undefined, freq: 2 }),
})

function offsetOf(offset: readonly [DurationExpr, boolean] | undefined): {
  offsetMs: number
  offsetExpr: DurationExpr | undefined
} {
  const [expr, isNegative] = offset ?? [undefined, false]
  const signed =
    expr?.kind === 'duration-number' && !expr.isWrapped && isNegative ? { ...expr, seconds: -expr.seconds } : expr
  const length = lengthOf(signed)
  return { offsetMs: length.ms, offsetExpr: length.expr }
}

function selectorOf(shape: ExprShape): Arbitrary<VectorSelector> {
  const matcher: Arbitrary<Matcher> = fc.oneof(
    fc.record({ label: shape.texts, op: fc.constantFrom('=' as const, '!=' as const), value: shape.texts }),
    fc.record({
      label: fc.constantFrom(...LABELS),
      op: fc.constantFrom('=~' as const, '!~' as const),
      value: fc.constantFrom('a|b', '.+', '(?i)x.*', '\\d+'),
    }),
  )
  return fc
    .tuple(
      shape.texts,
      fc.uniqueArray(matcher, { maxLength: 3, selector: (m) => `${m.label}${m.op}${m.value}` }),
      modifiers,
    )
    .map(([name, matchers, change]) => {
      const isBare = isPlainMetricName(name)
      const metric = name === '' ? 'up' : name
      const bare: VectorSelector = {
        kind: 'vector-selector',
        valueType: 'vector',
        name: isBare ? metric : '',
        matchers: [{ label: '__name__', op: '=', value: metric }],
        offsetMs: 0,
        offsetExpr: undefined,
        at: undefined,
        extension: undefined,
        span: NO_SPAN,
      }
      const others = matchers.filter((m) => m.label !== '__name__')
      return { ...restrictSelector(bare, others), ...offsetOf(change.offset), at: change.at }
    })
}

const numbers: Arbitrary<PromqlExpr> = fc.oneof(
  fc.double().map((value) => make.number(value)),
  fc.integer({ min: 0, max: 1000 }).map((value) => make.number(value)),
  fc.integer({ min: 1, max: 100_000 }).map((ms) => make.number(ms / 1000, true)),
)

const ARITHMETIC: readonly BinaryOp[] = ['+', '-', '*', '/', '%', '^', 'atan2']
const COMPARISON: readonly BinaryOp[] = ['==', '!=', '>', '<', '>=', '<=']
const TRIM: readonly BinaryOp[] = ['</', '>/']

function closedUnary(op: '+' | '-', inner: PromqlExpr): PromqlExpr {
  const expr = make.closed(inner)
  // The sign of a number is part of the number.
  if (expr.kind === 'number') return expr
  return { kind: 'unary', valueType: expr.valueType, op, expr, span: NO_SPAN }
}

function isInfoOrLabel(name: string): boolean {
  return ['info', 'label_replace', 'label_join'].includes(name)
}

/** Draws well-typed expressions in canonical form: printing and parsing one gives the same syntax tree. */
export function expressions(shape: ExprShape): Arbitrary<PromqlExpr> {
  const select = selectorOf(shape)
  const labels = fc.uniqueArray(
    shape.texts.filter((label) => label !== ''),
    { maxLength: 3 },
  )
  return fc.letrec<{ vector: PromqlExpr; scalar: PromqlExpr; matrix: PromqlExpr }>((tie) => {
    const argument = (type: SeriesType): Arbitrary<PromqlExpr> =>
      type === 'string' ? shape.texts.map((value) => make.text(value)) : tie(type)
    const callOf = (returns: SeriesType): Arbitrary<PromqlExpr> => {
      const all = [...seriesSignatures.values()].filter((s) => s.returns === returns && !isInfoOrLabel(s.name))
      return fc.constantFrom(...all).chain((signature) => {
        const { args, name } = signature
        return fc.tuple(...args.map((type) => argument(type))).map((given) => make.call(name, given))
      })
    }
    const matching = fc
      .record({
        isOn: fc.boolean(),
        labels,
        grouping: fc.constantFrom('one-to-one' as const, 'many-to-one' as const, 'one-to-many' as const),
        include: labels,
        fillLeft: fc.option(fc.double(), { nil: undefined, freq: 1 }),
        fillRight: fc.option(fc.double(), { nil: undefined, freq: 1 }),
      })
      .map(({ isOn, labels: names, grouping, include, fillLeft, fillRight }) => ({
        cardinality: grouping,
        isOn,
        labels: names,
        include: grouping === 'one-to-one' ? [] : include.filter((label) => !names.includes(label)),
        fillLeft,
        fillRight,
      }))
    const operation = (ops: readonly BinaryOp[], left: 'vector' | 'scalar', right: 'vector' | 'scalar') =>
      fc
        .tuple(fc.constantFrom(...ops), matching, fc.boolean(), tie(left), tie(right))
        .map(([op, match, isBool, a, b]) => {
          const isComparison = COMPARISON.includes(op)
          const isScalar = left === 'scalar' && right === 'scalar'
          return make.binary(op, { isBool: isComparison && (isBool || isScalar), matching: match }, a, b)
        })
    const setOperation = fc
      .tuple(fc.constantFrom('and' as const, 'or' as const, 'unless' as const), labels, tie('vector'), tie('vector'))
      .map(([op, names, a, b]) => {
        const match = { ...PLAIN_MATCHING, isOn: names.length > 0, labels: names }
        return make.binary(op, { isBool: false, matching: match }, a, b)
      })
    const aggregation = fc
      .tuple(fc.constantFrom('sum', 'avg', 'count', 'group'), tie('vector'), labels, fc.boolean())
      .map(([op, inner, names, isWithout]) => make.aggregation(op, inner, undefined, names, isWithout))
    const ranked = fc
      .tuple(fc.constantFrom('topk', 'quantile', 'limitk'), tie('scalar'), tie('vector'), labels)
      .map(([op, param, inner, names]) => make.aggregation(op, inner, param, names, false))
    const range = fc.tuple(select, duration).map(([selector, length]): PromqlExpr => {
      const { ms: rangeMs, expr: rangeExpr } = lengthOf(length)
      return { kind: 'matrix-selector', valueType: 'matrix', selector, rangeMs, rangeExpr, span: NO_SPAN }
    })
    const subquery = fc
      .tuple(tie('vector'), duration, fc.option(duration, { nil: undefined }), modifiers)
      .map(([inner, length, step, change]): PromqlExpr => {
        const { ms: rangeMs, expr: rangeExpr } = lengthOf(length)
        const { ms: stepMs, expr: stepExpr } = lengthOf(step)
        return {
          kind: 'subquery',
          valueType: 'matrix',
          expr: make.closed(inner),
          rangeMs,
          rangeExpr,
          stepMs,
          stepExpr,
          ...offsetOf(change.offset),
          at: change.at,
          span: NO_SPAN,
        }
      })
    const both = [...ARITHMETIC, ...COMPARISON, ...TRIM]
    return {
      vector: fc.oneof(
        { maxDepth: shape.depth, depthIdentifier: 'expr' },
        select,
        callOf('vector'),
        aggregation,
        ranked,
        operation(both, 'vector', 'vector'),
        operation(both, 'vector', 'scalar'),
        operation(both, 'scalar', 'vector'),
        setOperation,
        tie('vector').map((expr) => make.paren(expr)),
        fc.tuple(fc.constantFrom('+' as const, '-' as const), tie('vector')).map(([op, expr]) => closedUnary(op, expr)),
      ),
      scalar: fc.oneof(
        { maxDepth: shape.depth, depthIdentifier: 'expr' },
        numbers,
        callOf('scalar'),
        operation([...ARITHMETIC, ...COMPARISON], 'scalar', 'scalar'),
      ),
      matrix: fc.oneof({ maxDepth: shape.depth, depthIdentifier: 'expr' }, range, subquery),
    }
  }).vector
}

/** Returns the syntax tree without positions, for comparison. NaN and −0 are preserved. */
export function withoutSpans(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutSpans(item))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key]) => key !== 'span')
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutSpans(item)]))
}
