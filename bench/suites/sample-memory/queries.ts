import { Budget, runToEnd } from '../../../src/base/index.ts'
import { queryPromql, queryPromqlRange } from '../../../src/engine/metrics/promql.ts'
import { SampleStore } from '../../../src/store/index.ts'
import { SamplePacker } from '../../../src/store/packed-samples/index.ts'
import { metricQuestions } from '../metrics-peers/questions.ts'
import { makeMetricData } from '../promql/data.ts'
import { processorMs } from './processor.ts'

const STEP_MS = 15_000
const COUNT = 360
const CACHE_BYTES = 64 * 1024 ** 2
/** The number of samples of one series in a body before those of the next series. */
const BODY_SAMPLES = 40

/** Runs the questions of `metrics-peers` over unpacked and packed samples in turns, and reports the minimum times. */
export async function compareQueries(rounds: number, only: string): Promise<void> {
  const { store: columns, endMs, ...kinds } = makeMetricData(7)
  const all = [kinds.requests, kinds.errors, kinds.buckets, kinds.limits, kinds.gauges].flat()
  const packed = new SampleStore()
  const packer = new SamplePacker(packed, { cacheBytes: CACHE_BYTES })
  const longest = Math.max(...all.map(({ timesMs }) => timesMs.length))
  for (let from = 0; from < longest; from += BODY_SAMPLES)
    for (const { labels, timesMs, values } of all) {
      const series = packed.writer.getOrCreateSeries(labels)
      for (let i = from; i < Math.min(timesMs.length, from + BODY_SAMPLES); i++)
        series.appendValue(timesMs[i], values[i])
      runToEnd(packer.keepUp())
    }
  console.log(
    `bytes of all: columns ${(columns.bytes / 2 ** 20).toFixed(1)} MiB, packed ${(packed.bytes / 2 ** 20).toFixed(1)} MiB in ${packed.sources.all.length} files`,
  )
  const run = async (store: SampleStore, query: string, isRange: boolean): Promise<number> => {
    const limits = { memoryBytes: 2 ** 31, timeoutMs: 60_000, scanRows: Infinity }
    const budget = new Budget(limits, () => performance.now())
    const startedMs = processorMs()
    const options = { source: store.reader, budget }
    const lastMs = endMs - 2000
    await (isRange
      ? queryPromqlRange(query, { startMs: lastMs - (COUNT - 1) * STEP_MS, endMs: lastMs, stepMs: STEP_MS }, options)
      : queryPromql(query, lastMs, options))
    return processorMs() - startedMs
  }
  const logs = { range: 0, instant: 0 }
  const asked = metricQuestions.filter(({ id }) => only === '' || only.split(',').includes(id))
  for (const { id, title, query } of asked) {
    const cells: string[] = []
    for (const kind of ['range', 'instant'] as const) {
      const least = [Infinity, Infinity]
      for (let round = 0; round < rounds; round++)
        for (const [i, store] of [columns, packed].entries())
          least[i] = Math.min(least[i], await run(store, query, kind === 'range'))
      logs[kind] += Math.log(least[1] / least[0])
      cells.push(
        `${least.map((ms) => ms.toFixed(2).padStart(8)).join('')}${(least[1] / least[0]).toFixed(2).padStart(6)}`,
      )
    }
    console.log(`${id} ${title.padEnd(22)}${cells.join('   ')}`)
  }
  const mean = (sum: number): string => Math.exp(sum / asked.length).toFixed(2)
  console.log(`geometric mean: range ${mean(logs.range)}, instant ${mean(logs.instant)}`)
}
