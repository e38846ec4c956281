import { present, type Random } from '../../../src/base/index.ts'
import { fuzzSamples, memoryStore, type FuzzSample } from '../../../src/fuzz/promql/dataset.ts'
import { smallerMetrics, type SamplesCase } from '../../../src/fuzz/promql/fuzzer.ts'
import { generatePromql, metricPairCount, type PromqlCase } from '../../../src/fuzz/promql/generate.ts'
import type { FuzzerDefinition, Ground } from '../../../src/fuzz/runner/fuzzer.ts'
import { mapChildren, restrictAll } from '../../../src/lang/promql/transform.ts'
import { parsePromql, printPromql, type AtModifier, type PromqlExpr } from '../../../src/lang/promql/index.ts'
import { aggregationSignatures, seriesSignatures } from '../../../src/plan/index.ts'
import { shrinkBounds, type Compared, type Comparison } from './comparison.ts'
import { judge } from './judge.ts'
import { metricDifference, readAnswer, type MetricAnswer } from './metric-answers.ts'
import { metricBody } from './metric-engine.ts'
import { metricRules, ownMetricRules, type Reference } from './metric-rules.ts'
import { MetricServer } from './metric-server.ts'
import { Server, ServerFault } from './server.ts'

export interface MetricSetting {
  readonly server: Server
  /**
   * True if the server is Sluice without optimizer rules, which must return exactly the same answers in the same order.
   */
  readonly isModel: boolean
  /**
   * Returns the time of the first sample of a data set, in milliseconds since 1970. It must be recent, because a server
   * accepts no old samples.
   */
  readonly baseMs: () => number
  /** Label value that separates the series of this run from others on the same server. */
  readonly run: string
  readonly only?: string | undefined
  /** Version of the server. Default: 3.14. */
  readonly reference?: Reference | undefined
}

const operators = '+ - * / % ^ atan2 == != > < >= <= and or unless </ >/'.split(' ')
const modifiers = 'bool on ignoring group_left group_right fill fill_left fill_right offset @ anchored smoothed'.split(
  ' ',
)

/** Forms that no drawn query contains, with the reason. */
export const undrawnMetricForms: ReadonlyMap<string, string> = new Map([
  ['call range', 'stands inside durations'],
  ['call step', 'stands inside durations'],
])

/** Returns all forms that metric queries can contain, from the registries. */
export function everyMetricForm(): readonly string[] {
  return [
    ...[...seriesSignatures.keys()].map((name) => `call ${name}`),
    ...[...aggregationSignatures.keys()].map((name) => `aggregation ${name}`),
    ...operators.map((op) => `operator ${op}`),
    ...modifiers.map((name) => `modifier ${name}`),
    'selector instant',
    'selector range',
    'subquery',
  ]
}

function formsOf(expr: PromqlExpr, uses: ReadonlySet<string>): Set<string> {
  const forms = new Set<string>()
  const visit = (node: PromqlExpr): PromqlExpr => {
    if (node.kind === 'call') forms.add(`call ${node.name}`)
    else if (node.kind === 'aggregation') forms.add(`aggregation ${node.op}`)
    else if (node.kind === 'binary') forms.add(`operator ${node.op}`)
    else if (node.kind === 'subquery') forms.add('subquery')
    else if (node.kind === 'vector-selector') forms.add('selector instant')
    else if (node.kind === 'matrix-selector') forms.add('selector range')
    return mapChildren(node, visit)
  }
  visit(expr)
  for (const name of modifiers) if (uses.has(name)) forms.add(`modifier ${name}`)
  return forms
}

function shifted(at: AtModifier | undefined, baseMs: number): AtModifier | undefined {
  return at?.kind === 'time' ? { ...at, timeMs: at.timeMs + baseMs } : at
}

/**
 * Returns the query as it is sent. Times are shifted to those of the samples, and every selector is limited to the
 * series of one data set.
 */
export function placed(text: string, baseMs: number, run: string): string {
  const { ast } = parsePromql(text)
  if (ast === undefined) return text
  const runMatcher = { label: 'run', op: '=', value: run } as const
  const move = (node: PromqlExpr): PromqlExpr => {
    switch (node.kind) {
      case 'vector-selector':
        return { ...node, at: shifted(node.at, baseMs) }
      case 'matrix-selector':
        return { ...node, selector: { ...node.selector, at: shifted(node.selector.at, baseMs) } }
      case 'subquery':
        return { ...mapChildren(node, move), at: shifted(node.at, baseMs) } as PromqlExpr
      case 'call': {
        const moved = mapChildren(node, move)
        // Without a second argument, `info` would use the info series of all data sets.
        if (moved.kind !== 'call' || moved.name !== 'info' || moved.args.length !== 1) return moved
        const { ast: every } = parsePromql(`{run=${JSON.stringify(run)}}`)
        return { ...moved, args: [...moved.args, present(every)] }
      }
      default:
        return mapChildren(node, move)
    }
  }
  return printPromql(restrictAll(move(ast), [runMatcher]))
}

