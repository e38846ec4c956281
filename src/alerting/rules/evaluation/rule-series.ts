import type { Labels } from '../../../data/index.ts'
import type { SampleSink, WrittenSample } from '../queries.ts'
import { ruleFailure } from '../diagnostics.ts'

/** Samples that the rules of a group have written in one evaluation, by label set. */
export type EvaluationSamples = Map<string, WrittenSample['sample']>

/** Makes the sample that ends a series. */
function staleMarker(timeMs: number): WrittenSample['sample'] {
  return { timeMs, value: NaN, isStale: true }
}

function isSame(a: WrittenSample['sample'], b: WrittenSample['sample']): boolean {
  return Object.is(a.value, b.value) && a.isStale === b.isStale && a.histogram === b.histogram
}

/** Series that one rule writes. When the rule stops writing a series, a stale marker is written. */
export class RuleSeries {
  readonly #sink: SampleSink
  /** Series of the latest evaluation, by label set. */
  #current: ReadonlyMap<string, Labels> = new Map()

  constructor(sink: SampleSink) {
    this.#sink = sink
  }

  /** Takes over the series of the same rule before a reload. */
  takeOver(previous: RuleSeries): void {
    this.#current = previous.#current
  }

  /**
   * Writes samples, and stale markers for ended series. If another rule has written the same series with another value
   * in this evaluation, the sample or marker is skipped. For a skipped sample the call rejects with
   * `rules/duplicate-sample`.
   */
  async write(samples: readonly WrittenSample[], timeMs: number, evaluation: EvaluationSamples): Promise<void> {
    const isFree = ({ labels, sample }: WrittenSample): boolean => {
      const other = evaluation.get(labels.key)
      return other === undefined || isSame(other, sample)
    }
    const accepted = samples.filter(isFree)
    const current = new Map(accepted.map(({ labels }) => [labels.key, labels]))
    const ended = [...this.#current].filter(([key]) => !current.has(key))
    const markers = ended.map(([, labels]): WrittenSample => ({ labels, sample: staleMarker(timeMs) }))
    const written = [...accepted, ...markers.filter(isFree)]
    this.#current = current
    for (const { labels, sample } of written) evaluation.set(labels.key, sample)
    await this.#sink.write(written)
    const refused = samples.find((sample) => !isFree(sample))
    if (refused !== undefined) throw ruleFailure('duplicate-sample', { series: String(refused.labels) })
  }
}
