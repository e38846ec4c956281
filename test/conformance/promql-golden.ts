import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { present, SluiceError } from '../../src/base/index.ts'
import { compareLabels, Labels } from '../../src/data/index.ts'
import { answerJson, runSeriesQuery, STABLE_FLAGS } from '../../src/backends/columnar/series/index.ts'
import { lowerPromql, parsePromqlOrThrow } from '../../src/lang/promql/index.ts'
import { optimizeSeries } from '../../src/optimize/series/index.ts'
import { SampleStore } from '../../src/store/samples/index.ts'
import { isClose } from './promql-compare.ts'
import { checkAll, unreadable, type Outcome, type Verdict } from './outcome.ts'

interface GoldenAnswer {
  readonly status: string
  readonly error?: string
  readonly data?: { readonly resultType: string; readonly result: unknown }
}

interface GoldenCase {
  readonly query: string
  readonly range: GoldenAnswer
  readonly instant: GoldenAnswer
}

interface DemoMeta {
  readonly rangeStart: number
  readonly rangeEnd: number
  readonly step: number
  readonly instantAt: number
}

type Pair = readonly [time: number, value: string]

interface JsonSeries {
  readonly metric: Readonly<Record<string, string>>
  readonly value?: Pair
  readonly values?: readonly Pair[]
}

export function loadDemo(directory: string): SampleStore {
  const store = new SampleStore()
  for (const line of readFileSync(join(directory, 'demo.jsonl'), 'utf8').split('\n')) {
    if (line === '') continue
    const { metric, values, timestamps } = JSON.parse(line) as {
      metric: Record<string, string>
      values: readonly number[]
      timestamps: readonly number[]
    }
    const series = store.writer.getOrCreateSeries(Labels.of(metric))
    values.forEach((value, i) => series.append({ timeMs: present(timestamps[i]), value }))
  }
  return store
}

const freeBudget = { charge: () => {}, samples: () => {}, checkpoint: () => {} }

async function answer(store: SampleStore, query: string, meta: DemoMeta, isInstant: boolean): Promise<GoldenAnswer> {
  try {
    const startMs = (isInstant ? meta.instantAt : meta.rangeStart) * 1000
    const endMs = (isInstant ? meta.instantAt : meta.rangeEnd) * 1000
    const { answer } = await runSeriesQuery(optimizeSeries(lowerPromql(parsePromqlOrThrow(query))), {
      source: store.reader,
      sharesScans: true,
      times: { startMs, endMs, stepMs: isInstant ? 0 : meta.step * 1000 },
      isInstant,
      flags: STABLE_FLAGS,
      lookbackMs: 300_000,
      defaultStepMs: 60_000,
      budget: freeBudget,
    })
    const text = [...answerJson(answer, { warnings: [], infos: [] })]
      .map((chunk) => new TextDecoder().decode(chunk))
      .join('')
    return JSON.parse(text) as GoldenAnswer
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    return { status: 'error', error: present(error.diagnostics[0]).message }
  }
}

/**
 * Matches functions that Sluice computes by linear regression with a smaller rounding error than the reference
 * implementation; see `grammar/semantics.md`.
 */
const LINES = /\b(?:deriv|predict_linear)\(/
const LINES_TOLERANCE = 1e-12

/**
 * Compares two lists of points. Without a tolerance all digits must match, since Sluice calculates in the same order as
 * the reference implementation. Returns the first difference.
 */
function comparePairs(got: readonly Pair[], wanted: readonly Pair[], tolerance: number): string | undefined {
  if (got.length !== wanted.length) return `${got.length} points, wanted ${wanted.length}`
  for (let i = 0; i < got.length; i++) {
    if (present(got[i])[0] !== present(wanted[i])[0])
      return `time ${present(got[i])[0]}, wanted ${present(wanted[i])[0]}`
    const [value, other] = [present(got[i])[1], present(wanted[i])[1]]
    if (value !== other && !(tolerance > 0 && isClose(Number(value), Number(other), tolerance))) {
      return `${value} at ${present(got[i])[0]}, wanted ${other}`
    }
  }
  return undefined
}

function pairsOf(series: JsonSeries): readonly Pair[] {
  return series.values ?? (series.value === undefined ? [] : [series.value])
}

/** Returns the first difference between two answers; `undefined` if they are equal. */
function compareAnswers(got: GoldenAnswer, wanted: GoldenAnswer, tolerance = 0): string | undefined {
  if (got.status !== wanted.status)
    return `${got.status} (${got.error ?? ''}), wanted ${wanted.status} (${wanted.error ?? ''})`
  if (wanted.data === undefined || got.data === undefined) return undefined
  if (got.data.resultType !== wanted.data.resultType)
    return `a ${got.data.resultType}, wanted a ${wanted.data.resultType}`
  if (wanted.data.resultType === 'scalar')
    return comparePairs([got.data.result as Pair], [wanted.data.result as Pair], tolerance)
  if (wanted.data.resultType === 'string') {
    return JSON.stringify(got.data.result) === JSON.stringify(wanted.data.result) ? undefined : 'another text'
  }
  const sorted = (result: unknown): { labels: Labels; pairs: readonly Pair[] }[] =>
    (result as readonly JsonSeries[])
      .map((series) => ({ labels: Labels.of(series.metric), pairs: pairsOf(series) }))
      .sort((a, b) => compareLabels(a.labels, b.labels))
  const ours = sorted(got.data.result)
  const theirs = sorted(wanted.data.result)
  if (ours.length !== theirs.length) return `${ours.length} series, wanted ${theirs.length}`
  for (let i = 0; i < ours.length; i++) {
    if (!present(ours[i]).labels.equals(present(theirs[i]).labels))
      return `${String(present(ours[i]).labels)}, wanted ${String(present(theirs[i]).labels)}`
    const fault = comparePairs(present(ours[i]).pairs, present(theirs[i]).pairs, tolerance)
    if (fault !== undefined) return `${String(present(ours[i]).labels)}: ${fault}`
  }
  return undefined
}

const FILE = 'compliance-golden.jsonl'

async function checkCase(store: SampleStore, golden: GoldenCase, meta: DemoMeta): Promise<Verdict> {
  const tolerance = LINES.test(golden.query) ? LINES_TOLERANCE : 0
  const inRange = compareAnswers(await answer(store, golden.query, meta, false), golden.range, tolerance)
  if (inRange !== undefined) return { failure: `range: ${inRange}` }
  const instant = compareAnswers(await answer(store, golden.query, meta, true), golden.instant)
  return instant === undefined ? undefined : { failure: `instant: ${instant}` }
}

/** Checks answers against those recorded from a real server over the data set in the same directory. */
export async function checkGolden(directory: string): Promise<readonly Outcome[]> {
  if (!existsSync(join(directory, FILE))) return []
  try {
    const store = loadDemo(directory)
    const meta = JSON.parse(readFileSync(join(directory, 'demo-meta.json'), 'utf8')) as DemoMeta
    const lines = readFileSync(join(directory, FILE), 'utf8').split('\n')
    const named = lines.flatMap((line, i) => (line.trim() === '' ? [] : [{ id: `line ${i + 1}`, line }]))
    const outcome = await checkAll('compliance', named, async ({ line }) => {
      const golden = JSON.parse(line) as GoldenCase
      const verdict = await checkCase(store, golden, meta)
      return verdict === undefined || 'skip' in verdict
        ? verdict
        : { failure: `${golden.query}\n    ${verdict.failure}` }
    })
    return [outcome]
  } catch (error) {
    return [unreadable('compliance', error)]
  }
}
