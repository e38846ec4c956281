import { parseArgs } from 'node:util'
import type { Parallelism } from '../../src/backends/columnar/index.ts'
import { Budget } from '../../src/base/index.ts'
import { queryPromqlRange } from '../../src/engine/metrics/promql.ts'
import type { AnswerSeries, SeriesAnswer } from '../../src/backends/columnar/series/index.ts'
import { medianMs } from '../measure.ts'
import { firstDifference, normalizeRows } from '../peers/normalize.ts'
import type { AnswerRow } from '../peers/peer.ts'
import { startThreads } from '../../src/workers/engine-threads.ts'
import { compareByTurns } from '../with-threads.ts'
import * as byHand from './promql/by-hand.ts'
import { makeMetricData, type PlainSeries } from './promql/data.ts'

/**
 * Times range queries of 360 steps and loops written by hand in one run, and compares the numbers. `--threads` compares
 * one thread with several instead.
 */

const data = makeMetricData(7)
const STEP_MS = 20_000
const COUNT = 360
const steps = { startMs: data.startMs, stepMs: STEP_MS, count: COUNT }
const times = { startMs: data.startMs, endMs: data.startMs + (COUNT - 1) * STEP_MS, stepMs: STEP_MS }
const { values, positionals } = parseArgs({
  options: { threads: { type: 'string' }, rounds: { type: 'string', default: '9' } },
  allowPositionals: true,
})
const budgetMs = Number(positionals[0] ?? 300)
const counters = [...data.requests, ...data.errors]
const byInstance = byHand.groupIndexes(data.requests, ['instance'])
const byBound = byHand.groupIndexes(data.buckets, ['instance', 'le'])
const limitOf = Int32Array.from(data.requests, ({ labels }) =>
  data.limits.findIndex((limit) => limit.labels.get('instance') === labels.get('instance')),
)

interface Question {
  readonly name: string
  readonly query: string
  readonly byHand: () => Float64Array
}

const rateOf = (series: readonly PlainSeries[]): Float64Array => byHand.rate(series, steps, 300_000)

const questions: readonly Question[] = [
  { name: 'raw selector', query: '{job=~"api.*"}', byHand: () => byHand.raw(counters, steps) },
  { name: 'rate', query: 'rate({job=~"api.*"}[5m])', byHand: () => rateOf(counters) },
  {
    name: 'sum by (rate)',
    query: 'sum by (instance) (rate(requests_total[5m]))',
    byHand: () => byHand.sumBy(rateOf(data.requests), byInstance.of, byInstance.count, COUNT),
  },
  {
    name: 'histogram_quantile',
    query: 'histogram_quantile(0.9, sum by (instance, le) (rate(latency_bucket[5m])))',
    byHand: () =>
      byHand.quantile(
        0.9,
        byHand.sumBy(rateOf(data.buckets), byBound.of, byBound.count, COUNT),
        byBound.count / 10,
        COUNT,
      ),
  },
  {
    name: 'topk',
    query: 'topk(5, rate(requests_total[5m]))',
    byHand: () => byHand.topK(5, rateOf(data.requests), data.requests.length, COUNT),
  },
  {
    name: 'subquery',
    query: 'max_over_time(rate(requests_total[1m])[10m:1m])',
    byHand: () => byHand.maxOfRate(data.requests, steps),
  },
  {
    name: 'one to one',
    query: 'errors_total / ignoring (job) requests_total',
    byHand: () => byHand.divide(byHand.raw(data.errors, steps), byHand.raw(data.requests, steps)),
  },
  {
    name: 'many to one',
    query: 'requests_total / on (instance) group_left limit',
    byHand: () => byHand.divideMany(byHand.raw(data.requests, steps), byHand.raw(data.limits, steps), limitOf, COUNT),
  },
  {
    name: 'quantile_over_time 1h',
    query: 'quantile_over_time(0.9, requests_total[1h])',
    byHand: () => byHand.quantileOverTime(data.requests, steps, 0.9, 3_600_000),
  },
  {
    name: 'predict_linear 1h',
    query: 'predict_linear(requests_total[1h], 3600)',
    byHand: () => byHand.predictLinear(data.requests, steps, 3_600_000, 3600),
  },
  {
    name: 'avg_over_time 1h',
    query: 'avg_over_time(requests_total[1h])',
    byHand: () => byHand.avgOverTime(data.requests, steps, 3_600_000),
  },
]

