import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { present, Regex, SluiceError } from '../../src/base/index.ts'
import { compareLabels } from '../../src/data/index.ts'
import {
  DEFAULT_FLAGS,
  renderAnnotation,
  runSeriesQuery,
  type SeriesResult,
} from '../../src/backends/columnar/series/index.ts'
import { lowerPromql, parsePromqlOrThrow } from '../../src/lang/promql/index.ts'
import { optimizeSeries } from '../../src/optimize/series/index.ts'
import { mapSeriesInputs, type SeriesPlan } from '../../src/plan/series/index.ts'
import type { SampleStore } from '../../src/store/samples/index.ts'
import { compareSeries, toSeries } from './promql-compare.ts'
import { isClose } from './promql-compare.ts'
import { messageOf, readVectors, Tally, type Outcome } from './outcome.ts'
import { runScript, type EvalBlock, type TextTest } from './promql-script.ts'

interface IndexedCase {
  readonly file: string
  readonly tier: string
}

const freeBudget = { charge: () => {}, samples: () => {}, checkpoint: () => {} }

interface Times {
  readonly startMs: number
  readonly endMs: number
  readonly stepMs: number
}

async function run(plan: SeriesPlan, store: SampleStore, times: Times, isInstant: boolean): Promise<SeriesResult> {
  // The engine also optimizes plans and shares scans, so the scripts test both.
  return runSeriesQuery(optimizeSeries(plan), {
    source: store.reader,
    sharesScans: true,
    times,
    isInstant,
    flags: DEFAULT_FLAGS,
    lookbackMs: 300_000,
    defaultStepMs: 60_000,
    budget: freeBudget,
  })
}

function passes(test: TextTest, text: string): boolean {
  if (test.kind === 'any') return true
  if (test.kind === 'exact') return test.text === text
  return Regex.compile(test.text, { isWhole: false, dotMatchesNewline: false }).test(text)
}

function checkAnnotations(
  kind: 'warning' | 'info',
  tests: readonly TextTest[],
  isForbidden: boolean,
  result: SeriesResult,
  query: string,
): string | undefined {
  const texts = result.annotations
    .filter(({ severity }) => severity === kind)
    .map((annotation) => renderAnnotation(annotation, query))
  if (isForbidden && texts.length > 0) return `unexpected ${kind}: ${texts.join('; ')}`
  if (tests.length === 0) return undefined
  if (texts.length === 0) return `no ${kind}`
  const unmatched = tests.find((test) => !texts.some((text) => passes(test, text)))
  if (unmatched !== undefined) return `no ${kind} like ${unmatched.text}; got ${texts.join('; ')}`
  const surplus = texts.find((text) => !tests.some((test) => passes(test, text)))
  return surplus === undefined ? undefined : `unexpected ${kind}: ${surplus}`
}

function isSorted(result: SeriesResult): boolean {
  const { answer } = result
  if (answer.type !== 'matrix') return true
  return answer.series.every(
    (series, i) => i === 0 || compareLabels(present(answer.series[i - 1]).labels, series.labels) <= 0,
  )
}

function checkResult(block: EvalBlock, result: SeriesResult, query: string): string | undefined {
  const { expectation } = block
  const noted =
    checkAnnotations('warning', expectation.warnings, expectation.noWarnings, result, query) ??
    checkAnnotations('info', expectation.infos, expectation.noInfos, result, query)
  return noted ?? checkAnswer(block, result)
}

function checkAnswer(block: EvalBlock, { answer, annotations }: SeriesResult): string | undefined {
  const { expectation } = block
  if (!isSorted({ answer, annotations })) return 'series are not sorted by labels'
  if (expectation.text !== undefined) {
    return answer.type === 'string' && answer.value === expectation.text ? undefined : `wanted ${expectation.text}`
  }
  if (expectation.scalar !== undefined) {
    if (answer.type !== 'scalar') return `wanted a scalar, got a ${answer.type}`
    const isRight = isClose(answer.value, expectation.scalar, 1e-6)
    return isRight ? undefined : `got ${answer.value}, wanted ${expectation.scalar}`
  }
  const wantedType = block.isInstant && expectation.rangeVector === undefined ? 'vector' : 'matrix'
  const isScalarRange = answer.type === 'scalar' && expectation.series.length === 0
  if (answer.type !== wantedType && !isScalarRange) return `wanted a ${wantedType}, got a ${answer.type}`
  const times = expectation.rangeVector ?? block
  return compareSeries(toSeries(answer), expectation.series, times, expectation.isOrdered)
}

