import type { Labels } from '../../../data/index.ts'
import { createEngine } from '../../../engine/index.ts'
import { createPromql, type PromqlEngine } from '../../../engine/metrics/index.ts'
import { SampleStore } from '../../../store/samples/index.ts'
import { ruleResult, type RuleQueries, type RuleResult, type SampleSink } from '../../rules/index.ts'
import type { SeriesDescription, SeriesPoint } from './series/notation.ts'

/** Stores a point of series notation; an omitted one is skipped. */
export function appendPoint({ writer }: SampleStore, labels: Labels, timeMs: number, point: SeriesPoint): void {
  if (point.kind === 'float') writer.append(labels, { timeMs, value: point.value })
  else if (point.kind === 'stale') writer.append(labels, { timeMs, value: NaN, isStale: true })
  else if (point.kind === 'histogram') writer.append(labels, { timeMs, value: 0, histogram: point.histogram })
}

/** Samples of a test in memory: input series up to a time, and series written by rules. */
export class TestSamples implements RuleQueries, SampleSink {
  readonly #store = new SampleStore()
  readonly #promql: PromqlEngine
  readonly #startMs: number
  readonly #intervalMs: number
  /** Input series, each with the number of points stored so far. */
  readonly #input: { readonly series: SeriesDescription; stored: number }[]

  constructor(series: readonly SeriesDescription[], startMs: number, intervalMs: number, defaultStepMs: number) {
    this.#startMs = startMs
    this.#intervalMs = intervalMs
    this.#input = series.map((each) => ({ series: each, stored: 0 }))
    this.#promql = createPromql(createEngine(), this.#store, { defaultStepMs })
  }

  /** Stores the points of the input series up to a time, inclusive. */
  loadUntil(atMs: number): void {
    for (const input of this.#input) {
      const { labels, points } = input.series
      for (; input.stored < points.length; input.stored++) {
        const timeMs = this.#startMs + input.stored * this.#intervalMs
        if (timeMs > atMs) break
        const point = points[input.stored]
        if (point !== undefined) appendPoint(this.#store, labels, timeMs, point)
      }
    }
  }

  write(samples: Parameters<SampleSink['write']>[0]): void {
    for (const { labels, sample } of samples) this.#store.writer.append(labels, sample)
  }

  async instant(expression: string, atMs: number): Promise<RuleResult> {
    return ruleResult(await this.#promql.query(expression, { timeMs: atMs }).answer())
  }
}
