import { Budget, SluiceError, nowhere, seededRandom, present, type Random } from '../../base/index.ts'
import { Labels, METRIC_NAME, type StoredRow } from '../../data/index.ts'
import {
  analyzePromql,
  compilePromql,
  explainPromql,
  promqlErrorText,
  promqlJson,
  queryPromql,
  queryPromqlRange,
  type PromqlOptions,
} from '../../engine/metrics/index.ts'
import { standardFunctions } from '../../functions/index.ts'
import {
  literal,
  mapSeriesSelects,
  printPredicate,
  type ExplainTree,
  type Expr,
  type LabelPredicate,
} from '../../plan/index.ts'
import type { DataScope } from '../../policy/index.ts'
import { combineScopes } from '../../policy/scope/index.ts'
import { compileMatcher, labelNames, labelValues, standardCatalog, type SampleSource } from '../../store/index.ts'
import { SqliteSamples, openSqlite } from '../../store/sqlite/index.ts'
import { DATA_MS, fuzzSamples, memoryStore, type FuzzSample } from '../promql/dataset.ts'
import { damage, generatePromql, type PromqlCase } from '../promql/generate.ts'
import type { CaseReport, Touched } from './check.ts'
import { diagnosticsText } from './outcome.ts'
import { drawScopes, type PolicyJson } from './policies.ts'
import { drawMetricRequest, type ServedPairs } from './served.ts'
import { definitionOf, passing } from './visible.ts'

/** Translates a scope over rows of samples to a predicate over labels. */
export interface LabelScopes {
  /** Returns the predicate that decides which series are visible; `undefined` restricts nothing. */
  readonly guardOf: (scope: DataScope | undefined) => LabelPredicate | undefined
  /** True if the predicate can be expressed over labels. */
  readonly canSay: (guard: Expr) => boolean
}

export interface MetricSubject {
  readonly sources: readonly { readonly name: string; readonly source: SampleSource }[]
  close(): void
}

async function subjectOf(samples: readonly FuzzSample[]): Promise<MetricSubject> {
  const connection = await openSqlite(':memory:')
  const sqlite = new SqliteSamples(connection)
  sqlite.append(samples)
  return {
    sources: [
      { name: 'memory', source: memoryStore(samples).reader },
      { name: 'sqlite', source: sqlite },
    ],
    close: () => connection.close(),
  }
}

export interface MetricCaller {
  readonly stored: readonly PolicyJson[]
  readonly guard: LabelPredicate | undefined
  readonly samples: readonly FuzzSample[]
  readonly visible: MetricSubject
}

export interface MetricBlock {
  /** The series, each with its number of samples and the callers who see it. */
  readonly series: readonly {
    readonly labels: Labels
    readonly samples: number
    readonly isVisible: readonly boolean[]
  }[]
  readonly samples: readonly FuzzSample[]
  readonly whole: MetricSubject
  readonly callers: readonly MetricCaller[]
  close(): void
}

const CALLERS = 2
/** The share of cases that are also sent through HTTP. */
const SERVED_SHARE = 0.08
const DRAWS = 120

function rowOf(labels: Labels): StoredRow {
  // The metric name comes last: policies use it less often than labels of the origin.
  const names = [...labels.names.filter((name) => name !== METRIC_NAME), METRIC_NAME]
  return { timeNs: 0n, sequence: 0, row: new Map(names.map((name) => [name, labels.get(name)])) }
}

/**
 * Makes each fuzz series twice, the second time with another `cell` label, so that policies can show one series of a
 * metric and hide another.
 */
function samplesOf(seed: number): readonly FuzzSample[] {
  const copies = fuzzSamples(seed ^ 0x2b7e1).map((sample) => {
    const { labels } = sample
    const pairs = labels.names.map((name) => [name, labels.get(name)] as const)
    return { ...sample, labels: Labels.of({ ...Object.fromEntries(pairs), cell: 'c1' }) }
  })
  return [...fuzzSamples(seed), ...copies]
}