function errorText(error: unknown): string {
  if (!(error instanceof SluiceError)) throw error
  return present(error.diagnostics[0]).message
}

/** Runs one query. Returns how its result differs from the expected one; `undefined` if it does not. */
async function attempt(
  block: EvalBlock,
  store: SampleStore,
  plan: () => SeriesPlan,
  times: Times,
  isInstant: boolean,
): Promise<string | undefined> {
  const { expectation, query } = block
  let result: SeriesResult
  try {
    result = await run(plan(), store, times, isInstant)
  } catch (error) {
    const text = errorText(error)
    if (!expectation.isFailing) return `failed: ${text}`
    const { failure } = expectation
    return failure === undefined || passes(failure, text) ? undefined : `failed otherwise: ${text}`
  }
  if (expectation.isFailing) return 'did not fail'
  return checkResult(block, result, query)
}

/** Adds `@ time` to each outermost selector or subquery without one. */
function withTime(plan: SeriesPlan, timeMs: number): SeriesPlan {
  if (plan.kind === 'series-select' || plan.kind === 'series-subquery') {
    if (plan.shift.at !== undefined) return plan
    return { ...plan, shift: { ...plan.shift, at: { kind: 'time', timeMs } } }
  }
  return mapSeriesInputs(plan, (input) => withTime(input, timeMs))
}

