import type { JsonValue, Random } from '../../base/index.ts'
import { fieldNames, levels, numberTexts, words, workloads } from '../dataset.ts'
import { textConditions } from '../tail-filters.ts'
import { Writer } from '../writer.ts'

/** A JSON object that is still being written. */
export interface Body {
  [member: string]: JsonValue
}

export interface GeneratedPipeline {
  readonly body: Body
  /** The features of the body, for the histogram. */
  readonly uses: ReadonlySet<string>
}

const baseFields = ['_time', ...fieldNames]

/** Operators on strings, each drawn equally often, with words that occur in the data. */
const textOperators = ['eq', 'ne', ...textConditions, 'regex', 'notregex'] as const

const comparisons = ['gt', 'gte', 'lt', 'lte'] as const

function textFor(w: Writer, key: string): string {
  switch (key) {
    case 'level':
      return w.pick(levels)
    case 'workload':
      return w.pick(workloads)
    case 'namespace':
      return w.pick(['shop', 'pay', 'Shop'])
    case 'status':
      return w.pick(['200', '404', '500', '503'])
    default:
      return w.chance(0.2) ? w.pick(numberTexts) : w.pick(words)
  }
}

/** Cuts a text by code points, since half of a surrogate pair is not a valid text. */
function cut(text: string, start: number, end?: number): string {
  return Array.from(text).slice(start, end).join('')
}

function scalar(text: string, w: Writer): JsonValue {
  return /^\d{1,9}$/.test(text) && !text.startsWith('0') && w.chance(0.5) ? Number(text) : text
}

function comparison(w: Writer, key: string): Body {
  const op = w.pick(comparisons)
  const value =
    key === '_time'
      ? w.pick(['2026-01-02T03:04:05Z', '2026-01-01T00:00:00Z', '2026-01-03T00:00:00Z'])
      : w.pick<JsonValue>([0, 1, 200, 404, '500', '1e3', '10KB', '2s', 'm', '2026-01-02T03:04:05Z', 250.5])
  return { op, value }
}

function filterOf(w: Writer, key: string): Body {
  const dice = w.random.next()
  if (dice < 0.12 || key === '_time') {
    w.use('filter/comparison')
    return comparison(w, key)
  }
  if (dice < 0.22) {
    w.use('filter/list')
    const values = w.list(1, 4, () => scalar(textFor(w, key), w))
    return { op: w.pick(['in', 'notin', 'eq', 'ne']), value: w.chance(0.15) ? JSON.stringify(values) : values }
  }
  if (dice < 0.3) {
    w.use('filter/exists')
    return { op: w.pick(['exists', 'notexists']) }
  }
  const op = w.pick(textOperators)
  w.use(`filter/${op}`)
  if (op === 'match' || op === 'not_match') {
    const text = textFor(w, key)
    return { op, value: w.pick([text, text, `${cut(text, 0, 2)}*`, `*${cut(text, 1)}`, '*', '']) }
  }
  if (op === 'regex' || op === 'notregex') return { op, value: w.pick(['^e', 'rr', '[0-9]+', 'a|e', 'api$', '']) }
  const text = textFor(w, key)
  return { op, value: op === 'eq' || op === 'ne' ? scalar(text, w) : cut(text, 0, 1 + w.random.below(4)) }
}

function condition(w: Writer): Body {
  if (w.fields.includes('content') && w.chance(0.1)) {
    w.use('filter/freetext')
    return { key: '*', type: 'freetext', filters: [{ op: 'phrase_search', value: w.pick(words) }] }
  }
  const key = w.name()
  const filters = w.list(1, w.chance(0.25) ? 3 : 1, () => filterOf(w, key))
  if (filters.length > 1) w.use('filter/several')
  return { key, origin: 'root', type: 'string', filters }
}