/** Returns the guard in which every part that labels cannot express matches nothing. */
function sayable(guard: Expr, canSay: LabelScopes['canSay']): Expr {
  if (canSay(guard)) return guard
  if (guard.kind !== 'and' && guard.kind !== 'or') return literal(false, nowhere)
  return { ...guard, args: guard.args.map((arg) => sayable(arg, canSay)) }
}

/** Returns the share of metric names with both hidden and visible series. */
function mixedNames(series: readonly { readonly labels: Labels }[], passes: readonly boolean[]): number {
  const byName = new Map<string, Set<boolean>>()
  series.forEach(({ labels }, i) => {
    const name = labels.get(METRIC_NAME)
    byName.set(name, (byName.get(name) ?? new Set()).add(passes[i] === true))
  })
  return [...byName.values()].filter((sides) => sides.size === 2).length / Math.max(1, byName.size)
}

export async function makeMetricBlock(seed: number, { guardOf, canSay }: LabelScopes): Promise<MetricBlock> {
  const random = seededRandom(seed)
  const samples = samplesOf(seed)
  const byKey = new Map<string, { labels: Labels; samples: number; isVisible: boolean[] }>()
  for (const { labels } of samples) {
    const known = byKey.get(labels.key)
    if (known === undefined) byKey.set(labels.key, { labels, samples: 1, isVisible: [] })
    else known.samples++
  }
  const series = [...byKey.values()]
  const rows = series.map(({ labels }) => rowOf(labels))
  const callers: MetricCaller[] = []
  while (callers.length < CALLERS) {
    const takesAny = random.next() < 0.03
    for (let draw = 1; ; draw++) {
      const stored = drawScopes(random, rows, 'metrics')
      const scope = combineScopes(stored, { catalog: standardCatalog, functions: standardFunctions })
      const expr = scope?.('samples')
      const said = expr === undefined ? undefined : sayable(expr, canSay)
      const passes = await passing(said, definitionOf('samples'), rows)
      if (!takesAny && draw < DRAWS && mixedNames(series, passes) < 0.9) continue
      series.forEach((each, i) => each.isVisible.push(passes[i] === true))
      const keys = new Set(series.flatMap(({ labels }, i) => (passes[i] ? [labels.key] : [])))
      const seen = samples.filter(({ labels }) => keys.has(labels.key))
      callers.push({ stored, guard: guardOf(scope), samples: seen, visible: await subjectOf(seen) })
      break
    }
  }
  const whole = await subjectOf(samples)
  return {
    series,
    samples,
    whole,
    callers,
    close: () => {
      for (const subject of [whole, ...callers.map(({ visible }) => visible)]) subject.close()
    },
  }
}

const limits = { memoryBytes: 2 ** 28, timeoutMs: 60_000, scanRows: Number.MAX_SAFE_INTEGER }

/** Formats an explanation without the caller's own policy, which the selectors show. */
function treeText({ kind, label, notes, measured, inputs }: ExplainTree, guard: LabelPredicate | undefined): string {
  const own = guard === undefined ? label : label.replace(` guard ${printPredicate(guard)}`, '')
  const counters = Object.entries(measured?.counters ?? {}).map(([name, count]) => `${name} ${count}`)
  return `${kind} ${own} ${notes.join('; ')} ${measured?.rows ?? '-'} ${counters.join()} (${inputs.map((input) => treeText(input, guard)).join()})`
}

type Run = () => string | Promise<string>

/** Returns all output of one way to run a query, errors included. */
async function shown(text: string, run: Run): Promise<string> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    return `${diagnosticsText(error.diagnostics)} ${promqlErrorText(error, text)}`
  }
}

/** Outputs that are compared in a case. */
interface MetricViews {
  readonly isInstant: boolean
  readonly analyzes: boolean
  readonly lists: boolean
  readonly limitSamples: number | undefined
}

function viewsOf(random: Random): MetricViews {
  return {
    isInstant: random.next() < 0.3,
    analyzes: random.next() < 0.2,
    lists: random.next() < 0.15,
    limitSamples: random.next() < 0.08 ? random.below(300) : undefined,
  }
}

