import { countPoints, MAX_POINTS, type SeriesObserver, type SeriesTimes } from '../backends/columnar/series/index.ts'
import { ABSENT, type SeriesValue } from '../functions/series/index.ts'
import type { SeriesPlan } from '../plan/series/index.ts'

/** Returns the number of samples at each step of a value. For a range vector, counts the samples in each window. */
function samplesByStep(value: SeriesValue): readonly number[] {
  if (value.kind === 'matrix') {
    return Array.from(value.endsMs, (_, step) =>
      value.series.reduce((sum, { from, to }) => sum + (to[step] ?? 0) - (from[step] ?? 0), 0),
    )
  }
  if (value.kind !== 'vector') return []
  return Array.from(value.series[0]?.kinds ?? [], (_, step) =>
    value.series.reduce((sum, { kinds }) => sum + (kinds[step] === ABSENT ? 0 : 1), 0),
  )
}

/** Counts the samples that a query reads, as defined by Prometheus's API. */
export class QueryStats implements SeriesObserver {
  readonly #perStep: Float64Array
  readonly #times: SeriesTimes
  #total = 0
  #peak = 0
  #evaluationMs = 0

  constructor(times: SeriesTimes) {
    this.#times = times
    const count = countPoints(times)
    // A range with too many points gets no counts, because the query refuses it later.
    this.#perStep = new Float64Array(count > 0 && count <= MAX_POINTS ? count : 0)
  }

  evaluated(node: SeriesPlan, _series: number, milliseconds: number, value: SeriesValue): void {
    this.#evaluationMs = Math.max(this.#evaluationMs, milliseconds)
    if (node.kind !== 'series-select' && node.kind !== 'series-range' && node.kind !== 'series-subquery') return
    const counts = samplesByStep(value)
    // A subquery has other steps than the query, so its samples are counted at the query's last step.
    const isOfQuery = counts.length === this.#perStep.length
    let sum = 0
    for (const [step, count] of counts.entries()) {
      sum += count
      if (isOfQuery) this.#add(step, count)
    }
    if (!isOfQuery) this.#add(this.#perStep.length - 1, sum)
    this.#total += sum
    this.#peak = Math.max(this.#peak, sum)
  }

  #add(step: number, count: number): void {
    this.#perStep[step] = (this.#perStep[step] ?? 0) + count
  }

  fetched(): void {
    // Does nothing: `evaluated` counts the samples, because it receives the value.
  }

  /**
   * Returns the statistics as JSON. `totalMs` is the duration of the whole query. With `hasSteps`, they include the
   * number of samples at each step.
   */
  report(totalMs: number, hasSteps: boolean): object {
    const seconds = (ms: number): number => ms / 1000
    const evaluation = Math.min(this.#evaluationMs, totalMs)
    const { startMs, stepMs } = this.#times
    return {
      timings: {
        evalTotalTime: seconds(evaluation),
        resultSortTime: 0,
        queryPreparationTime: seconds(totalMs - evaluation),
        innerEvalTime: seconds(evaluation),
        execQueueTime: 0,
        execTotalTime: seconds(totalMs),
      },
      samples: {
        ...(hasSteps
          ? {
              totalQueryableSamplesPerStep: Array.from(this.#perStep, (count, i) => [
                seconds(startMs + i * stepMs),
                count,
              ]),
            }
          : {}),
        totalQueryableSamples: this.#total,
        peakSamples: this.#peak,
      },
    }
  }
}