function filterGroup(w: Writer, depth = 0): Body {
  const operator = w.chance(0.72) ? 'or' : 'and'
  const group: Body = {
    operator,
    conditions: w.list(depth === 0 ? 1 : 0, operator === 'or' ? 3 : 2, () => condition(w)),
  }
  if (depth < 2 && w.chance(0.25)) {
    w.use('filter/nested-group')
    group['groups'] = w.list(1, 2, () => filterGroup(w, depth + 1))
  }
  if (depth > 0 && w.chance(0.1)) {
    w.use('filter/disabled-group')
    group['disabled'] = true
  }
  return group
}

interface StatsForm {
  readonly op: string
  readonly args?: readonly JsonValue[]
  readonly isNumber: boolean
}

const statsForms: readonly StatsForm[] = [
  { op: 'countDistinct', isNumber: true },
  { op: 'count_uniq', isNumber: true },
  { op: 'count', isNumber: true },
  { op: 'countEmpty', isNumber: true },
  { op: 'min', isNumber: false },
  { op: 'max', isNumber: false },
  { op: 'sum', isNumber: true },
  { op: 'avg', isNumber: true },
  { op: 'average', isNumber: true },
  { op: 'median', isNumber: false },
  { op: 'quantile', args: [0.9], isNumber: false },
  { op: 'quantile', args: ['0.5'], isNumber: false },
  { op: 'sumLen', isNumber: true },
  { op: 'values', isNumber: false },
  { op: 'uniqValues', isNumber: false },
  { op: 'any', isNumber: false },
  { op: 'stddev', isNumber: true },
]

const scalarSteps: readonly Body[] = [
  { op: 'round' },
  { op: 'round', args: [0.1] },
  { op: 'floor' },
  { op: 'abs' },
  { op: 'add', args: [1] },
  { op: 'mul', args: [2] },
  { op: 'number' },
  { op: 'add', args: ['2'] },
  { op: 'datetime-extract', args: ['hour'] },
  { op: 'datetime-extract', args: ['dayOfWeek'] },
  { op: 'toStartOfInterval', args: ['90 minutes'] },
]

/** Writes a column as a key, sometimes with a processing step. */
function keyOf(w: Writer): Body {
  const key = w.name()
  if (!w.chance(0.12)) return { key, origin: 'root', type: 'string' }
  w.use('key/computed')
  return { key, processors: [scalarStep(w)] }
}

/** Writes a step that maps each value of a number column. Values of other types become strings or NaN. */
function scalarStep(w: Writer): Body {
  w.use('selector/scalar')
  return { ...w.pick(scalarSteps) }
}

function newName(w: Writer, taken: ReadonlySet<string>): string {
  const names = ['n', 'x', 'y', 'total', '_bucket_timestamp', 'level', 'a.b', 'first seen']
  const free = names.filter((name) => !taken.has(name))
  return free.length === 0 ? `z${taken.size}` : w.pick(free)
}

function aggregateSelector(w: Writer, taken: Set<string>): Body {
  const selector: Body = { origin: 'root', type: 'string' }
  let name: string
  if (w.chance(0.3)) {
    w.use('stats/count-rows')
    selector['key'] = '*'
    selector['processors'] = [{ op: 'count' }]
    name = 'count'
  } else {
    const form = w.pick(statsForms)
    w.use(`stats/${form.op}`)
    selector['key'] = w.name()
    const processors: JsonValue[] = w.chance(0.08) ? [scalarStep(w)] : []
    processors.push(form.args === undefined ? { op: form.op } : { op: form.op, args: [...form.args] })
    if (form.isNumber && w.chance(0.1)) processors.push(scalarStep(w))
    selector['processors'] = processors
    name = ''
  }
  if (name === '' || taken.has(name) || w.chance(0.6)) {
    name = newName(w, taken)
    selector['alias'] = name
  }
  taken.add(name)
  if (w.chance(0.2)) {
    w.use('selector/conditionFilter')
    selector['conditionFilter'] = filterGroup(w, 1)
  }
  return selector
}