/**
 * Returns the samples that a seed generates, shifted to `baseMs` and with the label of the run. They have no start
 * times, because remote write 1 cannot send any.
 */
function placedSamples(seed: number, baseMs: number, run: string): readonly FuzzSample[] {
  const known = new Map<unknown, FuzzSample['labels']>()
  return fuzzSamples(seed).map(({ startTimeMs: _, labels, ...sample }) => {
    const own = known.get(labels) ?? labels.with('run', run)
    known.set(labels, own)
    return { ...sample, labels: own, timeMs: sample.timeMs + baseMs }
  })
}

/** True if the reference implementation defines the order of the answer's series. */
function isSorted({ text, stepMs }: Pick<SamplesCase, 'text' | 'stepMs'>): boolean {
  return stepMs === 0 && /^sort_by_label(_desc)?\(/.test(text)
}

const MOST_DRAWS_OF_ONE = 4_000
const CASES_PER_BLOCK = 500
/**
 * Step between the indexes of two drawn pairs. It has no factor in common with the number of pairs, so a run covers
 * them evenly.
 */
const PAIR_STEP = 7_919

/**
 * Draws a query: for even seeds one with a certain pair of functions, for odd seeds any query. About a third are
 * instant queries.
 */
export function drawMetricQuery(random: Random, seed: number, only?: string): PromqlCase {
  for (let i = 0; ; i++) {
    const pair = seed % 2 === 0 ? ((seed / 2 + i) * PAIR_STEP) % metricPairCount : undefined
    const { uses, ...query } = generatePromql(random, pair)
    const { ast } = parsePromql(query.text)
    const forms = ast === undefined ? new Set<string>() : formsOf(ast, uses)
    if (only !== undefined && !forms.has(only) && i < MOST_DRAWS_OF_ONE) continue
    const times = random.next() < 0.3 ? { endMs: query.startMs, stepMs: 0 } : {}
    return { ...query, ...times, uses: forms }
  }
}

/** Returns the comparison of Sluice's metric queries with a server. */
export function compareMetrics({
  server,
  isModel,
  baseMs: nextBaseMs,
  run,
  only,
  reference = '3.14',
}: MetricSetting): Comparison<SamplesCase> {
  const client = new MetricServer(server)
  const rules = isModel ? ownMetricRules : metricRules(reference)
  /** Time of the first sample of each data set that the server has, in milliseconds since 1970. */
  const loaded = new Map<string, number>()

  async function over(seed: number): Promise<Ground<SamplesCase, Compared>> {
    const name = `${run}-${seed}`
    const baseMs = loaded.get(name) ?? nextBaseMs()
    const samples = placedSamples(seed, baseMs, name)
    const store = memoryStore(samples)
    if (!loaded.has(name)) await client.load(samples)
    loaded.set(name, baseMs)
    return {
      prepare: async (given) => {
        const text = placed(given.text, baseMs, name)
        const times = { startMs: given.startMs + baseMs, endMs: given.endMs + baseMs, stepMs: given.stepMs }
        const ours = readAnswer((await metricBody(store.reader, text, times, false)).body)
        let theirs: MetricAnswer
        try {
          theirs = await client.query(text, times)
        } catch (error) {
          if (error instanceof ServerFault) return { kind: 'fault', fault: error }
          throw error
        }
        const raw = async (): Promise<MetricAnswer> =>
          readAnswer((await metricBody(store.reader, text, times, true)).body)
        const { failure, rules: used } = await judge({ ours, theirs }, { text, raw }, rules, (pair) =>
          metricDifference(pair, isModel || isSorted(given)),
        )
        if (failure !== undefined) return { kind: 'different', failure }
        if (used.length > 0) return { kind: 'ruled', rules: used.map(({ ruling, what }) => `${ruling}: ${what}`) }
        if ('refused' in ours) return { kind: 'equal', note: 'refused by both' }
        return { kind: 'equal', note: ours.values.size === 0 ? 'no rows' : undefined }
      },
    }
  }

  const definition: FuzzerDefinition<SamplesCase, Compared> = {
    name: 'metrics',
    casesPerBlock: CASES_PER_BLOCK,
    laws: [],
    block: async (block) => ({
      ...(await over(block)),
      draw: (random, seed) => {
        const { uses, ...query } = drawMetricQuery(random, seed, only)
        return { given: { ...query, samples: block }, uses }
      },
    }),
    ground: ({ samples }) => over(samples),
    show: ({ text, stepMs }) => (stepMs === 0 ? `${text} (at an instant)` : text),
    smaller: smallerMetrics,
    ...shrinkBounds(isModel),
    write: ({ text, startMs, endMs, stepMs, samples }) => ({ text, startMs, endMs, stepMs, samples }),
    read: (kept) => kept as unknown as SamplesCase,
  }
  return { definition, forms: everyMetricForm().filter((form) => !undrawnMetricForms.has(form)) }
}
