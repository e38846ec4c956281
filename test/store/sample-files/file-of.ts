import { runToEnd } from '../../../src/base/index.ts'
import { EMPTY_HISTOGRAM, Labels } from '../../../src/data/index.ts'
import { seededRandom } from '../../../src/base/index.ts'
import { SampleStore, type SamplesSlice } from '../../../src/store/samples/index.ts'
import {
  writeSamples,
  type SamplesSummary,
  type SamplesToWrite,
  type SeriesToWrite,
} from '../../../src/store/sample-files/index.ts'
import type { BlockSource } from '../../../src/store/segments/index.ts'

export const EVERYTHING = { matchers: [], guard: undefined, startMs: -Infinity, endMs: Infinity }

/** Writes a sample file in memory and returns its bytes and its summary. */
export function samplesFile(content: Partial<SamplesToWrite>): {
  readonly file: Buffer
  readonly summary: SamplesSummary
} {
  const pieces: Uint8Array[] = []
  const whole = { series: [], descriptions: [], exemplars: [], ...content }
  const summary = runToEnd(writeSamples(whole, (bytes) => pieces.push(bytes.slice())))
  return { file: Buffer.concat(pieces), summary }
}

export function sourceOf(file: Buffer, bytes = file.length): BlockSource {
  return { name: 'test.samples', bytes, read: (into, at) => file.subarray(at, at + into.length).copy(into) }
}

/** Returns the series of a store in the form in which files store them. */
export function seriesOf(store: SampleStore): readonly SeriesToWrite[] {
  return store.reader.select(EVERYTHING).map(({ labels, ...samples }) => ({ labels, samples }))
}

/** Formats samples without loss, so that any difference is visible. */
export function linesOf({ timesMs, values, staleness, histograms, startTimesMs }: SamplesSlice): readonly string[] {
  const shown = (value: number): string => (Object.is(value, -0) ? '-0' : String(value))
  return Array.from(timesMs, (timeMs, i) =>
    [
      shown(timeMs),
      shown(values[i] ?? 0),
      staleness?.[i] === 1 ? 'stale' : '',
      startTimesMs?.[i] ?? 0,
      histograms?.[i] === undefined ? '' : JSON.stringify(histograms[i]),
    ].join(' '),
  )
}

/** Returns samples of every kind, with gaps, staleness markers, histograms and unusual numbers. */
export function manyKinds(count: number, seed = 3): SampleStore {
  const random = seededRandom(seed)
  const store = new SampleStore()
  const odd = [NaN, Infinity, -Infinity, -0, 5e-324, 2 ** 53, -(2 ** 60), 0.1, 1e300]
  const kinds: readonly ((i: number) => number)[] = [
    (i) => i * 17 + random.below(5),
    () => random.below(1000) / 100,
    () => Math.sqrt(random.below(1000) + 2),
    () => random.pick(odd),
    () => 1,
    (i) => (random.below(50) === 0 ? random.pick(odd) : i),
    (i) => -i * 0.125,
  ]
  for (const [kind, valueOf] of kinds.entries())
    for (let pod = 0; pod < 3; pod++) {
      const series = store.writer.getOrCreateSeries(
        Labels.of({ __name__: `kind_${kind}`, pod: `p${pod}`, empty: '', ä: '\u{1F600}' }),
      )
      let timeMs = kind === 4 ? -5000 : 1_700_000_000_000 + random.below(15_000)
      for (let i = 0; i < count; i++) {
        timeMs += 15_000 + (pod === 0 ? 0 : random.below(9) - 4) + (random.below(100) === 0 ? 9e9 : 0)
        const isStale = random.below(30) === 0
        series.append({
          timeMs,
          value: isStale && pod < 2 ? NaN : valueOf(i),
          isStale,
          startTimeMs: pod === 1 ? i - (i % 7) : 0,
        })
      }
    }
  const series = store.writer.getOrCreateSeries(Labels.of({ __name__: 'size' }))
  for (let i = 0, seen = 0; i < count; i++) {
    seen = random.below(20) === 0 ? 1 : seen + random.below(9)
    const lists = {
      positive: { indexes: [0, 2, 3 + (seen % 2)], counts: [seen, 1, 0.5] },
      negative: { indexes: [-1], counts: [1] },
    }
    const histogram = { ...EMPTY_HISTOGRAM, ...lists, schema: 3, count: seen, sum: random.pick([NaN, -0, seen * 1.5]) }
    series.append({ timeMs: i * 1000, value: 0, ...(random.below(4) > 0 && { histogram }) })
  }
  return store
}
