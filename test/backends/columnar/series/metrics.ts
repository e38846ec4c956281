import { Budget } from '../../../../src/base/index.ts'
import type { Parallelism } from '../../../../src/backends/columnar/index.ts'
import { EMPTY_HISTOGRAM, Labels, denseBuckets, type Histogram } from '../../../../src/data/index.ts'
import { lowerPromql, parsePromqlOrThrow } from '../../../../src/lang/promql/index.ts'
import {
  DEFAULT_FLAGS,
  renderAnnotation,
  runSeriesQuery,
  type SeriesAnswer,
  type SeriesTimes,
} from '../../../../src/backends/columnar/series/index.ts'
import type { SeriesFlags } from '../../../../src/functions/series/index.ts'
import { SampleStore } from '../../../../src/store/samples/index.ts'

const limits = { memoryBytes: 2 ** 30, timeoutMs: 600_000, scanRows: Number.MAX_SAFE_INTEGER }
export const freeBudget = { charge: () => {}, samples: () => {}, checkpoint: () => {} }

/** Runs a query over a store, without limits. */
export async function run(
  store: SampleStore,
  query: string,
  times: SeriesTimes,
  flags: SeriesFlags = DEFAULT_FLAGS,
  parallelism?: Parallelism,
): Promise<{ answer: SeriesAnswer; notes: readonly string[] }> {
  const { answer, annotations } = await runSeriesQuery(lowerPromql(parsePromqlOrThrow(query)), {
    source: store.reader,
    times,
    isInstant: times.stepMs === 0,
    flags,
    lookbackMs: 300_000,
    defaultStepMs: 60_000,
    budget: freeBudget,
    sharing: parallelism && { parallelism, budget: new Budget(limits, () => 0) },
  })
  return { answer, notes: annotations.map((annotation) => renderAnnotation(annotation, query)) }
}

/** Returns `{labels} value` for each element of an instant answer. */
export async function instant(store: SampleStore, query: string, seconds: number): Promise<readonly string[]> {
  const timeMs = seconds * 1000
  const { answer } = await run(store, query, { startMs: timeMs, endMs: timeMs, stepMs: 0 })
  if (answer.type === 'vector') return answer.samples.map(({ labels, value }) => `${String(labels)} ${value}`)
  return [answer.type === 'matrix' ? 'matrix' : String(answer.value)]
}

/** Creates series from lists of values 15 s apart. `null` means no sample, and `'stale'` a staleness marker. */
export function storeOf(rows: Readonly<Record<string, readonly (number | null | 'stale')[]>>): SampleStore {
  const store = new SampleStore()
  for (const [name, values] of Object.entries(rows)) {
    const [metric = '', ...pairs] = name.split(/[{},]/).filter((part) => part !== '')
    const labels = Labels.from([['__name__', metric], ...pairs.map((pair) => pair.split('=') as [string, string])])
    values.forEach((value, i) => {
      if (value === null) return
      if (value === 'stale') store.writer.append(labels, { timeMs: i * 15_000, value: NaN, isStale: true })
      else store.writer.append(labels, { timeMs: i * 15_000, value })
    })
  }
  return store
}

export function histogram(fields: Partial<Histogram> & { readonly buckets?: readonly number[] }): Histogram {
  const { buckets, ...rest } = fields
  return { ...EMPTY_HISTOGRAM, ...rest, positive: denseBuckets(0, buckets ?? []) }
}

/** Returns a seeded generator of pseudo-random numbers in [0, 1). */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
