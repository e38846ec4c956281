import {
  InvariantNodes,
  ScanCache,
  type SeriesObserver,
  type SeriesTimes,
} from '../../backends/columnar/series/index.ts'
import type { SampleExplanation, SampleRequest, SampleSource } from '../../store/index.ts'
import {
  printSeriesPlan,
  seriesInputs,
  seriesLabel,
  type ExplainTree,
  type LogicalPlan,
  type SeriesPlan,
  type SeriesSelect,
} from '../../plan/index.ts'
import { compilePromql, prepareSeriesPlan, runPrepared, type PromqlOptions, type PromqlResult } from './promql.ts'

export interface PromqlExplanation {
  readonly tree: ExplainTree
  /** The plan as written, followed by the plan after each rule that changed it. */
  readonly steps: string
}

interface NodeMeasure {
  evaluations: number
  series: number
  milliseconds: number
  fetches: number
  sharedFetches: number
  seriesMatched: number
  samplesRead: number
}

const NOTHING: NodeMeasure = {
  evaluations: 0,
  series: 0,
  milliseconds: 0,
  fetches: 0,
  sharedFetches: 0,
  seriesMatched: 0,
  samplesRead: 0,
}

/** Accumulates the measurements of each node during a run. */
export class SeriesMeasures implements SeriesObserver {
  readonly #byNode = new Map<SeriesPlan, NodeMeasure>()

  #of(node: SeriesPlan): NodeMeasure {
    let measure = this.#byNode.get(node)
    if (measure === undefined) {
      measure = { ...NOTHING }
      this.#byNode.set(node, measure)
    }
    return measure
  }

  evaluated(node: SeriesPlan, series: number, milliseconds: number): void {
    const measure = this.#of(node)
    measure.evaluations++
    measure.series += series
    measure.milliseconds += milliseconds
  }

  fetched(node: SeriesPlan, series: number, samples: number, isShared: boolean): void {
    const measure = this.#of(node)
    measure.fetches++
    measure.seriesMatched += series
    if (isShared) measure.sharedFetches++
    else measure.samplesRead += samples
  }

  find(node: SeriesPlan): ExplainTree['measured'] {
    const measure = this.#byNode.get(node)
    if (measure === undefined) return undefined
    const counters: Record<string, number> = {}
    if (measure.fetches > 0) {
      counters['seriesMatched'] = measure.seriesMatched
      counters['samplesRead'] = measure.samplesRead
    }
    if (measure.sharedFetches > 0) counters['sharedReads'] = measure.sharedFetches
    if (measure.evaluations > 1) counters['evaluations'] = measure.evaluations
    // A selector inside a range is never evaluated by itself, so its number of matched series is used.
    const rows = measure.evaluations === 0 ? measure.seriesMatched : measure.series
    return { rows, milliseconds: measure.milliseconds, counters }
  }
}

/** Records the requests to a sample source. */
class Requests {
  readonly #asked = new Map<string, SampleRequest>()
  readonly #source: SampleSource

  constructor(source: SampleSource) {
    this.#source = source
  }

  static #keyOf(matchers: SampleRequest['matchers']): string {
    return JSON.stringify(matchers.map(({ label, op, value }) => [label, op, value]))
  }

  /** Returns a source that records all requests. It returns nothing if `isEmpty`; otherwise it forwards them. */
  source(isEmpty: boolean): SampleSource {
    const inner = this.#source
    return {
      select: (request) => {
        const key = Requests.#keyOf(request.matchers)
        const { startMs, endMs } = this.#asked.get(key) ?? request
        const all = { startMs: Math.min(startMs, request.startMs), endMs: Math.max(endMs, request.endMs) }
        this.#asked.set(key, { ...request, ...all })
        return isEmpty ? [] : inner.select(request)
      },
      series: (request) => (isEmpty ? [] : inner.series(request)),
    }
  }

  explain({ matchers }: SeriesSelect): SampleExplanation | undefined {
    const asked = this.#asked.get(Requests.#keyOf(matchers))
    return asked === undefined ? undefined : this.#source.explain?.(asked)
  }
}

