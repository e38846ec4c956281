import {
  HOUR_NS,
  SluiceError,
  always,
  throwIfErrors,
  present,
  type Interval,
  type JsonValue,
  type Random,
} from '../../base/index.ts'
import { lowerSearch } from '../../lang/json/index.ts'
import { lower, parse } from '../../lang/log/index.ts'
import type { Dialect, LogicalPlan } from '../../plan/index.ts'
import { standardCatalog } from '../../store/index.ts'
import { decode, pipeline } from '../../wire/index.ts'
import { writeFilter } from '../filters.ts'
import { generateQuery, queryText } from '../log-query.ts'
import { pipelineFunctions } from '../pipeline/pipeline-plan.ts'
import { generatePipeline } from '../pipeline/pipeline.ts'
import { writeWindow } from '../stats-calls.ts'
import { fieldText, storedFields, Writer } from '../writer.ts'
import { renamed, type RowKind } from './kinds.ts'

/** A query text or body as it is drawn and stored. */
export interface Wording {
  /** The text, or the body as JSON. */
  readonly shown: string
  readonly isBody: boolean
  readonly dialect: Dialect
  readonly range: Interval
}

/** One query of a data set. */
export interface ScopeQuestion extends Wording {
  readonly nowNs: bigint
  /** The features, for the histogram. */
  readonly uses: ReadonlySet<string>
  /** Returns the unbound plan. Throws a SluiceError when the text or body has errors. */
  readonly plan: () => LogicalPlan
}

/** The data for which questions are drawn. */
export interface QuestionContext {
  readonly kind: RowKind
  readonly other: RowKind
  readonly baseNs: bigint
}

function planOfText(text: string, dialect: Dialect, table: string, nowNs: bigint): LogicalPlan {
  const { ast, diagnostics } = parse(text, { dialect })
  throwIfErrors(diagnostics)
  return lower(ast, { nowNs, table, dialect, textField: standardCatalog.tables.get(table)?.textField })
}

function planOfBody(body: string, table: string): LogicalPlan {
  const { plan, diagnostics } = lowerSearch({
    table,
    query: undefined,
    filters: undefined,
    sources: undefined,
    pipeline: decode(pipeline, JSON.parse(body)),
    range: always,
    functions: pipelineFunctions,
  })
  throwIfErrors(diagnostics)
  return plan
}

/** Creates a plan at first use and shares it, since plans are immutable. */
function once(make: () => LogicalPlan): () => LogicalPlan {
  let made: LogicalPlan | SluiceError | undefined
  return () => {
    if (made === undefined) {
      try {
        made = make()
      } catch (error) {
        if (!(error instanceof SluiceError)) throw error
        made = error
      }
    }
    if (made instanceof SluiceError) throw made
    return made
  }
}

/** Writes one side of a join or union with its own conditions. The second side sometimes reads another table. */
function side(w: Writer, { other }: QuestionContext): string {
  const isOther = w.chance(0.25)
  if (isOther) w.use('scope/other-table')
  const filter = w.chance(0.35) ? '*' : writeFilter(w, 1)
  return isOther ? `options(domain=${other.domain}) ${renamed(filter, other)}` : filter
}

const key = (w: Writer): string => fieldText(w.pick(['level', 'workload', 'namespace', 'status', 'a']))

type Form = (w: Writer, context: QuestionContext) => string

