import { Labels } from '../../data/index.ts'
import {
  MathFault,
  breaches,
  evaluateMath,
  reducePoints,
  type LabelledValue,
  type MathInput,
  type Value,
} from '../conditions/index.ts'
import type { MonitorDefinition, NamedThreshold, Reducer } from './definition.ts'
import { QueryFault, duplicateLabels, type QueryOutput, type QueryPoint, type QuerySeries } from './query-output.ts'
import type { RelativeRange } from './window.ts'

/** A named number with its labels, for `$values` in templates. */
export interface NamedValue {
  readonly labels: Labels
  readonly value: Value
  readonly columns: ReadonlyMap<string, Value>
}

/** A label set of a monitor, with the numbers that determine its state. */
export interface ResolvedSet {
  /** Labels of the result. */
  readonly labels: Labels
  /** True if a threshold is breached. Without thresholds every result breaches, except a row count of zero. */
  readonly isBreaching: (isAlerting: boolean) => boolean
  /** Returns the input of the first breached threshold, or of the first threshold if none is breached. */
  readonly value: (isAlerting: boolean) => Value
  /** Returns the values of all queries, reducers and thresholds for this label set, by name. */
  readonly values: () => ReadonlyMap<string, NamedValue>
}

const last = (points: readonly QueryPoint[]): Value => points.at(-1)?.value

function within(points: readonly QueryPoint[], range: RelativeRange | undefined, nowMs: number): readonly QueryPoint[] {
  if (range === undefined) return points
  return points.filter(({ timeMs }) => timeMs > nowMs + range.fromMs && timeMs <= nowMs + range.toMs)
}

/** Numbers of all inputs of a monitor at one evaluation. */
class Inputs {
  readonly #nowMs: number
  readonly #series = new Map<string, readonly QuerySeries[]>()
  readonly #numbers = new Map<string, MathInput>()
  readonly #columns = new Map<string, ReadonlyMap<string, ReadonlyMap<string, Value>>>()
  /** Input for thresholds and reducers that name no known input. */
  readonly #first: string

  constructor(outputs: readonly QueryOutput[], nowMs: number) {
    this.#nowMs = nowMs
    this.#first = outputs[0]?.name ?? ''
    for (const { name, series } of outputs) {
      this.#series.set(name, series)
      this.#columns.set(name, new Map(series.map(({ labels, columns }) => [labels.key, columns])))
      const numbers = series.map(({ labels, points }) => ({ labels, value: last(points) }))
      this.#numbers.set(name, numbers.length === 0 ? 'no-data' : numbers)
    }
  }

  reduce(reducer: Reducer): void {
    try {
      const numbers = reducer.kind === 'math' ? evaluateMath(reducer.expr, this.#numbers) : this.#reduced(reducer)
      this.#numbers.set(reducer.name, numbers)
    } catch (error) {
      throw error instanceof MathFault ? new QueryFault(`reducer ${reducer.name}: ${error.message}`) : error
    }
  }

  #reduced({ input, type, mode, range }: Reducer & { readonly kind: 'points' }): MathInput {
    const series = this.#series.get(this.#nameOf(input))
    // The input of a reducer may be another reducer, which has a single number and no points.
    if (series === undefined) return this.numbers(input)
    if (series.length === 0) return 'no-data'
    return series.map(({ labels, points }) => {
      const values = within(points, range, this.#nowMs).map(({ value }) => value)
      return { labels, value: reducePoints(type, values, mode) }
    })
  }

  /** Returns the numbers of an input; those of the first query if no input has this name. */
  numbers(name: string | undefined, range?: RelativeRange): MathInput {
    const known = this.#nameOf(name)
    const series = range === undefined ? undefined : this.#series.get(known)
    if (series === undefined) return this.#numbers.get(known) ?? 'no-data'
    return series.map(({ labels, points }) => ({ labels, value: last(within(points, range, this.#nowMs)) }))
  }

  #nameOf(name: string | undefined): string {
    return name !== undefined && this.#numbers.has(name) ? name : this.#first
  }

  /** Returns the values of all inputs whose labels are a subset of `labels`. */
  valuesFor(labels: Labels): Map<string, NamedValue> {
    const found = new Map<string, NamedValue>()
    for (const [name, numbers] of this.#numbers) {
      if (numbers === 'no-data') continue
      const match =
        numbers.find((each) => each.labels.key === labels.key) ?? numbers.find((each) => isSubset(each.labels, labels))
      if (match === undefined) continue
      const columns = this.#columns.get(name)?.get(match.labels.key) ?? new Map<string, Value>()
      found.set(name, { ...match, columns })
    }
    return found
  }
}

function isSubset(subset: Labels, whole: Labels): boolean {
  return subset.names.every((name, i) => whole.get(name) === subset.values[i])
}

interface Input {
  readonly threshold: NamedThreshold | undefined
  readonly value: Value
}

/** Returns the numbers by label set. Throws QueryFault if a label set has two numbers. */
function byLabels(numbers: readonly LabelledValue[]): ReadonlyMap<string, LabelledValue> {
  const found = new Map<string, LabelledValue>()
  for (const each of numbers) {
    const { key } = each.labels
    if (found.has(key)) throw duplicateLabels(each.labels)
    found.set(key, each)
  }
  return found
}

/**
 * Reduces the answers of a monitor's queries to a number for each label set and threshold. Label sets without a number
 * are dropped; the list is empty if there is no data (M14). Throws QueryFault.
 */
export function resolve(
  { reducers, thresholds }: Pick<MonitorDefinition, 'reducers' | 'thresholds'>,
  outputs: readonly QueryOutput[],
  nowMs: number,
): readonly ResolvedSet[] {
  const inputs = new Inputs(outputs, nowMs)
  for (const reducer of reducers) inputs.reduce(reducer)
  const tests: readonly (NamedThreshold | undefined)[] = thresholds.length === 0 ? [undefined] : thresholds
  const sets = new Map<string, { labels: Labels; found: Input[] }>()
  // A search without aggregation returns the count 0 when it finds nothing.
  const isNothingFound = (value: Value): boolean => value === 0 && outputs[0]?.countsRows === true
  for (const threshold of tests) {
    const numbers = inputs.numbers(threshold?.input ?? reducers.at(-1)?.name, threshold?.range)
    if (numbers === 'no-data') continue
    for (const { labels, value } of byLabels(numbers).values()) {
      if (value === undefined) continue
      const set = sets.get(labels.key) ?? { labels, found: [] }
      set.found.push({ threshold, value })
      sets.set(labels.key, set)
    }
  }
  return [...sets.values()].map(({ labels, found }) => {
    const holding = (isAlerting: boolean): Input | undefined =>
      found.find(({ threshold, value }) =>
        threshold === undefined ? !isNothingFound(value) : breaches(threshold, value, isAlerting),
      )
    return {
      labels,
      isBreaching: (isAlerting) => holding(isAlerting) !== undefined,
      value: (isAlerting) => (holding(isAlerting) ?? found[0])?.value,
      values: () => {
        const values = inputs.valuesFor(labels)
        for (const { threshold, value } of found)
          if (threshold !== undefined) values.set(threshold.name, { labels, value, columns: new Map() })
        return values
      },
    }
  })
}
