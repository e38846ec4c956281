import { METRIC_NAME, type Labels } from '../../../data/index.ts'
import {
  ABSENT,
  copyStep,
  failSeries,
  hasAny,
  mergeEqualLabels,
  newColumn,
  vector,
  type ColumnWriter,
  type SeriesColumn,
  type Steps,
  type VectorValue,
} from '../../../functions/series/index.ts'
import {
  seriesInputs,
  type LabelMatcher,
  type SeriesCall,
  type SeriesPlan,
  type SeriesSelect,
} from '../../../plan/series/index.ts'
import { compileMatcher, type SeriesSamples } from '../../../store/samples/index.ts'
import { shiftedTimes, type SeriesEnvironment } from './environment.ts'
import { fetchSamples } from './fetch-samples.ts'

/** The labels that a series and an info series must share to match. */
const IDENTITY = ['instance', 'job'] as const

const DEFAULT_NAME: LabelMatcher = { label: METRIC_NAME, op: '=', value: 'target_info' }
const ANY_INFO_NAME: LabelMatcher = { label: METRIC_NAME, op: '=~', value: '.+_info' }

function nameMatchers(matchers: readonly LabelMatcher[]): readonly LabelMatcher[] {
  const names = matchers.filter(({ label }) => label === METRIC_NAME)
  if (names.length === 0) return [DEFAULT_NAME]
  const isNegative = names.every(({ op }) => op === '!=' || op === '!~')
  return isNegative ? [...names, ANY_INFO_NAME] : names
}

/** Returns the times at which an expression reads its series: the times of its first select. */
function referenceTimes(node: SeriesPlan, steps: Steps, environment: SeriesEnvironment): Float64Array | undefined {
  if (node.kind === 'series-select') return shiftedTimes(node.shift, steps, environment)
  if (node.kind === 'series-subquery') {
    const timesMs = shiftedTimes(node.shift, steps, environment)
    return referenceTimes(node.input, { timesMs, count: steps.count }, environment)
  }
  for (const input of seriesInputs(node)) {
    const times = referenceTimes(input, steps, environment)
    if (times !== undefined) return times
  }
  return undefined
}

function firstSelect(node: SeriesPlan): SeriesSelect | undefined {
  if (node.kind === 'series-select') return node
  for (const input of seriesInputs(node)) {
    const select = firstSelect(input)
    if (select !== undefined) return select
  }
  return undefined
}

/**
 * Returns for each step the index of an info series' newest sample within the look-back period; −1 when there is none.
 */
function newestSamples(samples: SeriesSamples, times: Float64Array, lookbackMs: number): Int32Array {
  const { timesMs, staleness } = samples
  const newest = new Int32Array(times.length).fill(-1)
  let next = 0
  for (let step = 0; step < times.length; step++) {
    while (next < timesMs.length && timesMs[next] <= times[step]) next++
    const at = next - 1
    if (at < 0 || timesMs[at] <= times[step] - lookbackMs || staleness?.[at] === 1) continue
    newest[step] = at
  }
  return newest
}

interface InfoSeries {
  readonly samples: SeriesSamples
  readonly newest: Int32Array
}

/**
 * The info series with the same metric name and identity labels. At each step only the one with the newest sample is
 * used.
 */
type InfoFamily = readonly InfoSeries[]

function newestOf(family: InfoFamily, step: number, call: SeriesCall): Labels | undefined {
  let best: InfoSeries | undefined
  let bestMs = -Infinity
  for (const series of family) {
    const at = series.newest[step]
    if (at === -1) continue
    if (series.samples.histograms?.[at] !== undefined) {
      const text = `this should be an info metric, with float samples: ${String(series.samples.labels)}`
      failSeries('info-conflict', { text }, call.origin)
    }
    const timeMs = series.samples.timesMs[at]
    if (timeMs === bestMs && best !== undefined) {
      const text = `found duplicate series for info metric: ${String(best.samples.labels)} and ${String(series.samples.labels)}`
      failSeries('info-conflict', { text }, call.origin)
    }
    if (timeMs > bestMs) {
      best = series
      bestMs = timeMs
    }
  }
  return best?.samples.labels
}