/** Forms of queries that scan tables in different positions. Each writes the text after the first filter. */
const forms: Readonly<Record<string, Form>> = {
  'join-left': (w, context) =>
    `| join by (${key(w)}) (${side(w, context)} | limit 12)${w.pick(['', ' left', ' full'])}`,
  'join-right': (w, context) =>
    `| join by (${key(w)}) (${side(w, context)} | sort by (_time) | limit 9) ${w.pick(['right', 'inner'])} prefix "r."`,
  union: (w, context) =>
    `| union (${side(w, context)})${w.pick(['', ' | stats count() n', ' | sort by (_time) | limit 8'])}`,
  'in-subquery': (w, context) => {
    const name = key(w)
    return `${w.pick(['', '!'])}${name}:in(${side(w, context)} | fields ${name})${w.pick(['', ' | stats count() n'])}`
  },
  window: (w) => `| ${writeWindow(w)}`,
  'running-stats': (w) => `| running_stats by (${key(w)}) count() as n, max(duration_ms) as m`,
  'limit-by': (w) => `| sort by (_time${w.pick(['', ' desc'])}) | limit ${w.pick([1, 2])} by (${key(w)})`,
  'count-if': (w) => `| stats by (${key(w)}) count() if (${writeFilter(w, 1)}) as n, count() as total`,
  having: (w) => `| stats by (${key(w)}) count() as n, uniq_values(level) as v | filter n:>${w.pick([0, 1, 2, 5])}`,
  'field-names': (w) => `| field_names${w.pick(['', ' filter e'])}`,
  'field-values': (w) => `| field_values ${key(w)}${w.pick(['', ' limit 2'])}`,
  facets: (w) => `| facets ${w.pick([1, 3])}`,
  hits: (w) => `| stats by (_time:${w.pick(['1h', '1d', '1m'])}) count() as hits`,
  'uniq-hits': (w) => `| uniq by (${key(w)}) with hits`,
  top: (w) => `| top ${w.pick([1, 3])} by (${key(w)})`,
  newest: (w) => `| limit ${w.pick([1, 3])}${w.pick(['', ' | offset 1'])}`,
  sample: (w) => {
    const before = w.pick(['', '', `| fields _time, ${key(w)} `, `| math duration_ms + 1 as more `])
    const after = w.pick(['', '', ` | stats by (${key(w)}) count() as n`, ` | fields ${key(w)}`])
    return `${before}| sample ${w.pick(['2', '3', '5', '1 rows', '3 rows', '8 rows'])}${after}`
  },
  'uniq-limit': (w) => `| uniq by (${key(w)}${w.pick(['', `, ${key(w)}`])})${w.pick([' limit 2', ' limit 5', ''])}`,
  'value-lists': (w) =>
    `| stats ${w.pick(['values', 'uniq_values', 'json_values', 'row_any', 'count_uniq', 'count_uniq_hash'])}(${key(w)})${w.pick(['', ' limit 2'])} as list`,
  'first-rows': (w) => `| ${w.pick(['first', 'last'])} ${w.pick([1, 2])} by (${w.pick(['_time', key(w)])})`,
  physical: (w) => `| ${w.pick(['blocks_count', 'block_stats', `stats by (${key(w)}) count() | query_stats`])}`,
}

const formNames = Object.keys(forms)

function ownText(
  random: Random,
  context: QuestionContext,
): { readonly text: string; readonly uses: ReadonlySet<string> } {
  const w = new Writer(random, storedFields, () => '*', context.baseNs)
  const first = w.chance(0.4) ? '*' : writeFilter(w, 1)
  const form = w.pick(formNames)
  w.use(`scope/${form}`)
  const more = present(forms[form])(w, context)
  return { text: form === 'in-subquery' ? `(${first}) ${more}` : `${first} ${more}`, uses: w.uses }
}

/** Misspells a text. Messages about it must not reveal hidden rows. */
function misspelled(random: Random, text: string): string {
  const at = random.below(text.length)
  return random.next() < 0.5
    ? text.slice(0, at) + text.slice(at + 1)
    : text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2)
}

function textQuestion(random: Random, context: QuestionContext): ScopeQuestion {
  const isOwn = random.next() < 0.55
  const generated = isOwn ? undefined : generateQuery(random, context.baseNs)
  const own = generated === undefined ? ownText(random, context) : undefined
  const text = renamed(generated === undefined ? (own?.text ?? '*') : queryText(generated), context.kind)
  const uses = new Set(generated?.uses ?? own?.uses)
  const isWrong = random.next() < 0.03
  if (isWrong) uses.add('scope/misspelled')
  const shown = isWrong ? misspelled(random, text) : text
  const dialect = generated?.dialect ?? 'native'
  return questionOf({ shown, isBody: false, dialect, range: always }, context, uses)
}

