/**
 * Compares packed samples in memory with unpacked columns: memory as counted and as the process shows it, and the cost
 * of adding and reading. Each form has a process of its own, and the sums that they read are compared. `--queries` runs
 * the questions of `metrics-peers` over both, in turns in one process.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { InvariantError, seededRandom, type StepwiseTask } from '../../src/base/index.ts'
import { Labels } from '../../src/data/index.ts'
import { SampleStore } from '../../src/store/index.ts'
import { SamplePacker } from '../../src/store/packed-samples/index.ts'
import { START_MS, kinds, type SampleKind } from './sample-files/kinds.ts'
import { compareQueries } from './sample-memory/queries.ts'
import { timed } from './sample-memory/processor.ts'

const { values: options } = parseArgs({
  options: {
    series: { type: 'string', default: '2000' },
    samples: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    queries: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '15' },
    /** The form that this child process measures. */
    measure: { type: 'string' },
  },
})
const seriesCount = Number(options.series)
const samplesEach = Number(options.samples)
const SCRAPE_MS = 15_000
const BATCH = 1000
const CACHE_BYTES = 64 * 1024 ** 2
/** The samples in a dashboard's range, and the number of its queries. */
const RANGE_SAMPLES = 240
const TIMES = 9

interface Figures {
  readonly sum: number
  readonly counted: number
  readonly resident: number
  readonly appendMs: number
  readonly longestMs: number
  readonly firstMs: number
  readonly againMs: number
}

/** Returns the resident bytes after garbage collection. */
function residentBytes(): number {
  for (let i = 0; i < 3; i++) gc?.()
  return process.memoryUsage.rss()
}

function measure({ jitterMs, next }: SampleKind, isPacked: boolean): Figures {
  const random = seededRandom(Number(options.seed))
  const store = new SampleStore()
  const packer = isPacked ? new SamplePacker(store, { cacheBytes: CACHE_BYTES }) : undefined
  const all = Array.from({ length: seriesCount }, (_, s) =>
    Labels.of({ __name__: `m${s % 20}`, pod: `pod-${s}`, job: `j${s % 7}`, namespace: `n${s % 31}` }),
  )
  const series = all.map((labels) => store.writer.getOrCreateSeries(labels))
  const values = Float64Array.from(all, () => random.below(1e6))
  const before = residentBytes()
  let appendMs = 0
  let longestMs = 0
  let since = 0
  const keepUp = (turns: StepwiseTask<void> | undefined): void => {
    if (turns === undefined) return
    for (let turn = timed(() => turns.next()); turn.found.done !== true; turn = timed(() => turns.next()))
      longestMs = Math.max(longestMs, turn.ms)
  }
  for (let i = 0; i < samplesEach; i++)
    for (let from = 0; from < seriesCount; from += BATCH) {
      const to = Math.min(seriesCount, from + BATCH)
      const times = Float64Array.from(
        { length: to - from },
        (_, s) => START_MS + i * SCRAPE_MS + (from + s) + random.below(jitterMs),
      )
      for (let s = from; s < to; s++) values[s] = next(random, values[s])
      appendMs += timed(() => {
        for (let s = from; s < to; s++) series[s].appendValue(times[s - from], values[s])
        keepUp(packer?.keepUp())
      }).ms
      since += to - from
    }
  const resident = residentBytes() - before
  const held = series.reduce((total, { bytes }) => total + bytes, store.sources.bytes)
  const endMs = START_MS + samplesEach * SCRAPE_MS
  const read = (): number => {
    let sum = 0
    for (const { values: found } of store.reader.select({
      matchers: [],
      guard: undefined,
      startMs: endMs - RANGE_SAMPLES * SCRAPE_MS,
      endMs,
    }))
      for (const value of found) sum += value
    return sum
  }
  const first = timed(read)
  const again = timed(() => {
    for (let i = 0; i < TIMES; i++) read()
  })
  return {
    sum: first.found,
    counted: held / since,
    resident: resident / since,
    appendMs: (appendMs / since) * 1000,
    longestMs,
    firstMs: first.ms,
    againMs: again.ms / TIMES,
  }
}

async function measured(kind: string, isPacked: boolean): Promise<Figures> {
  const given = ['series', 'samples', 'seed'].flatMap((name) => [`--${name}`, options[name as 'series']])
  const child = fork(import.meta.filename, [...given, '--only', kind, '--measure', isPacked ? 'packed' : 'columns'], {
    execArgv: ['--expose-gc'],
  })
  const [figures] = (await once(child, 'message')) as [Figures]
  return figures
}

const shown = (value: number, digits: number, width: number): string => value.toFixed(digits).padStart(width)

if (options.measure !== undefined) {
  const figures = measure(kinds[options.only], options.measure === 'packed')
  process.send?.(figures)
} else if (options.queries) await compareQueries(Number(options.rounds), options.only)
else {
  console.log(
    `${seriesCount} series of ${samplesEach}: bytes a sample, counted and resident; µs of processor to add one, the longest turn in ms;`,
  )
  console.log(`ms of processor to read ${RANGE_SAMPLES} of each series, first and again`)
  for (const kind of Object.keys(kinds).filter((name) => options.only === '' || name === options.only)) {
    const [plain, packed] = [await measured(kind, false), await measured(kind, true)]
    if (plain.sum !== packed.sum) throw new InvariantError(`the same sums of ${kind}`)
    for (const [name, figures] of Object.entries({ columns: plain, packed }))
      console.log(
        `${kind.padEnd(38)}${name.padEnd(8)}${shown(figures.counted, 2, 7)}${shown(figures.resident, 2, 7)}${shown(figures.appendMs, 2, 7)}${shown(figures.longestMs, 1, 7)}${shown(figures.firstMs, 1, 8)}${shown(figures.againMs, 1, 8)}`,
      )
  }
}