function windowSelector(w: Writer, taken: Set<string>, columns: readonly string[]): Body {
  w.use('selector/windowSpec')
  const inner = new Writer(w.random, columns)
  const selector = aggregateSelector(inner, taken)
  for (const use of inner.uses) w.use(use)
  const partitionBy = w.list(0, 2, (): JsonValue => keyOf(inner))
  return {
    ...selector,
    windowSpec: partitionBy.length === 0 ? { partitionBy: [{ key: w.pick(columns) }] } : { partitionBy },
  }
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')

const nameOf = (selector: Body): string => textOf(selector['alias'] ?? selector['key'])

function groupedSelection(w: Writer, body: Body): void {
  w.use('selection/grouped')
  const taken = new Set<string>()
  const selectors: Body[] = []
  const groupBy: Body[] = []
  const keyCount = w.pick([0, 1, 1, 1, 2])
  for (let i = 0; i < keyCount; i++) {
    if (w.fields.includes('_time') && w.chance(0.25)) {
      w.use('selector/toStartOfInterval')
      const alias = newName(w, new Set([...taken, ...w.fields]))
      taken.add(alias)
      const interval = w.pick(['300 seconds', '5 minutes', '1 hour', '1 day', '1h'])
      selectors.push({ key: '_time', alias, processors: [{ op: 'toStartOfInterval', args: [interval] }] })
      groupBy.push({ key: alias, origin: 'root', type: 'string' })
      continue
    }
    const key = w.name()
    if (taken.has(key)) continue
    const isShown = w.chance(0.8)
    const alias = isShown && w.chance(0.3) ? newName(w, new Set([...taken, ...w.fields])) : undefined
    taken.add(alias ?? key)
    if (alias !== undefined) w.use('groupBy/alias')
    if (isShown) selectors.push(alias === undefined ? { key } : { key, alias })
    groupBy.push({ key: alias !== undefined && w.chance(0.5) ? alias : key })
  }
  for (let i = w.random.below(3); i >= 0; i--) selectors.push(aggregateSelector(w, taken))
  body['selectors'] = selectors
  if (groupBy.length > 0) {
    w.use('groupBy')
    body['groupBy'] = groupBy
  }
  if (w.chance(0.08)) {
    const columns = [...taken]
    selectors.push(windowSelector(w, taken, columns))
  }
  const names = selectors.map((s) => {
    const count = s['key'] === '*' ? 'count' : textOf(s['key'])
    return s['alias'] === undefined ? count : nameOf(s)
  })
  w.fields = names
}

function plainSelection(w: Writer, body: Body): void {
  w.use('selection/columns')
  const taken = new Set<string>()
  const selectors = w
    .list(1, 4, () => w.name())
    .flatMap((key): Body[] => {
      if (taken.has(key)) return []
      const isMade = w.chance(0.2)
      const alias = isMade || w.chance(0.3) ? newName(w, new Set([...taken, key])) : undefined
      if (alias !== undefined && !isMade) w.use('selector/alias')
      taken.add(alias ?? key)
      const selector: Body = alias === undefined ? { key } : { key, alias }
      return [isMade ? { ...selector, processors: [scalarStep(w)] } : selector]
    })
  if (w.chance(0.3)) selectors.push(windowSelector(w, taken, w.fields))
  body['selectors'] = selectors
  w.fields = [...taken]
}

function mathOperand(w: Writer, depth: number): Body {
  if (depth < 2 && w.chance(0.25)) return mathItem(w, depth + 1)
  if (w.chance(0.4)) {
    w.use('math/scalar')
    return { scalar: w.pick(['100', '2', '0.5', '-3', '1e3', '0']) }
  }
  return { column: { key: w.name() } }
}

function mathItem(w: Writer, depth = 0): Body {
  const op = w.pick(['+', '-', '*', '/', '%', 'add', 'subtract', 'multiply', 'divide', 'modulo', '^'])
  if (w.chance(0.4)) {
    w.use('math/left-right')
    return {
      math_operator: op,
      left_expression: mathOperand(w, depth),
      right_expression: mathOperand(w, depth),
    }
  }
  w.use('math/args')
  return { math_operator: op, args: w.list(2, 3, () => mathOperand(w, depth)) }
}

function mathMember(w: Writer, body: Body): void {
  w.use('mathExpression')
  const keepExisting = w.pick<JsonValue>([true, false, null])
  const aliases: string[] = []
  body['mathExpression'] = w.list(1, 2, () => {
    const alias = newName(w, new Set(aliases))
    aliases.push(alias)
    return { ...(w.chance(0.1) ? { column: { key: w.name() } } : mathItem(w)), alias, keepExisting }
  })
  if (keepExisting === false) {
    w.use('math/drops-others')
    w.fields = aliases
  } else w.fields = [...new Set([...w.fields, ...aliases])]
}

function transformsMember(w: Writer, body: Body): void {
  body['transforms'] = w.list(1, 2, (): JsonValue => {
    const alias = newName(w, new Set(w.fields))
    if (w.chance(0.5)) {
      w.use('transform/json_unpack')
      return { type: 'json_unpack', alias, sourceColumn: w.pick(['a', 'b.c', 'content']) }
    }
    w.use('transform/datetime_extract')
    w.fields = [...w.fields, alias]
    const part = w.pick(['year', 'month', 'day', 'hour', 'minute', 'second', 'week', 'dayOfWeek'])
    return {
      type: 'datetime_extract',
      alias,
      sourceColumn: w.chance(0.8) && w.fields.includes('_time') ? '_time' : w.name(),
      args: [part],
    }
  })
}

/** Writes the right side of a join, with few rows, because joins multiply rows. */
function sidePipeline(w: Writer, depth: number): { body: Body; fields: readonly string[] } {
  const inner = new Writer(w.random, baseFields)
  const body = pipelineBody(inner, depth + 1)
  if (body['limit'] === undefined || Number(body['limit']) > 12) body['limit'] = 12
  for (const use of inner.uses) w.use(use)
  return { body, fields: inner.fields }
}

function joinMember(w: Writer, body: Body, depth: number): void {
  const type = w.pick([undefined, 'inner', 'left', 'right', 'full', 'LEFT JOIN', 'full outer join', 'cross'])
  w.use(`join/${(type ?? 'inner').toLowerCase().split(' ')[0]}`)
  const left = sidePipeline(w, depth)
  const right = sidePipeline(w, depth)
  const shared = left.fields.filter((name) => right.fields.includes(name))
  const join: Body = { leftPipeline: left.body, rightPipeline: right.body }
  if (type !== undefined) join['type'] = type
  if (w.chance(0.5)) join['prefix'] = w.pick(['right', 'r', 'other side'])
  const rightKeys = new Set<string>()
  if (type !== 'cross') {
    const pairs = w.list(1, 3, (): Body => {
      if (shared.length > 0 && w.chance(0.7)) {
        const key = w.pick(shared)
        rightKeys.add(key)
        return w.chance(0.2) ? { leftColumn: { key } } : { leftColumn: { key }, rightColumn: { key } }
      }
      w.use('join/other-column')
      const key = w.pick(right.fields)
      rightKeys.add(key)
      return { leftColumn: { key: w.pick(left.fields) }, rightColumn: { key } }
    })
    if (pairs.length > 1) w.use('join/several-conditions')
    join['onConditions'] = pairs
  }
  body['join'] = join
  // Key columns of both sides become one column; other common columns of the right side get the prefix.
  const prefix = textOf(join['prefix'] ?? 'right')
  const others = right.fields.filter((name) => !rightKeys.has(name))
  const named = others.map((name) => (left.fields.includes(name) ? `${prefix}.${name}` : name))
  w.fields = [...new Set([...left.fields, ...named])]
  w.made = named.filter((name) => name.startsWith(`${prefix}.`))
}

/** Writes the source. Returns true if its rows are stored records. */
function source(w: Writer, body: Body, depth: number): boolean {
  const dice = w.random.next()
  if (depth < 2 && dice < 0.14) {
    w.use('from')
    const inner = new Writer(w.random, baseFields)
    body['from'] = pipelineBody(inner, depth + 1)
    for (const use of inner.uses) w.use(use)
    w.fields = inner.fields
    return false
  }
  if (depth < 2 && dice < 0.28) {
    joinMember(w, body, depth)
    return false
  }
  if (depth < 2 && dice < 0.36) {
    w.use('union')
    const left = sidePipeline(w, depth)
    const right = sidePipeline(w, depth)
    body['union'] = { leftPipeline: left.body, rightPipeline: right.body }
    w.fields = [...new Set([...left.fields, ...right.fields])]
    return false
  }
  if (w.chance(0.1)) {
    w.use('domain')
    body['domain'] = 'logs'
  }
  return true
}

function orderMember(w: Writer, body: Body): void {
  w.use('orderBy')
  body['orderBy'] = w.list(1, 2, (): JsonValue => {
    const selector = keyOf(w)
    const direction = w.pick([undefined, 'asc', 'desc', 'DESC', 'ASC'])
    return direction === undefined ? { selector } : { direction, selector }
  })
}

/** Writes a pipeline. Afterwards `w.fields` are the columns of its rows. */
export function pipelineBody(w: Writer, depth: number): Body {
  const body: Body = {}
  const isStored = source(w, body, depth)
  if (w.chance(0.06)) {
    w.use('timeOffset')
    body['timeOffset'] = w.pick(['1h', '5 minutes', '1 day', '90s'])
  }
  const transforms = w.chance(0.1)
  if (transforms) transformsMember(w, body)
  if (w.chance(depth === 0 ? 0.5 : 0.35)) {
    w.use('filters')
    body['filters'] = filterGroup(w)
  }
  if (isStored && !transforms && w.chance(0.06)) {
    w.use('sample')
    body['sample'] = w.pick([1, 5, 20, 100])
  }
  const dice = w.random.next()
  if (dice < 0.4) groupedSelection(w, body)
  else if (dice < 0.65) plainSelection(w, body)
  if (w.chance(0.15)) mathMember(w, body)
  if (w.chance(0.1)) {
    w.use('having')
    body['having'] = filterGroup(w)
  }
  if (w.chance(0.1)) {
    const dropped = w.list(1, 2, () => w.name())
    const left = w.fields.filter((name) => !dropped.includes(name))
    if (left.length > 0) {
      w.use('except')
      body['except'] = dropped.map((key) => ({ key }))
      w.fields = left
    }
  }
  if (w.chance(0.35)) orderMember(w, body)
  if (w.chance(0.1)) {
    w.use('limitBy')
    const limitBy: Body = {
      limit: w.pick([0, 1, 1, 2, 2, 3, 3]),
      selectors: w.list(1, 2, () => keyOf(w)),
    }
    if (w.chance(0.4)) limitBy['offset'] = w.random.below(2)
    body['limitBy'] = limitBy
  }
  if (w.chance(0.3)) {
    w.use('limit')
    body['limit'] = w.pick([w.chance(0.3) ? 0 : 2, 1, 3, 10, 10, 100])
  }
  if (w.chance(0.12)) {
    w.use('offset')
    body['offset'] = w.random.below(4)
  }
  return body
}

/** Draws a pipeline that every backend must accept. Equal random numbers give equal pipelines. */
export function generatePipeline(random: Random): GeneratedPipeline {
  const w = new Writer(random, baseFields)
  const body = pipelineBody(w, 0)
  return { body, uses: w.uses }
}