async function run(query: string, parallelism?: Parallelism): Promise<SeriesAnswer> {
  const limits = { memoryBytes: 2 ** 31, timeoutMs: 60_000, scanRows: Infinity }
  const budget = new Budget(limits, () => performance.now())
  const { answer } = await queryPromqlRange(query, times, { source: data.store.reader, budget, parallelism })
  return answer
}

/** Returns the sum and count of all numbers, which do not depend on the order of series. */
function checksum(values: Iterable<number>): { count: number; sum: number } {
  let count = 0
  let sum = 0
  for (const value of values) {
    if (!Number.isFinite(value)) continue
    count++
    sum += value
  }
  return { count, sum }
}

function* allValues(series: readonly AnswerSeries[]): Generator<number> {
  for (const { values } of series) yield* values
}

async function besideLoops(): Promise<void> {
  const ratios: number[] = []
  for (const question of questions) {
    const answer = await run(question.query)
    const ours = checksum(answer.type === 'matrix' ? allValues(answer.series) : [])
    const theirs = checksum(question.byHand())
    const isSame = ours.count === theirs.count && Math.abs(ours.sum - theirs.sum) <= 1e-9 * Math.abs(theirs.sum)
    if (!isSame) {
      console.log(`DIFFERENT ${question.name}: ${JSON.stringify(ours)} and by hand ${JSON.stringify(theirs)}`)
      process.exitCode = 1
    }
    const handMs = await medianMs(async () => question.byHand(), budgetMs)
    const ownMs = await medianMs(async () => run(question.query), budgetMs)
    ratios.push(ownMs / handMs)
    const cells = [ownMs.toFixed(2).padStart(9), handMs.toFixed(2).padStart(9), (ownMs / handMs).toFixed(2).padStart(6)]
    console.log(`${question.name.padEnd(24)} ${cells[0]} ms, by hand ${cells[1]} ms, ratio ${cells[2]}`)
  }
  ratios.sort((a, b) => a - b)
  console.log(
    `median ratio ${ratios[Math.floor(ratios.length / 2)].toFixed(2)}, greatest ${ratios[ratios.length - 1].toFixed(2)}`,
  )
}

/** Returns one row for each series, so that answers are compared number by number. */
async function rowsOf(query: string, parallelism?: Parallelism): Promise<readonly AnswerRow[]> {
  const answer = await run(query, parallelism)
  if (answer.type !== 'matrix') return []
  return answer.series.map(({ labels, timesMs, values: numbers }) => ({
    labels: String(labels),
    times: String(timesMs),
    values: String(numbers),
  }))
}

async function besideThreads(threadCount: number): Promise<void> {
  const threads = startThreads({ workers: threadCount - 1 })
  const { parallelism } = threads
  const asked = questions.map(({ name, query }, index) => ({
    id: `M${index + 1}`,
    title: name,
    alone: () => run(query),
    shared: () => run(query, parallelism),
  }))
  for (const { name, query } of questions) {
    const difference = firstDifference(
      normalizeRows(await rowsOf(query)),
      normalizeRows(await rowsOf(query, parallelism)),
    )
    if (difference === undefined) continue
    console.log(`DIFFERENCE ${name}: ${difference}`)
    process.exitCode = 1
  }
  await compareByTurns(asked, { threads: threadCount, rounds: Number(values.rounds), warmRounds: 4 })
  await threads.close()
}

await (values.threads === undefined ? besideLoops() : besideThreads(Number(values.threads)))