function runsOf(
  { text, startMs, endMs, stepMs }: Omit<PromqlCase, 'uses'>,
  views: MetricViews,
  options: PromqlOptions,
): Readonly<Record<string, Run>> {
  const { source, guard } = options
  const times = { startMs, endMs, stepMs }
  const list = { filters: [], guard, startMs: -1, endMs: DATA_MS * 2 }
  return {
    answer: async () => {
      const result = views.isInstant
        ? await queryPromql(text, startMs, options)
        : await queryPromqlRange(text, times, options)
      return `${Buffer.concat([...promqlJson(result)]).toString()} ${[...result.warnings, ...result.infos].join('\n')}`
    },
    ...(views.analyzes
      ? {
          explain: () => treeText(explainPromql(text, options).tree, guard),
          analyze: async () => treeText((await analyzePromql(text, times, options)).tree, guard),
        }
      : {}),
    ...(views.lists
      ? {
          names: async () => (await labelNames(source, list)).join(),
          values: async () => (await labelValues(source, '__name__', list)).join(),
          zones: async () => (await labelValues(source, 'zone', list)).join(),
          series: async () => (await source.series(list)).map(({ key }) => key).join('\n'),
        }
      : {}),
  }
}

function touchedBy(text: string, { series }: MetricBlock, caller: number): Touched {
  const touched: Touched = { rows: 0, hidden: 0 }
  try {
    mapSeriesSelects(compilePromql(text, {}), (select) => {
      const tests = select.matchers.map((matcher) => ({ label: matcher.label, test: compileMatcher(matcher) }))
      for (const { labels, samples, isVisible } of series) {
        if (!tests.every(({ label, test }) => test(labels.get(label)))) continue
        touched.rows += samples
        if (!isVisible[caller]) touched.hidden += samples
      }
      return select
    })
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
  }
  return touched
}

/** Draws an expression, sometimes a damaged one. */
export function drawMetricCase(random: Random): PromqlCase {
  const generated = generatePromql(random)
  return random.next() < 0.03 ? { ...generated, text: damage(generated.text, random) } : generated
}

/** Returns the guard for selectors and lists. Tests that plant a leak return a wrong one. */
export type GuardFor = (guard: LabelPredicate | undefined, what: string) => LabelPredicate | undefined

/**
 * Evaluates an expression with a scope over all series, and without a scope over only the visible series, on both
 * sources.
 */
export async function checkMetricCase(
  block: MetricBlock,
  at: number,
  given: Omit<PromqlCase, 'uses'>,
  random: Random,
  guardFor: GuardFor = (guard) => guard,
  served?: ServedPairs,
): Promise<CaseReport> {
  const views = viewsOf(random)
  const primes = random.next() < 0.03
  const { guard, visible } = present(block.callers[at])
  const { text } = given
  const touched = touchedBy(text, block, at)
  const optionsOf = (source: SampleSource, own?: LabelPredicate): PromqlOptions => ({
    source,
    budget: new Budget(limits, () => 0),
    limitSamples: views.limitSamples,
    guard: own,
  })
  let isRefused = false
  for (const [i, { name, source }] of block.whole.sources.entries()) {
    const plain = runsOf(given, views, optionsOf(present(visible.sources[i]).source))
    if (primes) {
      for (const run of Object.values(runsOf(given, views, optionsOf(source)))) await shown(text, run)
    }
    for (const [what, wanted] of Object.entries(plain)) {
      const scoped = runsOf(given, views, optionsOf(source, guardFor(guard, what)))
      const [a, b] = [await shown(text, present(scoped[what])), await shown(text, wanted)]
      if (what === 'answer' && a.startsWith('[{"code"')) isRefused = true
      if (a === b) continue
      let from = 0
      while (from < a.length && a[from] === b[from]) from++
      const cut = (whole: string): string => JSON.stringify(whole.slice(Math.max(0, from - 60), from + 160))
      const leak = `${name}, ${what} part at ${from}: ${cut(a)} under the scope, ${cut(b)} over what it shows`
      return { leak, touched, isRefused }
    }
  }
  if (served !== undefined && random.next() < SERVED_SHARE) {
    const found = await served.compare(at === 0 ? 0 : 1, drawMetricRequest(random, given))
    return { leak: found?.leak, touched, isRefused, way: found?.way }
  }
  return { leak: undefined, touched, isRefused }
}
