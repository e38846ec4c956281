import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Budget, SluiceError } from '../../src/base/index.ts'
import { answerJson, type SeriesTimes } from '../../src/backends/columnar/series/index.ts'
import { defaultEngineLimits } from '../../src/engine/index.ts'
import { entriesPlan, runLogqlMetric } from '../../src/engine/logql/index.ts'
import { lowerMetric, parseLogqlOrThrow, renderLogqlError } from '../../src/lang/logql/index.ts'
import { LokiStreams, type EntryLabels } from '../../src/server/routes/loki/streams.ts'
import { checkApi, apiServer, type ApiVector } from './logql-api.ts'
import { compareSeries, compareStreams, sameNumber, type Labels, type Series, type Stream } from './logql-compare.ts'
import { LogqlStore } from './logql-store.ts'
import { checkAll, readLines, unreadable, type Outcome, type Vector, type Verdict } from './outcome.ts'
import type { VectorSet } from './report.ts'

/** A query to the reference implementation, and the recorded answer. */
interface QueryVector extends Vector {
  readonly id: string
  readonly class: string
  readonly kind: 'range' | 'instant'
  readonly query: string
  readonly params: Readonly<Record<string, string>>
  readonly headers?: Labels
  readonly status: number
  readonly resultType?: string
  readonly result?: readonly unknown[]
  readonly error?: string
  readonly unstable?: 'message' | 'ties'
  readonly ordered?: boolean
}

async function checkEntries(vector: QueryVector, store: LogqlStore): Promise<Verdict> {
  const { params } = vector
  const query = parseLogqlOrThrow(vector.query)
  if (query.kind !== 'log-query') return { failure: 'is no log query' }
  const direction = params['direction'] === 'forward' ? 'forward' : 'backward'
  const plan = entriesPlan(query, store.table, direction, Number(params['limit'] ?? 100))
  const range = { startNs: BigInt(params['start'] ?? 0), endNs: BigInt(params['end'] ?? 0) }
  const isCategorized = vector.headers?.['X-Loki-Response-Encoding-Flags'] === 'categorize-labels'
  const streams = new LokiStreams(store.table.timeField, isCategorized)
  streams.addAll(await store.rows(plan, range), direction)
  const difference = compareStreams(streams.list(), vector.result as readonly Stream[])
  return difference === undefined ? undefined : { failure: `${vector.query}: ${difference}` }
}

function timesOf({ kind, params }: QueryVector): SeriesTimes {
  const ms = (name: string): number => Number(BigInt(params[name] ?? 0) / 1_000_000n)
  if (kind === 'instant') return { startMs: ms('time'), endMs: ms('time'), stepMs: 0 }
  return { startMs: ms('start'), endMs: ms('end'), stepMs: Number(params['step']) * 1000 }
}

async function checkMetric(vector: QueryVector, store: LogqlStore): Promise<Verdict> {
  const query = parseLogqlOrThrow(vector.query)
  if (query.kind === 'log-query') return { failure: 'is no metric query' }
  const budget = new Budget(defaultEngineLimits, () => performance.now())
  const logs = { read: store.batches.bind(store) }
  const { answer } = await runLogqlMetric(lowerMetric(query, store.table), timesOf(vector), { logs, budget })
  if (vector.unstable === 'ties') return { skip: 'equal values compete for a place' }
  const text = Buffer.concat([...answerJson(answer, { warnings: [], infos: [] })]).toString()
  const { data } = JSON.parse(text) as {
    readonly data: { readonly resultType: string; readonly result: readonly unknown[] }
  }
  if (data.resultType !== vector.resultType) return { failure: `a ${data.resultType}, wanted a ${vector.resultType}` }
  if (data.resultType === 'scalar') {
    const [got, wanted] = [data.result, vector.result ?? []].map((result) => String(result[1])) as [string, string]
    return sameNumber(got, wanted) ? undefined : { failure: `${vector.query}: ${got}, wanted ${wanted}` }
  }
  const difference = compareSeries(
    data.result as readonly Series[],
    vector.result as readonly Series[],
    vector.ordered === true,
  )
  return difference === undefined ? undefined : { failure: `${vector.query}: ${difference}` }
}

/**
 * Compares error messages. If a message names one of several series at random, only the text before the first brace
 * counts.
 */
function sameMessage(actual: string, { error = '', unstable }: QueryVector): boolean {
  const shortened = (text: string): string => (unstable === 'message' ? text.slice(0, text.indexOf('{')) : text)
  return shortened(actual).trim() === shortened(error).trim()
}

