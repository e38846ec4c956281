import type { Random } from '../base/index.ts'
import { parse } from '../lang/log/index.ts'
import { hasMember, checkArgument, isError, present } from '../base/index.ts'
import type { Extension } from '../engine/index.ts'
import type { Dialect } from '../plan/index.ts'
import { fuzzBaseNs, workloads } from './dataset.ts'
import { formsOf } from './extension.ts'
import { allFilters, writeFilter } from './filters.ts'
import { allPipes, statsGenerators } from './pipes.ts'
import { logsSchema, type Need } from './schema.ts'
import { fieldText, storedFields, Writer, type PipeGenerator } from './writer.ts'

/** The parts of a query text and the dialect in which it is parsed. */
export interface QueryParts {
  /** The text of `options(…)`, if any. */
  readonly options?: string | undefined
  readonly filter: string
  /** The pipes, without the bars between them. */
  readonly pipes: readonly string[]
  /** The dialect in which the query is parsed. Default: `native`. */
  readonly dialect?: Dialect | undefined
}

export interface GeneratedQuery extends QueryParts {
  readonly uses: ReadonlySet<string>
}

/** Returns the text of a drawn query. */
export function queryText(parts: QueryParts): string {
  checkArgument(
    hasMember(parts, 'filter') && Array.isArray(parts.pipes),
    parts,
    'the parts of a query that `logQueries` draws',
    'queryText(parts)',
  )
  const { options, filter, pipes } = parts
  const head = options === undefined || options === '' ? filter : `${options} ${filter}`
  return [head, ...pipes].join(' | ')
}

/** Draws a pipe generator. Pipes that are used often are drawn often. */
function pickPipe(w: Writer): PipeGenerator {
  if (w.own.pipes.length > 0 && w.chance(0.25)) return w.pick(w.own.pipes)
  const pipes = w.drawable(allPipes)
  let at = w.random.next() * pipes.reduce((sum, g) => sum + g.weight, 0)
  return present(pipes.find((g) => (at -= g.weight) < 0) ?? pipes[0])
}

/** Adds a pipe. After a join it mostly reads columns that the join has added. */
function writePipe(generator: PipeGenerator, w: Writer, pipes: string[]): void {
  if (generator.name === 'sample' && !w.canSample) return
  if (generator.name === 'stream_context' && pipes.length > 0) return
  w.use(`pipe/${generator.name}`)
  pipes.push(generator.write(w))
  if (generator.name !== 'join' || w.made.length === 0) return
  if (w.chance(0.6)) {
    w.use('join/read-prefixed')
    pipes.push(`filter ${writeFilter(w, 1)}`)
  }
}

function writePipes(w: Writer, maxPipes: number): string[] {
  const pipes: string[] = []
  const count = w.random.below(maxPipes + 1)
  for (let i = 0; i < count; i++) writePipe(pickPipe(w), w, pipes)
  return pipes
}

/** Writes the part of a query that is inside another query. */
function writeInner(w: Writer): string {
  const filter = w.chance(0.5) ? '*' : writeFilter(w, 1)
  const table = w.chance(0.1) && w.has('tables') ? `from ${fieldText(w.pick(w.schema.tables))} ` : ''
  if (table !== '') w.use('from')
  return [table + filter, ...writePipes(w, 2)].join(' | ')
}

/**
 * Joins the query with a copy of itself, or unites the query and the copy, with equal or different conditions. Such
 * queries test that common parts are computed once and that equal scans are merged.
 */
function writeTwin(w: Writer, filter: string, pipes: string[]): void {
  const others = w.chance(0.5) ? [w.chance(0.3) ? `!(${filter})` : writeFilter(w, 1), ...pipes] : [filter, ...pipes]
  const twin = [...others, ...(w.chance(0.4) ? [`filter ${writeFilter(w, 1)}`] : [])].join(' | ')
  const isUnion = w.chance(0.7) || pipes.some((pipe) => /^(join|union)/.test(pipe))
  w.use(isUnion ? 'union/twin' : 'join/twin')
  pipes.push(isUnion ? `union (${twin})` : `join by (${w.field()}) (${twin} | limit 12) prefix "t_"`)
  if (w.chance(0.4)) return
  const last = w.pick(['stats', 'uniq'])
  writePipe(present(allPipes.find(({ name }) => name === last)), w, pipes)
}

