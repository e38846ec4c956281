import { assertNever, invariant, runWithBudget, checkpoint } from '../../../base/index.ts'
import { multiplyHistogram } from '../../../data/index.ts'
import {
  ColumnBlock,
  FLOAT,
  HISTOGRAM,
  dropName,
  histogramAt,
  mergeEqualLabels,
  relabel,
  scalar,
  seriesFunctions,
  setHistogram,
  vector,
  type ScalarValue,
  type ElementOp,
  type SeriesBudget,
  type SeriesColumn,
  type SeriesContext,
  type SeriesValue,
  type Steps,
  type VectorValue,
} from '../../../functions/series/index.ts'
import type { SeriesBinary, SeriesCall, SeriesPlan, SeriesUnary } from '../../../plan/series/index.ts'
import { evaluateAggregate } from './aggregate.ts'
import { scalarWithScalar, vectorWithScalar } from './binary/binary-scalar.ts'
import { setOperation } from './binary/binary-set.ts'
import { vectorWithVector } from './binary/binary-vector.ts'
import { contextAt, type SeriesEnvironment } from './environment.ts'
import { evaluateInfo } from './info.ts'
import { InvariantNodes } from './invariance.ts'
import { evaluateLogs } from './logs.ts'
import { evaluateRange } from './range.ts'
import { ResetReaders } from './reset-readers.ts'
import { CallByMorsels } from './call-morsels.ts'
import { evaluateSelect, type SelectMode } from './select.ts'
import { evaluateSubquery } from './subquery.ts'
import { valueBytes } from './value-bytes.ts'

/** Evaluates the plan of one metric query node by node. Each node is evaluated at all steps at once. */
export class SeriesEvaluator {
  readonly #environment: SeriesEnvironment
  readonly #invariants = new InvariantNodes()
  readonly #resetReaders: ResetReaders
  /** Bytes of the inputs of the node that is being evaluated. */
  #inputBytes = 0

  constructor(plan: SeriesPlan, environment: SeriesEnvironment) {
    this.#environment = environment
    this.#resetReaders = new ResetReaders(plan)
  }

  /** Returns the value of a node at all steps. Throws a SluiceError when the query cannot be answered. */
  async evaluate(node: SeriesPlan, steps: Steps): Promise<SeriesValue> {
    const { budget } = this.#environment
    budget.checkpoint()
    const siblingBytes = this.#inputBytes
    this.#inputBytes = 0
    const { observer } = this.#environment
    const sinceMs = observer === undefined ? 0 : performance.now()
    const value = await this.#evaluateOnceOrMore(node, steps)
    observer?.evaluated(node, seriesIn(value), performance.now() - sinceMs, value)
    const bytes = valueBytes(value)
    budget.charge(bytes)
    // The node's value is complete, so its inputs are no longer needed.
    budget.charge(-this.#inputBytes)
    this.#inputBytes = siblingBytes + bytes
    return value
  }

  async #evaluateOnceOrMore(node: SeriesPlan, steps: Steps): Promise<SeriesValue> {
    if (steps.count === 1 || !this.#invariants.has(node)) return this.#evaluateNode(node, steps)
    const once = await this.#evaluateNode(node, { timesMs: steps.timesMs.slice(0, 1), count: 1 })
    return repeat(once, steps.count, this.#environment.budget)
  }

  async #evaluateNode(node: SeriesPlan, steps: Steps): Promise<SeriesValue> {
    const environment = this.#environment
    switch (node.kind) {
      case 'series-number':
        return scalar(new Float64Array(steps.count).fill(node.value))
      case 'series-text':
        return { kind: 'string', value: node.value }
      case 'series-select': {
        const wantsResets = this.#resetReaders.has(node)
        return evaluateSelect(node, steps, environment, { mode: 'value', wantsResets })
      }
      case 'series-range':
        return evaluateRange(node, steps, environment, this.#resetReaders.has(node.select))
      case 'series-subquery':
        return evaluateSubquery(node, steps, environment, (input, inner) => this.evaluate(input, inner))
      case 'series-logs':
        return evaluateLogs(node, steps, environment)
      case 'series-unary': {
        const input = await this.evaluate(node.input, steps)
        return runWithBudget(environment.budget, () => negate(node, input, contextAt(environment, steps)))
      }
      case 'series-aggregate': {
        const param = node.param === undefined ? undefined : await this.evaluate(node.param, steps)
        const input = await this.evaluate(node.input, steps)
        invariant(input.kind === 'vector', 'aggregations take vectors')
        return runWithBudget(environment.budget, () =>
          evaluateAggregate(node, input, param, contextAt(environment, steps)),
        )
      }
      case 'series-binary':
        return this.#binary(node, steps)
      case 'series-call':
        return this.#call(node, steps)
      default:
        return assertNever(node)
    }
  }

  async #binary(node: SeriesBinary, steps: Steps): Promise<SeriesValue> {
    const environment = this.#environment
    const left = await this.evaluate(node.lhs, steps)
    const right = await this.evaluate(node.rhs, steps)
    const context = contextAt(environment, steps)
    if (left.kind === 'scalar') {
      if (right.kind === 'scalar') return scalarWithScalar(node.op as ElementOp, left, right)
      invariant(right.kind === 'vector', 'operands are scalars or vectors')
      return runWithBudget(environment.budget, () => vectorWithScalar(node, right, left, true, context))
    }
    invariant(left.kind === 'vector', 'operands are scalars or vectors')
    if (right.kind === 'scalar')
      return runWithBudget(environment.budget, () => vectorWithScalar(node, left, right, false, context))
    invariant(right.kind === 'vector' && node.matching !== undefined, 'two vectors are matched')
    const { op, matching } = node
    return runWithBudget(environment.budget, () =>
      op === 'and' || op === 'or' || op === 'unless'
        ? setOperation(op, left, right, matching, steps.count)
        : vectorWithVector(node, matching, left, right, context),
    )
  }

  async #call(node: SeriesCall, steps: Steps): Promise<SeriesValue> {
    const environment = this.#environment
    const context = contextAt(environment, steps)
    const fn = seriesFunctions.get(node.name)
    invariant(fn !== undefined, `function ${node.name} exists`)
    if ('evaluate' in fn) {
      const args: SeriesValue[] = []
      for (const arg of node.args) args.push(await this.evaluate(arg, steps))
      const call = { ...context, origin: node.origin, argPlans: node.args }
      if (fn.bySeries !== undefined) return new CallByMorsels(fn, args, call, environment).run()
      return runWithBudget(environment.budget, () => fn.evaluate(args, call))
    }
    const first = node.args[0]
    if (fn.kernel !== 'info') {
      const mode: SelectMode = fn.kernel
      if (first.kind === 'series-select') {
        const times = await evaluateSelect(first, steps, environment, { mode, wantsResets: false })
        return renamed(times, node, context)
      }
      const input = await this.evaluate(first, steps)
      invariant(input.kind === 'vector', 'argument is a vector')
      return renamed(mode === 'sample-time' ? atStepTimes(input, steps) : vector([]), node, context)
    }
    const base = await this.evaluate(first, steps)
    invariant(base.kind === 'vector', 'argument is a vector')
    return evaluateInfo(node, base, steps, environment)
  }
}