async function checkRefused(vector: QueryVector, store: LogqlStore, check: Check): Promise<Verdict> {
  try {
    await check(vector, store)
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    const [first] = error.diagnostics
    const isOfText = first?.code.startsWith('logql/') === true
    const message = isOfText ? renderLogqlError(first, vector.query) : error.message
    return sameMessage(message, vector) ? undefined : { failure: `${vector.query}: ${message}, wanted ${vector.error}` }
  }
  return { failure: `${vector.query}: is answered, wanted ${vector.error}` }
}

type Check = (vector: QueryVector, store: LogqlStore) => Promise<Verdict>

type Asked = Pick<QueryVector, 'query' | 'result'>

const stageErrors = new Set(['JSONParserErr', 'LogfmtParserErr', 'LabelFilterErr', 'TemplateFormatErr', ''])

/** True if an answer has error labels whose values come from the fields of a log line. */
function hasErrorOfLine({ result = [] }: Asked): boolean {
  const isOfLine = ({ __error__: error = '', __error_details__: details = '' }: Labels): boolean =>
    !stageErrors.has(error) || details === 'own'
  return (result as readonly Partial<Stream & Series>[]).some(
    ({ stream, metric, values = [] }) =>
      isOfLine({ ...stream, ...metric }) ||
      values.some(([, , labels]) => isOfLine((labels as EntryLabels | undefined)?.parsed ?? {})),
  )
}

/**
 * Deliberate differences from the reference implementation. The section "LogQL" of grammar/semantics.md explains them.
 */
const rulings: readonly { readonly reason: string; readonly isAbout: (vector: Asked) => boolean }[] = [
  { reason: 'a line cannot set the labels of errors', isAbout: hasErrorOfLine },
  {
    reason: 'a line filter behind `decolorize` tests the line without colours',
    isAbout: ({ query }) => /\|\s*decolorize.*\|[=~]/.test(query),
  },
  { reason: 'a regular expression matches a whole label', isAbout: ({ query }) => /=~\s*"[^"]*\.\*"/.test(query) },
  {
    reason: 'a quantile may have an offset',
    isAbout: ({ query }) => query.includes('quantile_over_time') && query.includes('offset'),
  },
  {
    reason: 'a template that is only the label of an error shows it',
    isAbout: ({ query }) => /["`]\{\{\s*\.__error(_details)?__\s*\}\}["`]/.test(query),
  },
]

/** Turns a failed check into a skip if a deliberate difference explains it. */
function ruled(vector: Asked, verdict: Verdict): Verdict {
  if (verdict === undefined || 'skip' in verdict) return verdict
  const ruling = rulings.find(({ isAbout }) => isAbout(vector))
  return ruling === undefined ? verdict : { skip: ruling.reason }
}

async function checkQueries(directory: string, file: string, store: LogqlStore, check: Check): Promise<Outcome[]> {
  try {
    const vectors = readLines<QueryVector>(directory, file)
    if (vectors === undefined) return []
    return [
      await checkAll(file, vectors, async (vector) =>
        ruled(vector, await (vector.status === 200 ? check(vector, store) : checkRefused(vector, store, check))),
      ),
    ]
  } catch (error) {
    return [unreadable(file, error)]
  }
}

async function checkEndpoints(directory: string, data: string): Promise<Outcome[]> {
  const file = 'api.jsonl'
  try {
    const vectors = readLines<ApiVector>(directory, file)
    if (vectors === undefined) return []
    const servers = { A: await apiServer(data, false), D: await apiServer(data, true) }
    try {
      return [
        await checkAll(file, vectors, async (vector) => {
          const verdict = await checkApi(vector, vector.server === 'D' ? servers.D : servers.A)
          const query = vector.params?.find(([name]) => name === 'query')?.[1] ?? ''
          return ruled({ query, result: vector.result ?? [] }, verdict)
        }),
      ]
    } finally {
      await Promise.all(Object.values(servers).map((server) => server.close()))
    }
  } catch (error) {
    return [unreadable(file, error)]
  }
}

const known = resolve(import.meta.dirname, '../../../shared/vectors/logql')

/** The LogQL vectors. Another directory may hold only queries; they then run over the default directory's entries. */
export const logqlVectors: VectorSet = {
  language: 'logql',
  directory: known,
  run: async (directory) => {
    const data = [directory, known].map((each) => join(each, 'data.ndjson')).find((path) => existsSync(path))
    if (data === undefined) return []
    const store = new LogqlStore(readFileSync(data, 'utf8'))
    return [
      ...(await checkQueries(directory, 'log.jsonl', store, checkEntries)),
      ...(await checkQueries(directory, 'metric.jsonl', store, checkMetric)),
      ...(await checkEndpoints(directory, readFileSync(data, 'utf8'))),
    ]
  },
}
