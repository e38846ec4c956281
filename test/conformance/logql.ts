import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Budget, SluiceError } from '../../src/base/index.ts'
import { answerJson, type SeriesTimes } from '../../src/backends/columnar/series/index.ts'
import { defaultEngineLimits } from '../../src/engine/index.ts'
import { entriesPlan, runLogqlMetric } from '../../src/engine/logql/index.ts'
import { lowerMetric, parseLogqlOrThrow, renderLogqlError } from '../../src/lang/logql/index.ts'
import { LokiStreams, type EntryLabels } from '../../src/server/routes/loki/streams.ts'
import { isClose } from './promql-compare.ts'
import { LogqlStore } from './logql-store.ts'
import { checkAll, unreadable, type Outcome, type Vector, type Verdict } from './outcome.ts'
import type { VectorSet } from './report.ts'

type Labels = Readonly<Record<string, string>>

/** One request to the reference, and its answer. */
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

/** Lines of JSON; none when the directory has no such file. */
function readLines<V>(directory: string, file: string): readonly V[] | undefined {
  const path = join(directory, file)
  if (!existsSync(path)) return undefined
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as V)
}

function sortedJson(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function sameText(actual: unknown, expected: unknown): boolean {
  return JSON.stringify(actual) === JSON.stringify(expected)
}

interface Stream {
  readonly stream: Labels
  readonly values: readonly (readonly [string, string, unknown?])[]
}

function withSortedParts(values: Stream['values']): unknown {
  return values.map(([time, line, labels]) => [
    time,
    line,
    Object.entries((labels ?? {}) as Record<string, Labels>).map(([part, each]) => [part, sortedJson(each)]),
  ])
}

function compareStreams(actual: readonly Stream[], expected: readonly Stream[]): string | undefined {
  const left = new Map(actual.map((stream) => [sortedJson(stream.stream), stream.values]))
  const right = new Map(expected.map((stream) => [sortedJson(stream.stream), stream.values]))
  for (const [labels, values] of right) {
    const found = left.get(labels)
    if (found === undefined) return `no stream ${labels}; there are ${[...left.keys()].slice(0, 3).join(' ')}`
    const [got, wanted] = [withSortedParts(found), withSortedParts(values)]
    if (!sameText(got, wanted))
      return `stream ${labels} has ${JSON.stringify(got).slice(0, 400)}, wanted ${JSON.stringify(wanted).slice(0, 400)}`
  }
  const surplus = [...left.keys()].find((labels) => !right.has(labels))
  return surplus === undefined ? undefined : `a stream too many: ${surplus}`
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
  const difference = compareStreams(streams.list() as readonly Stream[], vector.result as readonly Stream[])
  return difference === undefined ? undefined : { failure: `${vector.query}: ${difference}` }
}

interface Series {
  readonly metric: Labels
  readonly value?: readonly [number, string]
  readonly values?: readonly (readonly [number, string])[]
}

function sameNumber(actual: string, expected: string): boolean {
  return actual === expected || isClose(Number(actual), Number(expected), 1e-9)
}

function compareSeries(actual: readonly Series[], expected: readonly Series[], isOrdered: boolean): string | undefined {
  const points = ({ value, values }: Series): readonly (readonly [number, string])[] => values ?? (value ? [value] : [])
  if (isOrdered) {
    const order = (series: readonly Series[]): readonly string[] => series.map((each) => points(each)[0]?.[1] ?? '')
    const [got, wanted] = [order(actual), order(expected)]
    if (got.length !== wanted.length || !got.every((text, i) => sameNumber(text, wanted[i] ?? '')))
      return `in the order ${got.join(' ')}, wanted ${wanted.join(' ')}`
  }
  const left = new Map(actual.map((series) => [sortedJson(series.metric), points(series)]))
  for (const series of expected) {
    const labels = sortedJson(series.metric)
    const got = left.get(labels)
    if (got === undefined) return `no series ${labels}; there are ${[...left.keys()].slice(0, 3).join(' ')}`
    const wanted = points(series)
    const isSame =
      got.length === wanted.length &&
      got.every(([time, text], i) => time === wanted[i]?.[0] && sameNumber(text, wanted[i]?.[1] ?? ''))
    if (!isSame)
      return `series ${labels} has ${JSON.stringify(got).slice(0, 300)}, wanted ${JSON.stringify(wanted).slice(0, 300)}`
    left.delete(labels)
  }
  const [surplus] = left.keys()
  return surplus === undefined ? undefined : `a series too many: ${surplus}`
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

/** Messages that name one of several series are compared up to the first brace. */
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

const stageErrors = new Set(['JSONParserErr', 'LogfmtParserErr', 'LabelFilterErr', 'TemplateFormatErr', ''])

/** True if an answer has a label of errors that came out of a line. */
function hasErrorOfLine({ result = [] }: QueryVector): boolean {
  const isOfLine = ({ __error__: error = '', __error_details__: details = '' }: Labels): boolean =>
    !stageErrors.has(error) || details === 'own'
  return (result as readonly Partial<Stream & Series>[]).some(
    ({ stream, metric, values = [] }) =>
      isOfLine({ ...stream, ...metric } as Labels) ||
      values.some(([, , labels]) => isOfLine((labels as EntryLabels | undefined)?.parsed ?? {})),
  )
}

/** Where the semantics of ours differ by a ruling: grammar/semantics.md, section LogQL. */
const rulings: readonly { readonly reason: string; readonly isAbout: (vector: QueryVector) => boolean }[] = [
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

/** A check whose failures are left out where a ruling says why. */
function ruled(vector: QueryVector, verdict: Verdict): Verdict {
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

const known = resolve(import.meta.dirname, '../../../shared/vectors/logql')

/** The LogQL vectors. Queries of another directory are about the same entries. */
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
    ]
  },
}
