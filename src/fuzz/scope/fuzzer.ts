import { seededRandom, type JsonValue } from '../../base/index.ts'
import { defineFuzzer, type CaseBlock, type FuzzerDefinition, type Fuzzer, type Ground } from '../runner/fuzzer.ts'
import type { PromqlCase } from '../promql/generate.ts'
import { fewerRows } from '../runner/shrink-by.ts'
import { rowsOf, rowsToJson } from '../stored-rows.ts'
import { drawBlock, openBlock, type ScopeBlock as RowBlock, type BlockData } from './block.ts'
import { checkCase, pairOf, usualShares, type CaseReport, type CheckOptions } from './check.ts'
import type { ScopeEndpoint } from './endpoint.ts'
import { rowKindOf, rowKinds, type RowKind } from './kinds.ts'
import { checkMetricCase, drawMetricCase, makeMetricBlock, type LabelScopes } from './metrics.ts'
import { servedBlock, servedMetrics, type Serve } from './served.ts'
import { drawQuestion, questionOf, type ScopeQuestion, type Wording } from './questions.ts'

/** Endpoints that the caller passes in, because the architecture does not allow this folder to import them. */
export interface ScopeWays {
  readonly labelScopes: LabelScopes
  readonly endpoints: readonly ScopeEndpoint[]
  readonly serve: Serve
}

/** A query over rows, from one of two callers. */
interface RowCase {
  readonly data: BlockData
  readonly caller: 0 | 1
  readonly wording: Wording
  /** The parsed question; if missing, the wording is parsed. */
  readonly question?: ScopeQuestion
}

/** A metric query from one of the two callers, over the samples and policies of a seed. */
interface MetricCase {
  readonly samples: number
  readonly caller: 0 | 1
  readonly query: Omit<PromqlCase, 'uses'>
}

type ScopeCase = RowCase | MetricCase
type ScopeGround = Ground<ScopeCase, CaseReport>

const METRICS = 'metrics'
const kinds: readonly (RowKind | typeof METRICS)[] = [...rowKinds, METRICS]
const MIN_HIDDEN = 0.05

/** True if a policy hides some of the rows that a query reads, and not nearly all. */
export function isMixed({ rows, hidden }: CaseReport['touched']): boolean {
  return rows > 0 && hidden >= MIN_HIDDEN * rows && hidden <= (1 - MIN_HIDDEN) * rows
}

/** Compares every output, for a single case. */
const everything: CheckOptions = {
  endpointShare: 1,
  servedShare: 1,
  limitsShare: 1,
  cacheShare: 1,
  beforeShare: 1,
  explainShare: 1,
}

function overRows(block: RowBlock, { endpoints, serve }: ScopeWays, shares: CheckOptions, seed = 0): ScopeGround {
  const served = servedBlock(serve, block, seed)
  return {
    prepare: (given, seed) => {
      if (!('wording' in given)) throw new Error('a case of samples over rows')
      const caller = block.callers[given.caller]
      const question = given.question ?? questionOf(given.wording, block)
      const options = { ...shares, endpoints, served }
      return checkCase(block, caller, pairOf(block, caller), question, seededRandom(seed ^ 0x51f15e), options)
    },
    close: async () => {
      await served.close()
      await block.close()
    },
  }
}

async function overSamples(samples: number, { labelScopes, serve }: ScopeWays): Promise<ScopeGround> {
  const block = await makeMetricBlock(samples, labelScopes)
  const served = servedMetrics(serve, block, samples)
  return {
    prepare: (given, seed) => {
      if (!('query' in given)) throw new Error('a case of rows over samples')
      return checkMetricCase(block, given.caller, given.query, seededRandom(seed ^ 0x51f15e), undefined, served)
    },
    close: async () => {
      await served.close()
      block.close()
    },
  }
}

async function makeBlock(
  block: number,
  kind: (typeof kinds)[number],
  ways: ScopeWays,
): Promise<CaseBlock<ScopeCase, CaseReport>> {
  const seed = block ^ 0x5c09e
  const use = `kind/${kind === METRICS ? kind : kind.name}`
  if (kind === METRICS) {
    return {
      ...(await overSamples(seed, ways)),
      draw: (random, at) => {
        const { uses, ...query } = drawMetricCase(random)
        return { given: { samples: seed, caller: at % 2 === 0 ? 0 : 1, query }, uses: new Set([...uses, use]) }
      },
    }
  }
  const data = await drawBlock(seed, kind)
  const open = await openBlock(data)
  return {
    ...overRows(open, ways, usualShares, seed),
    draw: (random, at) => {
      const question = drawQuestion(random, open)
      const { shown, isBody, dialect, range } = question
      const wording: Wording = { shown, isBody, dialect, range }
      const given: RowCase = { data, caller: at % 2 === 0 ? 0 : 1, wording, question }
      return { given, uses: new Set([...question.uses, use]) }
    },
  }
}