/** Renames the fields of a body, and makes some nested pipelines read another table. */
function renamedBody(body: JsonValue, random: Random, context: QuestionContext, depth = 0): JsonValue {
  if (Array.isArray(body)) return body.map((item) => renamedBody(item, random, context, depth))
  if (typeof body === 'string') return context.kind.names.get(body) ?? body
  if (typeof body !== 'object' || body === null) return body
  const copy: { [name: string]: JsonValue } = {}
  for (const [name, value] of Object.entries(body)) {
    if (name === 'domain') copy[name] = context.kind.domain
    else copy[name] = renamedBody(value, random, context, depth + 1)
  }
  const isPipeline = !['from', 'join', 'union'].some((name) => name in body)
  for (const name of ['leftPipeline', 'rightPipeline', 'from']) {
    const inner = copy[name]
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) continue
    if (isPipeline || random.next() < 0.8 || 'from' in inner || 'join' in inner || 'union' in inner) continue
    copy[name] = { ...inner, domain: context.other.domain }
  }
  return copy
}

/** Draws a small pipeline whose `from` is another one, with its own conditions and columns. */
function nestedBody(random: Random): { readonly body: JsonValue; readonly uses: ReadonlySet<string> } {
  const w = new Writer(random, storedFields)
  const name = w.pick(['level', 'workload', 'namespace', 'status'])
  const value = w.pick(['error', 'info', 'api', 'web', 'shop', '200', '*'])
  const conditions = [{ key: name, filters: [{ op: w.pick(['match', 'not_match', 'contains']), value }] }]
  const inner: { [member: string]: JsonValue } = w.chance(0.5) ? {} : { filters: { operator: 'and', conditions } }
  if (w.chance(0.4)) inner['limit'] = w.pick([2, 8, 100])
  const groupBy = [{ key: w.pick(['level', 'workload', 'namespace']) }]
  const selectors = [...groupBy, { key: '*', alias: 'n', processors: [{ op: 'count' }] }]
  const having = { operator: 'and', conditions: [{ key: 'n', filters: [{ op: 'gt', value: w.pick([0, 1, 3]) }] }] }
  const outer: JsonValue = w.chance(0.3) ? {} : { selectors, groupBy, ...(w.chance(0.3) ? { having } : {}) }
  return { body: { from: inner, ...outer }, uses: new Set(['from', 'scope/from']) }
}

function pipelineQuestion(random: Random, context: QuestionContext): ScopeQuestion {
  const { body, uses } = random.next() < 0.3 ? nestedBody(random) : generatePipeline(random)
  const named = renamedBody(body, random, context)
  const { baseNs } = context
  const range = random.next() < 0.7 ? always : { startNs: baseNs - 2n * HOUR_NS, endNs: baseNs + 200n * HOUR_NS }
  const wording: Wording = { shown: JSON.stringify(named), isBody: true, dialect: 'native', range }
  return questionOf(wording, context, new Set([...uses, 'scope/json']))
}

/** Adds the time of evaluation and the plan to the wording of a question. */
export function questionOf(
  wording: Wording,
  { kind, baseNs }: Pick<QuestionContext, 'kind' | 'baseNs'>,
  uses: ReadonlySet<string> = new Set(),
): ScopeQuestion {
  const nowNs = baseNs + HOUR_NS
  const { shown, dialect, isBody } = wording
  const plan = once(() => (isBody ? planOfBody(shown, kind.table) : planOfText(shown, dialect, kind.table, nowNs)))
  return { ...wording, nowNs, uses, plan }
}

export function drawQuestion(random: Random, context: QuestionContext): ScopeQuestion {
  return random.next() < 0.86 ? textQuestion(random, context) : pipelineQuestion(random, context)
}
