import { FIRST_CAPACITY } from '../../base/index.ts'
import type { Histogram, Labels } from '../../data/index.ts'
import { appendDelta, mostGrowth, type SampleStore } from '../../store/samples/index.ts'
import type { DecodedSample, MetricSample, StoredSamples } from './decoded-sample.ts'

type Column = Float64Array<ArrayBuffer>

function longer(column: Column): Column {
  const next = new Float64Array(column.length * 2)
  next.set(column)
  return next
}

/** The samples of a batch as columns in order of arrival. A run is a sequence of samples of one series. */
export class MetricColumns {
  /** For each run: its series, and the index after its last sample. */
  readonly #labels: Labels[] = []
  readonly #ends: number[] = []
  #timesMs = new Float64Array(FIRST_CAPACITY)
  #values = new Float64Array(FIRST_CAPACITY)
  /** The start times, allocated when the first sample has one; 0 for samples without one. */
  #startTimesMs: Column | undefined
  #deltaPoints: Column | undefined
  readonly #stale = new Set<number>()
  readonly #histograms = new Map<number, Histogram>()
  /** The number of samples, including those of an unfinished run. */
  length = 0

  get histograms(): number {
    return this.#histograms.size
  }

  /**
   * Returns the maximum number of bytes that the samples take in the store, which they take if all of their series are
   * new.
   */
  get mostBytes(): number {
    const { changeBytes, seriesBytes, labelCharBytes } = mostGrowth
    let bytes = this.length * changeBytes
    for (const labels of this.#labels) bytes += changeBytes + seriesBytes + labelCharBytes * labels.chars
    return bytes
  }

  add({ timeMs, value, isStale = false, startTimeMs = 0, histogram, deltaPoint = 0 }: DecodedSample): void {
    if (isStale) this.#stale.add(this.length)
    if (histogram !== undefined) this.#histograms.set(this.length, histogram)
    this.addNumber(timeMs, value, startTimeMs, deltaPoint)
  }

  /** Adds a sample with a number; `startTimeMs` and `deltaPoint` are 0 when it has none. */
  addNumber(timeMs: number, value: number, startTimeMs = 0, deltaPoint = 0): void {
    const at = this.length++
    if (at === this.#timesMs.length) this.#grow()
    this.#timesMs[at] = timeMs
    this.#values[at] = value
    if (startTimeMs !== 0) (this.#startTimesMs ??= new Float64Array(this.#timesMs.length))[at] = startTimeMs
    if (deltaPoint !== 0) (this.#deltaPoints ??= new Float64Array(this.#timesMs.length))[at] = deltaPoint
  }

  #grow(): void {
    this.#timesMs = longer(this.#timesMs)
    this.#values = longer(this.#values)
    this.#startTimesMs &&= longer(this.#startTimesMs)
    this.#deltaPoints &&= longer(this.#deltaPoints)
  }

  /** Ends a run: all samples since the previous run belong to this series. */
  endRun(labels: Labels): void {
    if ((this.#ends.at(-1) ?? 0) === this.length) return
    this.#labels.push(labels)
    this.#ends.push(this.length)
  }

  /** Removes the samples since the last run. */
  dropRun(): void {
    const from = this.#ends.at(-1) ?? 0
    for (let i = from; i < this.length; i++) {
      this.#stale.delete(i)
      this.#histograms.delete(i)
    }
    this.#startTimesMs?.fill(0, from, this.length)
    this.#deltaPoints?.fill(0, from, this.length)
    this.length = from
  }

  /** Sets the start time of those samples since the last run that have none. */
  startRun(startTimeMs: number): void {
    const startTimesMs = (this.#startTimesMs ??= new Float64Array(this.#timesMs.length))
    for (let i = this.#ends.at(-1) ?? 0; i < this.length; i++) if (startTimesMs[i] === 0) startTimesMs[i] = startTimeMs
  }

  /** Returns the samples as objects. */
  list(): MetricSample[] {
    const samples: MetricSample[] = []
    let at = 0
    for (const [run, labels] of this.#labels.entries()) {
      for (const end = this.#ends[run] ?? 0; at < end; at++) {
        const histogram = this.#histograms.get(at)
        const deltaPoint = this.#deltaPoints?.[at] ?? 0
        samples.push({
          labels,
          timeMs: this.#timesMs[at] ?? 0,
          value: this.#values[at] ?? 0,
          isStale: this.#stale.has(at),
          startTimeMs: this.#startTimesMs?.[at] ?? 0,
          ...(histogram === undefined ? undefined : { histogram }),
          ...(deltaPoint === 0 ? undefined : { deltaPoint }),
        })
      }
    }
    return samples
  }

  /** Stores the samples and yields after each `atOnce` of them. It does not create series beyond the limit. */
  *store(store: SampleStore, limitSeries: number, atOnce: number): Generator<undefined, StoredSamples> {
    const timesMs = this.#timesMs
    const values = this.#values
    const startTimesMs = this.#startTimesMs
    const deltaPoints = this.#deltaPoints
    const stale = this.#stale
    const histograms = this.#histograms
    let stored = 0
    let latePoints = 0
    let beyondLimit = 0
    let lastLate = 0
    let at = 0
    let turnAt = atOnce
    // A delta is added to the previous value, which may be in a file that could not be opened before; so opening is
    // retried.
    if (deltaPoints !== undefined) store.sources.reopen()
    for (const [run, labels] of this.#labels.entries()) {
      const end = this.#ends[run] ?? 0
      let series = store.writer.seriesWithin(labels, limitSeries)
      while (at < end) {
        if (at >= turnAt) {
          turnAt = at + atOnce
          yield
          // Other code may have removed the series during the yield.
          series = store.writer.seriesWithin(labels, limitSeries)
        }
        if (series === undefined) {
          const to = Math.min(end, turnAt)
          beyondLimit += to - at
          at = to
          continue
        }
        const timeMs = timesMs[at] ?? 0
        const value = values[at] ?? 0
        const startTimeMs = startTimesMs === undefined ? 0 : (startTimesMs[at] ?? 0)
        const isStale = stale.size > 0 && stale.has(at)
        const histogram = histograms.size === 0 ? undefined : histograms.get(at)
        const deltaPoint = deltaPoints === undefined ? 0 : (deltaPoints[at] ?? 0)
        at++
        if (deltaPoint === 0) series.appendValue(timeMs, value, isStale, startTimeMs, histogram)
        else if (
          !appendDelta(series, {
            timeMs,
            value,
            isStale,
            startTimeMs,
            ...(histogram === undefined ? undefined : { histogram }),
          })
        ) {
          if (deltaPoint !== lastLate) latePoints++
          lastLate = deltaPoint
          continue
        }
        stored++
      }
    }
    return { stored, latePoints, beyondLimit }
  }
}
