import type { Histogram } from '../../data/index.ts'

interface Samples {
  readonly timesMs: Float64Array
  readonly histograms: readonly (Histogram | undefined)[] | undefined
}

/** The samples of a series in a time span that only moves forward. */
export class SampleSpan {
  readonly #samples: Samples
  #first = 0
  #end = 0
  #histogramCount = 0

  constructor(samples: Samples) {
    this.#samples = samples
  }

  /** Index of the first sample in the span. */
  get first(): number {
    return this.#first
  }

  /** Index after the last sample in the span. */
  get end(): number {
    return this.#end
  }

  get hasHistograms(): boolean {
    return this.#histogramCount > 0
  }

  /** True if the span contains both floats and histograms. */
  get isMixed(): boolean {
    return this.#histogramCount > 0 && this.#histogramCount < this.#end - this.#first
  }

  /** Moves the span to `(afterMs, untilMs]`. Neither bound may decrease. */
  moveTo(afterMs: number, untilMs: number): void {
    const { timesMs, histograms } = this.#samples
    for (; this.#end < timesMs.length && timesMs[this.#end] <= untilMs; this.#end++) {
      if (histograms?.[this.#end] !== undefined) this.#histogramCount++
    }
    for (; this.#first < this.#end && timesMs[this.#first] <= afterMs; this.#first++) {
      if (histograms?.[this.#first] !== undefined) this.#histogramCount--
    }
  }
}