function* smaller(given: ScopeCase): Generator<ScopeCase> {
  if ('query' in given) return
  const { data, caller, wording } = given
  for (const [table, rows] of data.tables)
    for (const fewer of fewerRows(rows))
      yield { caller, wording, data: { ...data, tables: new Map([...data.tables, [table, fewer]]) } }
  const own = data.stored[caller]
  for (let i = 0; own.length > 1 && i < own.length; i++) {
    const fewer = own.toSpliced(i, 1)
    yield { caller, wording, data: { ...data, stored: [fewer, fewer] } }
  }
  if (wording.isBody) return
  const parts = wording.shown.split(' | ')
  for (let i = 1; i < parts.length; i++)
    yield { data, caller, wording: { ...wording, shown: parts.toSpliced(i, 1).join(' | ') } }
}

function write(given: ScopeCase): JsonValue {
  const { caller } = given
  if ('query' in given) {
    const { text, startMs, endMs, stepMs } = given.query
    return { samples: given.samples, caller, query: { text, startMs, endMs, stepMs } }
  }
  const { data, wording } = given
  const { shown, isBody, dialect, range } = wording
  return {
    kind: data.kind.name,
    other: data.other.name,
    baseNs: String(data.baseNs),
    tables: Object.fromEntries([...data.tables].map(([table, rows]) => [table, rowsToJson(rows)])),
    stored: data.stored,
    caller,
    wording: { shown, isBody, dialect, range: [String(range.startNs), String(range.endNs)] },
  }
}

interface KeptRowCase {
  readonly kind: string
  readonly other: string
  readonly baseNs: string
  readonly tables: Readonly<Record<string, JsonValue>>
  readonly stored: BlockData['stored']
  readonly caller: 0 | 1
  readonly wording: Omit<Wording, 'range'> & { readonly range: readonly [string, string] }
}

function read(json: JsonValue): ScopeCase {
  const kept = json as unknown as KeptRowCase | MetricCase
  if ('query' in kept) return kept
  const { kind, other, baseNs, tables, stored, caller, wording } = kept
  const [startNs, endNs] = wording.range
  return {
    caller,
    wording: { ...wording, range: { startNs: BigInt(startNs), endNs: BigInt(endNs) } },
    data: {
      kind: rowKindOf(kind),
      other: rowKindOf(other),
      baseNs: BigInt(baseNs),
      tables: new Map(Object.entries(tables).map(([table, rows]) => [table, rowsOf(rows)])),
      stored,
    },
  }
}

function definition(
  ways: ScopeWays,
  only: readonly (RowKind | typeof METRICS)[],
): FuzzerDefinition<ScopeCase, CaseReport> {
  return {
    name: 'scope',
    casesPerBlock: 40,
    laws: [{ law: { name: 'scope-never-leaks', check: ({ leak }) => leak }, share: 1 }],
    block: (block) => makeBlock(block, only[block % only.length] ?? METRICS, ways),
    ground: async (given) =>
      'query' in given ? overSamples(given.samples, ways) : overRows(await openBlock(given.data), ways, everything),
    show: (given) => {
      if ('query' in given) return given.query.text
      return `${given.wording.shown} under ${JSON.stringify(given.data.stored[given.caller])}`
    },
    smaller,
    notes: ({ touched, isRefused, way }) => [
      ...(way === undefined ? [] : [way]),
      ...(isRefused ? ['refused'] : []),
      ...(isMixed(touched) ? ['5 to 95 % of the touched rows hidden'] : []),
    ],
    write,
    read,
  }
}

/**
 * Fuzzer of policies. A random question by a caller with policies must give the same result as without policies over
 * only the visible rows. Blocks of cases cycle through all kinds of data, or through those in `only`.
 */
export function scopeFuzzer(ways: ScopeWays, only?: readonly string[]): Fuzzer {
  return defineFuzzer(
    definition(
      ways,
      kinds.filter((kind) => only?.includes(kind === METRICS ? kind : kind.name) !== false),
    ),
  )
}