interface OptionGenerator {
  readonly needs?: Need
  readonly write: (w: Writer) => string
}

const optionGenerators: readonly OptionGenerator[] = [
  { write: (w) => `concurrency=${w.pick([1, 2])}` },
  { write: (w) => `parallel_readers=${w.pick([1, 4])}` },
  { write: (w) => `ignore_global_time_filter=${w.pick(['true', 'false'])}` },
  { write: (w) => `allow_partial_response=${w.pick(['true', 'false'])}` },
  { write: (w) => `time_offset=${w.pick(['1h', '-30m', '1d'])}` },
  { write: (w) => `range_offset=${w.pick(['1h', '-30m', '1d'])}` },
  { needs: 'tables', write: (w) => `domain=${fieldText(w.pick(w.schema.tables))}` },
  {
    write: (w) => {
      const ofLogs = ['status:>=200', `workload:${w.pick(workloads)}`, '-level:debug']
      return `global_filter=(${w.pick([...(w.has('logs') ? ofLogs : []), writeFilter(w, 0)])})`
    },
  },
]

function writeOptions(w: Writer): string {
  if (!w.chance(0.09)) return ''
  const texts = w.list(1, 2, () => w.pick(w.drawable(optionGenerators)).write(w))
  for (const text of texts) w.use(`option/${text.split('=')[0]}`)
  return `options(${texts.join(', ')})`
}

/** Draws a random query over the fuzz data, or over rows of another schema: a filter, then up to four pipes. */
export function generateQuery(
  random: Random,
  baseNs = fuzzBaseNs,
  extend: Extension = {},
  schema = logsSchema,
): GeneratedQuery {
  const w = new Writer(random, schema.fields, writeInner, baseNs)
  w.own = formsOf(extend)
  w.schema = schema
  if (w.chance(0.1) && w.has('logs')) w.fields = [...schema.fields, '_stream', '_stream_id']
  const options = writeOptions(w)
  w.canSample = !/time_offset|range_offset/.test(options)
  const filter = w.chance(0.4) ? '*' : writeFilter(w, 2)
  const pipes = writePipes(w, 4)
  if (w.chance(0.08)) writeTwin(w, filter, pipes)
  const query = { options, filter, pipes, uses: w.uses }
  if (!w.chance(0.2) || parse(queryText(query), { dialect: 'logsql' }).diagnostics.some(isError)) return query
  w.use('dialect/logsql')
  return { ...query, dialect: 'logsql' }
}

/** Filters, pipes and stats functions, from which ordered pairs are made. */
const sides = [
  ...allFilters.map(({ name, write }) => ({ kind: 'filter', name, write: (w: Writer) => write(w, 1) }) as const),
  ...allPipes.map((generator) => ({ kind: 'pipe', name: generator.name, generator }) as const),
  ...statsGenerators.map(({ name, write }) => ({ kind: 'stats', name, write }) as const),
]

/** The number of ordered pairs of forms. */
export const pairCount = sides.length ** 2

/** Draws a query that contains one pair of forms and little else. `pair` counts from 0 modulo `pairCount`. */
export function generatePair(random: Random, pair: number, baseNs = fuzzBaseNs): GeneratedQuery {
  const w = new Writer(random, storedFields, writeInner, baseNs)
  const chosen = [present(sides[pair % sides.length]), present(sides[Math.floor(pair / sides.length) % sides.length])]
  const filters: string[] = []
  const pipes: string[] = []
  for (const side of chosen) {
    if (side.kind === 'pipe') writePipe(side.generator, w, pipes)
    else if (side.kind === 'filter') {
      // Earlier pipes may have renamed or created fields, so a filter after a pipe must be a `filter` pipe.
      w.use(`filter/${side.name}`)
      if (pipes.length === 0) filters.push(side.write(w))
      else pipes.push(`filter ${side.write(w)}`)
    } else {
      w.use(`stats/${side.name}`)
      const by = w.chance(0.5) ? `by (${w.field()}) ` : ''
      pipes.push(`stats ${by}${side.write(w)} as made`)
      w.fields = ['made']
    }
  }
  const filter = filters.length === 0 ? '*' : filters.join(w.pick([' ', ' OR ', ' -']))
  return { filter, pipes, uses: w.uses }
}