const TIME_DEPENDENT =
  /\b(time|timestamp|predict_linear|minute|hour|day_of_week|day_of_month|day_of_year|days_in_month|month|year|start|end|range|step)\s*\(/i
const QUERY_ENDS = /\b(start|end|range|step)\s*\(\s*\)/i

/**
 * Checks an instant query further, as the reference implementation's test runner does: at other times with `@` added,
 * and as the middle step of a range query.
 */
async function recheck(block: EvalBlock, store: SampleStore, plan: SeriesPlan): Promise<string | undefined> {
  const { query, expectation } = block
  const timeMs = expectation.rangeVector?.endMs ?? block.startMs
  const pinned = withTime(plan, timeMs)
  const times = timeMs === 0 ? [-1000, 0, 1000] : [-10 * timeMs, 0, Math.trunc(timeMs / 5), timeMs, 10 * timeMs]
  const runs: { plan: SeriesPlan; timeMs: number; name: string }[] = [{ plan, timeMs, name: 'as written' }]
  if (!TIME_DEPENDENT.test(query)) for (const at of times) runs.push({ plan: pinned, timeMs: at, name: `@ at ${at}` })
  const hasRangeMode =
    !expectation.isFailing &&
    !expectation.isOrdered &&
    expectation.rangeVector === undefined &&
    expectation.text === undefined &&
    !QUERY_ENDS.test(query)
  for (const one of runs) {
    const instant = { startMs: one.timeMs, endMs: one.timeMs, stepMs: 0 }
    const expected = { ...block, startMs: one.timeMs }
    if (one.plan !== plan) {
      const fault = await attempt(expected, store, () => one.plan, instant, true)
      if (fault !== undefined) return `${one.name}: ${fault}`
    }
    if (!hasRangeMode) continue
    const range = { startMs: one.timeMs - 60_000, endMs: one.timeMs + 60_000, stepMs: 60_000 }
    const fault = await checkMiddle(expected, store, one.plan, range)
    if (fault !== undefined) return `${one.name}, in range mode: ${fault}`
  }
  return undefined
}

async function checkMiddle(
  block: EvalBlock,
  store: SampleStore,
  plan: SeriesPlan,
  times: Times,
): Promise<string | undefined> {
  let result: SeriesResult
  try {
    result = await run(plan, store, times, false)
  } catch (error) {
    return `failed: ${errorText(error)}`
  }
  const middle = toSeries(result.answer)
    .map(({ labels, points }) => ({ labels, points: points.filter(({ timeMs }) => timeMs === block.startMs) }))
    .filter(({ points }) => points.length > 0)
  const { expectation } = block
  if (expectation.scalar !== undefined) {
    const value = middle[0]?.points[0]?.value
    return value !== undefined && isClose(value, expectation.scalar, 1e-6) ? undefined : `got ${String(value)}`
  }
  return compareSeries(middle, expectation.series, block, false)
}

async function checkBlock(block: EvalBlock, store: SampleStore): Promise<string | undefined> {
  const endMs = block.expectation.rangeVector?.endMs ?? block.endMs
  const startMs = block.isInstant ? endMs : block.startMs
  const plan = (): SeriesPlan => lowerPromql(parsePromqlOrThrow(block.query))
  const fault = await attempt(block, store, plan, { startMs, endMs, stepMs: block.stepMs }, block.isInstant)
  if (fault !== undefined || !block.isInstant) return fault
  let parsed: SeriesPlan
  try {
    parsed = plan()
  } catch (error) {
    errorText(error)
    return undefined
  }
  return recheck(block, store, parsed)
}

/** Tier of the cases that the index does not list. A tier is a group of cases in `cases.json`. */
const UNLISTED = 'scripts'

/** Returns the tiers of each script's cases, in the order of their lines. Throws MalformedVectors. */
function tiersOf(directory: string): ReadonlyMap<string, readonly string[]> {
  const content = readVectors<IndexedCase>(directory, 'cases.json')
  const tiers = new Map<string, string[]>()
  for (const { file, tier } of content?.vectors ?? []) {
    const known = tiers.get(file)
    if (known === undefined) tiers.set(file, [tier])
    else known.push(tier)
  }
  return tiers
}

/** Runs all scripts in the directory. Returns one outcome for each tier of the index. */
export async function checkScripts(directory: string): Promise<readonly Outcome[]> {
  const folder = join(directory, 'testdata')
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.test')) : []
  const tallies = new Map<string, Tally>()
  const tallyOf = (tier: string): Tally => {
    const tally = tallies.get(tier) ?? new Tally(tier)
    tallies.set(tier, tally)
    return tally
  }
  let tiers: ReturnType<typeof tiersOf> = new Map()
  try {
    tiers = tiersOf(directory)
  } catch (error) {
    tallyOf(UNLISTED).add('cases.json', { failure: messageOf(error) })
  }
  // A directory may hold only some of the scripts. An index without any script is a mistake.
  for (const file of tiers.keys()) {
    if (files.length === 0) tallyOf(UNLISTED).add(file, { failure: 'the script is not in testdata' })
  }
  for (const file of files) {
    // Line numbers in the index refer to longer originals, so cases are matched by their order.
    const waiting = [...(tiers.get(file) ?? [])]
    await runScript(readFileSync(join(folder, file), 'utf8'), {
      evaluate: async (block, store) => {
        const place = `${file}:${block.line} ${block.query}`
        const tally = tallyOf(waiting.shift() ?? UNLISTED)
        if (block.fault !== undefined) {
          tally.add(place, { failure: block.fault })
          return
        }
        let fault: string | undefined
        try {
          fault = await checkBlock(block, store)
        } catch (error) {
          fault = messageOf(error)
        }
        tally.add(place, fault === undefined ? undefined : { failure: fault.slice(0, 1500) })
      },
      fault: (line, text) => tallyOf(UNLISTED).add(`${file}:${line}`, { failure: text }),
    })
    for (const tier of waiting) tallyOf(tier).add(file, { failure: 'a case of the index is not in the script' })
  }
  return [...tallies.values()].map((tally) => tally.outcome())
}
