import type { Histogram, Labels } from '../data/index.ts'
import { appendDelta, type SampleStore } from '../store/samples/index.ts'
import type { DecodedSample, MetricSample, StoredSamples } from './decoded-sample.ts'

const FIRST_SAMPLES = 256

function longer(column: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const next = new Float64Array(column.length * 2)
  next.set(column)
  return next
}

/** What few samples have. */
interface Rest {
  readonly isStale: boolean
  readonly startTimeMs: number
  readonly histogram: Histogram | undefined
  readonly deltaPoint: number | undefined
}

/** Samples of a batch as columns, in runs of one series each, in the order in which they came. */
export class MetricColumns {
  /** Of each run: its series, and the place behind its last sample. */
  readonly #labels: Labels[] = []
  readonly #ends: number[] = []
  #timesMs = new Float64Array(FIRST_SAMPLES)
  #values = new Float64Array(FIRST_SAMPLES)
  readonly #rest = new Map<number, Rest>()
  /** How many samples there are, those of a run that has not ended as well. */
  length = 0
  histograms = 0

  add({ timeMs, value, isStale = false, startTimeMs = 0, histogram, deltaPoint }: DecodedSample): void {
    if (isStale || startTimeMs !== 0 || histogram !== undefined || deltaPoint !== undefined) {
      this.#rest.set(this.length, { isStale, startTimeMs, histogram, deltaPoint })
      if (histogram !== undefined) this.histograms++
    }
    this.addPlain(timeMs, value)
  }

  /** A sample that is a number at a time. */
  addPlain(timeMs: number, value: number): void {
    if (this.length === this.#timesMs.length) {
      this.#timesMs = longer(this.#timesMs)
      this.#values = longer(this.#values)
    }
    this.#timesMs[this.length] = timeMs
    this.#values[this.length++] = value
  }

  /** The samples since the last run are those of a series. */
  endRun(labels: Labels): void {
    if ((this.#ends.at(-1) ?? 0) === this.length) return
    this.#labels.push(labels)
    this.#ends.push(this.length)
  }

  /** Lets go of the samples since the last run. */
  dropRun(): void {
    const from = this.#ends.at(-1) ?? 0
    if (this.#rest.size > 0)
      for (let i = from; i < this.length; i++) {
        if (this.#rest.get(i)?.histogram !== undefined) this.histograms--
        this.#rest.delete(i)
      }
    this.length = from
  }

  /** Sets the start of those samples since the last run that have none. */
  startRun(startTimeMs: number): void {
    for (let i = this.#ends.at(-1) ?? 0; i < this.length; i++) {
      const { isStale = false, startTimeMs: own = 0, histogram, deltaPoint } = this.#rest.get(i) ?? {}
      this.#rest.set(i, { isStale, startTimeMs: own === 0 ? startTimeMs : own, histogram, deltaPoint })
    }
  }

  /** The samples as objects. */
  list(): MetricSample[] {
    const samples: MetricSample[] = []
    let at = 0
    for (const [run, labels] of this.#labels.entries()) {
      for (const end = this.#ends[run] ?? 0; at < end; at++) {
        const { isStale = false, startTimeMs = 0, histogram, deltaPoint } = this.#rest.get(at) ?? {}
        samples.push({
          labels,
          timeMs: this.#timesMs[at] ?? 0,
          value: this.#values[at] ?? 0,
          isStale,
          startTimeMs,
          ...(histogram === undefined ? undefined : { histogram }),
          ...(deltaPoint === undefined ? undefined : { deltaPoint }),
        })
      }
    }
    return samples
  }

  /** Stores samples, as `storeMetrics`, a number of them between two turns. */
  *store(store: SampleStore, limitSeries: number, atOnce: number): Generator<undefined, StoredSamples> {
    const timesMs = this.#timesMs
    const values = this.#values
    let stored = 0
    let latePoints = 0
    let beyondLimit = 0
    let lastLate = 0
    let at = 0
    let turnAt = atOnce
    for (const [run, labels] of this.#labels.entries()) {
      const end = this.#ends[run] ?? 0
      let series = store.seriesWithin(labels, limitSeries)
      while (at < end) {
        if (at >= turnAt) {
          turnAt = at + atOnce
          yield
          // Others may have taken it out meanwhile.
          series = store.seriesWithin(labels, limitSeries)
        }
        if (series === undefined) {
          const to = Math.min(end, turnAt)
          beyondLimit += to - at
          at = to
          continue
        }
        const rest = this.#rest.size === 0 ? undefined : this.#rest.get(at)
        const timeMs = timesMs[at] ?? 0
        const value = values[at++] ?? 0
        if (rest === undefined) series.appendValue(timeMs, value)
        else {
          const { isStale, startTimeMs, histogram, deltaPoint } = rest
          if (deltaPoint === undefined) series.appendValue(timeMs, value, isStale, startTimeMs, histogram)
          else if (
            !appendDelta(series, {
              timeMs,
              value,
              isStale,
              startTimeMs,
              ...(histogram === undefined ? {} : { histogram }),
            })
          ) {
            if (deltaPoint !== lastLate) latePoints++
            lastLate = deltaPoint
            continue
          }
        }
        stored++
      }
    }
    return { stored, latePoints, beyondLimit }
  }
}
