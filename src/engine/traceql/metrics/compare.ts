import type { Budget } from '../../../base/index.ts'
import type { IntrinsicName, MetricFunction } from '../../../lang/traceql/index.ts'
import type { Attributes } from '../../../ingest/otlp/stored/index.ts'
import { conditionOf, type Condition } from '../expressions.ts'
import { fieldValue } from '../fields.ts'
import type { TraceSpan } from '../model.ts'
import { keyOf, operandOf, type Operand } from '../values.ts'
import { printTraceql } from '../../../lang/traceql/index.ts'
import { sampleCount, sampleOf, type SampleTimes, type SeriesLabel, type TraceSeries } from './series.ts'

type Side = 'baseline' | 'selection'

/** Intrinsics that `compare()` covers, because they have few distinct values. */
const COMPARED = [
  'name',
  'status',
  'statusMessage',
  'kind',
  'rootName',
  'rootServiceName',
  'instrumentation:name',
  'instrumentation:version',
] as const satisfies readonly IntrinsicName[]

/** Estimated memory of a counted value without its string and its counts, bytes. */
const VALUE_BYTES = 200

interface Counted {
  readonly value: Operand
  readonly counts: Float64Array
  total: number
}

/** Counts the values of one attribute on one side: the selection or the baseline. */
class AttributeCounts {
  readonly values = new Map<string, Counted>()
  readonly totals: Float64Array

  constructor(count: number) {
    this.totals = new Float64Array(count)
  }
}

const NO_SPAN = { start: 0, end: 0 }

/** Counts the values of every attribute, separately for the selected spans and for the others. */
export class Comparison {
  readonly #fn: Extract<MetricFunction, { name: 'compare' }>
  readonly #times: SampleTimes
  readonly #budget: Budget
  readonly #isSelected: Condition
  readonly #sides: Readonly<Record<Side, Map<string, AttributeCounts>>> = { baseline: new Map(), selection: new Map() }

  constructor(fn: Extract<MetricFunction, { name: 'compare' }>, times: SampleTimes, budget: Budget) {
    this.#fn = fn
    this.#times = times
    this.#budget = budget
    this.#isSelected = conditionOf(fn.selection.condition)
  }

  add(span: TraceSpan): void {
    const sample = sampleOf(this.#times, span.sent.startNs)
    if (sample === -1) return
    const side = this.#isInWindow(span) && this.#isSelected(span) ? 'selection' : 'baseline'
    for (const name of COMPARED)
      this.#count(side, name, fieldValue({ kind: 'intrinsic', name, span: NO_SPAN }, span), sample)
    this.#countAll(side, 'span', span.sent.attributes, sample)
    this.#countAll(side, 'resource', span.sent.resource, sample)
    this.#countAll(side, 'instrumentation', span.sent.scope.attributes, sample)
  }

  #isInWindow({ sent: { startNs } }: TraceSpan): boolean {
    const { window } = this.#fn
    return window === undefined || (startNs >= window.startNs && startNs < window.endNs)
  }

  #countAll(side: Side, scope: 'span' | 'resource' | 'instrumentation', attributes: Attributes, sample: number): void {
    for (const [name, value] of attributes) {
      const label = printTraceql({ kind: 'attribute', scope, name, span: NO_SPAN })
      this.#count(side, label, operandOf(value), sample)
    }
  }

  #count(side: Side, attribute: string, value: Operand | undefined, sample: number): void {
    if (value === undefined) return
    const all = this.#sides[side]
    let counts = all.get(attribute)
    if (counts === undefined) {
      counts = new AttributeCounts(sampleCount(this.#times))
      this.#budget.charge(VALUE_BYTES + counts.totals.byteLength)
      all.set(attribute, counts)
    }
    counts.totals[sample] = (counts.totals[sample] ?? 0) + 1
    const key = keyOf(value)
    let counted = counts.values.get(key)
    if (counted === undefined) {
      counted = { value, counts: new Float64Array(counts.totals.length), total: 0 }
      this.#budget.charge(VALUE_BYTES + key.length * 4 + counted.counts.byteLength)
      counts.values.set(key, counted)
    }
    counted.counts[sample] = (counted.counts[sample] ?? 0) + 1
    counted.total++
  }

  series(): readonly TraceSeries[] {
    return (['baseline', 'selection'] as const).flatMap((side) => this.#seriesOf(side))
  }

  #seriesOf(side: Side): readonly TraceSeries[] {
    const meta = (value: string): SeriesLabel => ({ name: '__meta_type', value: { type: 'string', value } })
    return [...this.#sides[side]].flatMap(([attribute, { values, totals }]) => {
      const top = [...values.values()].toSorted((a, b) => b.total - a.total).slice(0, this.#fn.top)
      return [
        ...top.map(({ value, counts }) => ({ labels: [meta(side), { name: attribute, value }], values: counts })),
        { labels: [meta(`${side}_total`), { name: attribute, value: undefined }], values: totals },
      ]
    })
  }
}