/** Sources of the notes, measurements and inputs that a tree shows in addition to the plan. */
interface ExplainSources {
  readonly invariants: InvariantNodes
  readonly scans: ScanCache
  readonly measures: SeriesMeasures | undefined
  readonly requests: Requests | undefined
  readonly rows: ExplainRows | undefined
}

function treeOf(node: SeriesPlan, sources: ExplainSources, isBelowInvariant = false): ExplainTree {
  const [kind, ...rest] = seriesLabel(node).split(' ')
  const notes: string[] = []
  const isInvariant = sources.invariants.has(node)
  if (isInvariant && !isBelowInvariant) notes.push('the same at every step: evaluated once')
  const sharers = node.kind === 'series-select' ? sources.scans.sharers(node) : 1
  if (sharers > 1) notes.push(`read once for ${sharers} equal selectors`)
  const read = node.kind === 'series-select' ? sources.requests?.explain(node) : undefined
  if (read !== undefined) notes.push(...read.notes)
  const rows = node.kind === 'series-logs' ? sources.rows?.(node.rows) : undefined
  return {
    kind: kind ?? '',
    label: rest.join(' '),
    owner: 'columnar',
    notes,
    estimateRows: undefined,
    measured: sources.measures?.find(node),
    inputs: [
      ...seriesInputs(node).map((input) => treeOf(input, sources, isInvariant || isBelowInvariant)),
      ...(read?.inputs ?? []),
      ...(rows === undefined ? [] : [rows]),
    ],
  }
}

/** Explains the plan of the log rows from which a series is computed. Runs nothing. */
export type ExplainRows = (rows: LogicalPlan) => ExplainTree

/** Optional contents of a tree: the measurements of a run, the recorded requests, and the plans of log rows. */
interface TreeOptions {
  readonly measures?: SeriesMeasures | undefined
  readonly requests?: Requests | undefined
  readonly rows?: ExplainRows | undefined
}

/** Returns the tree of a plan. */
export function seriesTree(plan: SeriesPlan, { measures, requests, rows }: TreeOptions = {}): ExplainTree {
  return treeOf(plan, { invariants: new InvariantNodes(), scans: new ScanCache(plan), measures, requests, rows })
}

function prepared(text: string, options: PromqlOptions): { readonly plan: SeriesPlan; readonly steps: string } {
  const written = compilePromql(text, options)
  const steps = [`as written\n${printSeriesPlan(written, 1)}`]
  const plan = prepareSeriesPlan(written, {
    ...options,
    optimizer: {
      ...options.optimizer,
      observe: (step) => {
        options.optimizer?.observe?.(step)
        const { rule, pass, after } = step
        steps.push(`${rule.name}, pass ${pass}: ${rule.summary}\n${printSeriesPlan(after, 1)}`)
      },
    },
  })
  return { plan, steps: steps.join('\n\n') }
}

/** Explains an expression without reading anything. Throws `SluiceError`. */
export function explainPromql(text: string, options: PromqlOptions): PromqlExplanation {
  const { plan, steps } = prepared(text, options)
  return { tree: seriesTree(plan), steps }
}

/**
 * Explains an expression, and how the source would read the samples for these times if the source can tell. Reads no
 * samples. Throws `SluiceError`.
 */
export async function explainPromqlAt(
  text: string,
  times: SeriesTimes,
  options: PromqlOptions,
): Promise<PromqlExplanation> {
  const { plan, steps } = prepared(text, options)
  if (options.source.explain === undefined) return { tree: seriesTree(plan), steps }
  const requests = new Requests(options.source)
  await runPrepared(plan, text, times, { ...options, source: requests.source(true) })
  return { tree: seriesTree(plan, { requests }), steps }
}

/** Evaluates an expression and measures each node. A step of 0 means an instant query. Throws `SluiceError`. */
export async function analyzePromql(
  text: string,
  times: SeriesTimes,
  options: PromqlOptions,
): Promise<PromqlExplanation & { readonly result: PromqlResult }> {
  const { plan, steps } = prepared(text, options)
  const measures = new SeriesMeasures()
  const requests = options.source.explain === undefined ? undefined : new Requests(options.source)
  const source = requests?.source(false) ?? options.source
  const result = await runPrepared(plan, text, times, { ...options, source, observer: measures })
  return { result, tree: seriesTree(plan, { measures, requests }), steps }
}