function seriesIn(value: SeriesValue): number {
  return value.kind === 'vector' || value.kind === 'matrix' ? value.series.length : 1
}

/** Returns the vector with the evaluation time as the value of every sample. */
function atStepTimes(input: VectorValue, steps: Steps): VectorValue {
  const values = steps.timesMs.map((timeMs) => timeMs / 1000)
  return vector(
    input.series.map((column): SeriesColumn => ({
      labels: column.labels,
      isNameDropped: column.isNameDropped,
      values,
      kinds: column.kinds.map((kind) => (kind === HISTOGRAM ? FLOAT : kind)),
      histograms: undefined,
    })),
  )
}

function renamed(input: VectorValue, node: SeriesCall, context: SeriesContext): VectorValue {
  const series = input.series.map((column) => {
    const { labels, isNameDropped } = dropName(column.labels, context)
    return relabel(column, labels, isNameDropped)
  })
  return vector(mergeEqualLabels(series, node.origin, true))
}

function negate(node: SeriesUnary, input: SeriesValue, context: SeriesContext): SeriesValue {
  if (node.op === '+') return input
  if (input.kind === 'scalar') return scalar(input.values.map((value) => -value))
  invariant(input.kind === 'vector', 'operand is a scalar or vector')
  const stepCount = context.steps.count
  const block = new ColumnBlock(input.series.length, stepCount, context.budget)
  const series: SeriesColumn[] = []
  for (const [i, column] of input.series.entries()) {
    checkpoint()
    const { labels, isNameDropped } = dropName(column.labels, context)
    const out = block.column(i, labels, isNameDropped)
    for (let step = 0; step < stepCount; step++) {
      if (column.kinds[step] === HISTOGRAM) setHistogram(out, step, multiplyHistogram(histogramAt(column, step), -1))
      else out.values[step] = -column.values[step]
    }
    out.kinds.set(column.kinds)
    series.push(out)
  }
  return vector(mergeEqualLabels(series, node.origin, true))
}

/** Returns a value for all steps, by repeating the value of one step. */
function repeat(value: SeriesValue, stepCount: number, budget: SeriesBudget): SeriesValue {
  if (value.kind === 'scalar') {
    const repeated: ScalarValue = scalar(new Float64Array(stepCount).fill(value.values[0]))
    return repeated
  }
  if (value.kind !== 'vector') return value
  const block = new ColumnBlock(value.series.length, stepCount, budget)
  return vector(
    value.series.map((column, i) => {
      const out = block.column(i, column.labels, column.isNameDropped)
      out.values.fill(column.values[0])
      out.kinds.fill(column.kinds[0])
      if (column.histograms !== undefined) {
        out.histograms = Array.from({ length: stepCount }, () => column.histograms?.[0])
      }
      return out
    }),
  )
}