/**
 * Returns the labels that matching info series add to a base series at one step; `undefined` when no info series
 * matches.
 */
function labelsAt(
  base: Labels,
  families: readonly InfoFamily[],
  step: number,
  wanted: ReadonlySet<string> | undefined,
  call: SeriesCall,
): Labels | undefined {
  let isPartnered = false
  let result = base
  for (const family of families) {
    const info = newestOf(family, step, call)
    if (info === undefined) continue
    isPartnered = true
    for (const [name, value] of info.toPairs()) {
      if (name === METRIC_NAME || base.has(name) || (wanted !== undefined && !wanted.has(name))) continue
      const known = result.get(name)
      if (known !== '' && known !== value) {
        failSeries('info-conflict', { text: `conflicting label: ${name}` }, call.origin)
      }
      result = result.with(name, value)
    }
  }
  return isPartnered ? result : undefined
}

async function fetchFamilies(
  call: SeriesCall,
  matchers: readonly LabelMatcher[],
  times: Float64Array,
  environment: SeriesEnvironment,
): Promise<ReadonlyMap<string, readonly InfoFamily[]>> {
  const template = firstSelect(call.args[0])
  if (template === undefined) return new Map()
  const select: SeriesSelect = { ...template, matchers, isPresenceOnly: undefined }
  const firstMs = times[0] - environment.lookbackMs
  const found = await fetchSamples(select, firstMs, times[times.length - 1], environment, call)
  const byIdentity = new Map<string, Map<string, InfoSeries[]>>()
  for (const samples of found) {
    const identity = samples.labels.keyOf(IDENTITY)
    let byName = byIdentity.get(identity)
    if (byName === undefined) {
      byName = new Map()
      byIdentity.set(identity, byName)
    }
    const series = { samples, newest: newestSamples(samples, times, environment.lookbackMs) }
    const name = samples.labels.metricName
    const family = byName.get(name)
    if (family === undefined) byName.set(name, [series])
    else family.push(series)
  }
  return new Map([...byIdentity].map(([identity, byName]) => [identity, [...byName.values()]]))
}

/** Computes the function `info`: adds to each series the labels of info series with the same `instance` and `job`. */
export async function evaluateInfo(
  call: SeriesCall,
  base: VectorValue,
  steps: Steps,
  environment: SeriesEnvironment,
): Promise<VectorValue> {
  const pattern = call.args[1]
  const given = pattern?.kind === 'series-select' ? pattern.matchers : []
  const names = nameMatchers(given)
  const dataMatchers = given.filter(({ label }) => label !== METRIC_NAME)
  const isOptional = dataMatchers.every((matcher) => compileMatcher(matcher)(''))
  const wanted = dataMatchers.length === 0 ? undefined : new Set(dataMatchers.map(({ label }) => label))
  const isInfoName = names.map((matcher) => compileMatcher(matcher))
  const times = referenceTimes(call.args[0], steps, environment) ?? steps.timesMs
  const families = await fetchFamilies(call, [...names, ...dataMatchers], times, environment)
  const columns: SeriesColumn[] = []
  for (const column of base.series) {
    // A series that is itself an info series is returned unchanged.
    if (isInfoName.every((test) => test(column.labels.metricName))) {
      columns.push(column)
      continue
    }
    const isIdentified = IDENTITY.some((label) => column.labels.has(label))
    const partners = isIdentified ? (families.get(column.labels.keyOf(IDENTITY)) ?? []) : []
    const byLabels = new Map<string, ColumnWriter>()
    for (let step = 0; step < steps.count; step++) {
      if (column.kinds[step] === ABSENT) continue
      const labels = labelsAt(column.labels, partners, step, wanted, call) ?? (isOptional ? column.labels : undefined)
      if (labels === undefined) continue
      let out = byLabels.get(labels.key)
      if (out === undefined) {
        out = newColumn(labels, column.isNameDropped, steps.count)
        byLabels.set(labels.key, out)
      }
      copyStep(column, out, step)
    }
    columns.push(...byLabels.values())
  }
  return vector(mergeEqualLabels(columns.filter(hasAny), call.origin, true))
}
