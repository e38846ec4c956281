import { assertNever, at, compileRegexp, nowhere, type JsonValue, type Origin } from '../../base/index.ts'
import { field as schemaField, type Schema, type ValueTest } from '../../data/index.ts'
import {
  ENTRY_CATEGORIES,
  ENTRY_LABELS,
  ENTRY_LINE,
  ENTRY_STREAM,
  ENTRY_VALUE,
  labelColumn,
  labelName,
  type DiscoveredLabel,
  type EntryResult,
  type LogqlParams,
} from '../../functions/logql/index.ts'
import {
  call,
  column,
  conjunction,
  countRows,
  disjunction,
  fieldPattern,
  literal,
  not,
  test,
  wholeScan,
  type AggregateCall,
  type Expr,
  type FieldPattern,
  type LogicalPlan,
  type StreamMatcher,
} from '../../plan/index.ts'
import { fixedDuration, type LabelMatcher, type SeriesPlan } from '../../plan/series/index.ts'
import type {
  Binary,
  LabelCondition,
  LineFilter,
  LogQuery,
  LogqlBinaryOp,
  MetricExpr,
  RangeAggregation,
  Stage,
  VectorAggregation,
} from './ast.ts'
import { formatLogql } from './format.ts'
import { requiredStages, type LabelsNeeded } from './needed.ts'
import { withTemplates } from './templates.ts'

/** What LogQL reads of a table. */
export interface LogqlTable {
  readonly name: string
  readonly timeField: string
  readonly textField: string
  /** Fields whose values name the stream, in order. */
  readonly streamFields: readonly string[]
  readonly schema: Schema
  /** Other names of fields, under which they may be sent. */
  readonly aliases: ReadonlyMap<string, string>
  /** Labels that stand for fields of other names. */
  readonly discovered: readonly DiscoveredLabel[]
}

/** The test of a matcher without its negation; patterns match the whole value. */
function testOf({ op, value }: LabelMatcher): { readonly test: ValueTest; readonly isNegated: boolean } {
  const isNegated = op === '!=' || op === '!~'
  if (op === '=~' || op === '!~')
    return { test: { kind: 'regexp', pattern: `^(?:${value})$`, isFolded: false }, isNegated }
  if (value === '') return { test: { kind: 'empty' }, isNegated }
  return { test: { kind: 'equals', value, isFolded: false, isTyped: false }, isNegated }
}

function matches(arg: Expr, matcher: LabelMatcher, origin: Origin): Expr {
  const { test: wanted, isNegated } = testOf(matcher)
  const leaf = test(arg, wanted, origin)
  return isNegated ? not(leaf, origin) : leaf
}

/** The field behind a label of the streams of a table. */
function streamField({ streamFields }: LogqlTable, label: string): string | undefined {
  return streamFields.find((name) => labelName(name) === label)
}

const isDeclared = ({ schema }: LogqlTable, name: string): boolean => schema.fields.some((field) => field.name === name)

/** The value of a label that every entry has. */
export function valueOfDiscovered({ fields, otherwise }: DiscoveredLabel, origin: Origin): Expr {
  return {
    kind: 'case',
    branches: fields.map((name) => ({
      when: not(test(column(name, origin), { kind: 'empty' }, origin), origin),
      value: column(name, origin),
    })),
    otherwise: literal(otherwise, origin),
    origin,
  }
}

/**
 * The value of a label that every entry has under this name alone. `undefined` if other fields may have it too: a label
 * `a_b` may be a field `a.b`.
 */
function knownValue(table: LogqlTable, label: string, origin: Origin): Expr | undefined {
  const { aliases, discovered, streamFields, timeField, textField } = table
  const found = discovered.find((each) => each.label === label)
  if (found !== undefined) return valueOfDiscovered(found, origin)
  // A name in a plan that is an alias would be the field.
  if (label === timeField || label === textField || aliases.has(label)) return undefined
  const isKnown = !label.includes('_') || streamFields.includes(label) || isDeclared(table, label)
  return isKnown ? column(label, origin) : undefined
}

/** True if a missing label matches, whose value is the empty text. */
function matchesMissing({ op, value }: LabelMatcher): boolean {
  if (op === '=' || op === '!=') return (value === '') === (op === '=')
  return compileRegexp(`^(?:${value})$`, false).test('') === (op === '=~')
}

/**
 * The condition on a label of a stream that is no field of the catalog: streams that were sent with labels have their
 * names stored. A label is stored in a field of its name too, which is tested first because fewer rows are read so.
 */
function lowerStreamLabel(matcher: LabelMatcher, table: LogqlTable, origin: Origin): Expr {
  const { label } = matcher
  const ofStream = call('stream-label', [column('_stream', origin), literal(label, origin)], origin)
  const exact = matches(ofStream, matcher, origin)
  if (isDeclared(table, label) || table.aliases.has(label) || matchesMissing(matcher)) return exact
  return conjunction([matches(column(label, origin), matcher, origin), exact], origin)
}

/**
 * The condition on a label that every entry has: on the first of its fields that has a value, else on its fixed value.
 * Conditions on fields, unlike one on a value that is chosen row by row, are tested on dictionaries.
 */
function matchesDiscovered({ fields, otherwise }: DiscoveredLabel, matcher: LabelMatcher, origin: Origin): Expr {
  const { test: wanted, isNegated } = testOf(matcher)
  const isEmpty = (name: string): Expr => test(column(name, origin), { kind: 'empty' }, origin)
  const ways = fields.map((name, i) =>
    conjunction(
      [...fields.slice(0, i).map(isEmpty), not(isEmpty(name), origin), test(column(name, origin), wanted, origin)],
      origin,
    ),
  )
  const none = conjunction([...fields.map(isEmpty), test(literal(otherwise, origin), wanted, origin)], origin)
  const found = disjunction([...ways, none], origin)
  return isNegated ? not(found, origin) : found
}

/** The condition of a selector. */
function lowerMatchers(matchers: readonly LabelMatcher[], table: LogqlTable, origin: Origin): Expr {
  const ofStreams: StreamMatcher[] = []
  const others: Expr[] = []
  for (const matcher of matchers) {
    if (matcher.label === '__name__') continue
    const name = streamField(table, matcher.label)
    const discovered = table.discovered.find(({ label }) => label === matcher.label)
    if (name !== undefined) ofStreams.push({ label: name, ...testOf(matcher) })
    else if (discovered === undefined) others.push(lowerStreamLabel(matcher, table, origin))
    else others.push(matchesDiscovered(discovered, matcher, origin))
  }
  const streams: Expr[] = ofStreams.length === 0 ? [] : [{ kind: 'stream-filter', alternatives: [ofStreams], origin }]
  return conjunction([...streams, ...others], origin)
}

/** The condition of a line filter that every backend can test; `undefined` for patterns and addresses. */
function lowerLineFilter({ op, alternatives, span }: LineFilter, textField: string): Expr | undefined {
  const origin = at(span)
  if (op === '|>' || op === '!>' || alternatives.some(({ kind }) => kind === 'ip')) return undefined
  const isRegexp = op === '|~' || op === '!~'
  const tests = alternatives.map(({ value }) => {
    if (!isRegexp) return test(column(textField, origin), { kind: 'contains', text: value, isFolded: false }, origin)
    // A dot takes no line break.
    const pattern = value.includes('.') ? `(?-s:${value})` : value
    return test(column(textField, origin), { kind: 'regexp', pattern, isFolded: false }, origin)
  })
  const any = disjunction(tests, origin)
  return op.startsWith('!') ? not(any, origin) : any
}

/** The condition on labels that every backend can test; `undefined` for comparisons, which report errors. */
function lowerCondition(condition: LabelCondition, table: LogqlTable): Expr | undefined {
  const origin = at(condition.span)
  if (condition.kind === 'and' || condition.kind === 'or') {
    const [lhs, rhs] = [lowerCondition(condition.lhs, table), lowerCondition(condition.rhs, table)]
    if (lhs === undefined || rhs === undefined) return undefined
    return condition.kind === 'and' ? conjunction([lhs, rhs], origin) : disjunction([lhs, rhs], origin)
  }
  if (condition.kind !== 'text') return undefined
  const value = knownValue(table, condition.label, origin)
  return value === undefined ? undefined : matches(value, condition, origin)
}

function lowerStage(stage: Stage, table: LogqlTable): Expr | undefined {
  if (stage.kind === 'line-filter') return lowerLineFilter(stage, table.textField)
  return stage.kind === 'label-filter' ? lowerCondition(stage.condition, table) : undefined
}

/** Divides stages into conditions on stored rows, and the stages that are left. Only filters stand before each other. */
function divided(stages: readonly Stage[], table: LogqlTable): readonly [conditions: Expr[], left: Stage[]] {
  const conditions: Expr[] = []
  const left: Stage[] = []
  let isFirst = true
  for (const stage of stages) {
    isFirst &&= stage.kind === 'line-filter' || stage.kind === 'label-filter'
    const condition = isFirst ? lowerStage(stage, table) : undefined
    if (condition === undefined) left.push(stage)
    else conditions.push(condition)
  }
  return [conditions, left]
}

/** The field of a name that a record has beside the field that it is an alias of. */
function storedAlias(alias: string, field: string): string {
  return `${field}.${alias}`
}

/** Patterns of the fields that may be behind a label: characters that no label has are `_` in its name. */
function fieldsOf(label: string, table: LogqlTable): readonly FieldPattern[] {
  const known = streamField(table, label)
  const discovered = table.discovered.find((each) => each.label === label)
  if (discovered !== undefined) return discovered.fields.map((name) => fieldPattern(name))
  // An alias in a plan is the field, which has the label only if nothing else is sent for it.
  const field = table.aliases.get(label)
  if (field !== undefined) return [fieldPattern(storedAlias(label, field))]
  return [known === undefined ? { parts: label.split('_') } : fieldPattern(known)]
}

const EXTRACTED = /_extracted$/

function readsOf(needed: LabelsNeeded, table: LogqlTable): readonly FieldPattern[] {
  const own = [
    fieldPattern(table.timeField),
    fieldPattern('_stream'),
    ...(needed.needsLine ? [fieldPattern(table.textField)] : []),
  ]
  if (needed.labels === undefined) return [...own, { parts: ['', ''] }]
  const labels = new Set<string>()
  // A parsed label has another name if the entry has a label of the same name.
  for (const label of needed.labels) labels.add(label).add(label.replace(EXTRACTED, ''))
  return [...own, ...[...labels].flatMap((label) => fieldsOf(label, table))]
}

/** Plain data of a tree, without the places of its parts. */
function asData(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value, (key, part: unknown) => (key === 'span' ? undefined : part))) as JsonValue
}

/** Stored rows of the streams of a selector; of all streams without one. */
export function lowerSelector(query: LogQuery | undefined, table: LogqlTable): LogicalPlan {
  const origin = query === undefined ? nowhere : at(query.span)
  const scan = wholeScan(table, origin)
  if (query === undefined) return scan
  return { kind: 'filter', input: scan, predicate: lowerMatchers(query.matchers, table, origin), origin }
}

/** The stages as they are written, and what is made of an entry. */
function summaryOf(query: LogQuery, stages: readonly Stage[], result: EntryResult): string {
  const text = formatLogql({ ...query, matchers: [], stages }).replace(/^\{\}\s*/, '')
  const made =
    result.kind === 'entry' ? 'entries' : typeof result.of === 'string' ? result.of : `unwrap ${result.of.label}`
  return [text, `-> ${made}`].filter((part) => part !== '').join(' ')
}

function withStages(query: LogQuery, result: EntryResult, outputs: readonly string[], table: LogqlTable): LogicalPlan {
  const origin = at(query.span)
  const needed = requiredStages(query.stages, result, givenLabels(table))
  const [conditions, stages] = divided(needed.stages, table)
  let input = lowerSelector(query, table)
  for (const predicate of conditions) input = { kind: 'filter', input, predicate, origin: predicate.origin }
  const { timeField: time, textField: text, aliases, streamFields, discovered } = table
  const renamed = Object.fromEntries(
    [...aliases].map(([alias, field]) => [storedAlias(alias, field), labelName(alias)]),
  )
  const derived = [...new Set([...aliases.values(), ...streamFields])]
  const params: LogqlParams = { time, text, discovered, renamed, derived, stages: stages.map(withTemplates), result }
  const names = [time, ...outputs]
  const applied: LogicalPlan = {
    kind: 'apply',
    input,
    fn: 'logql-stages',
    params: asData(params),
    summary: summaryOf(query, stages, result),
    condition: undefined,
    use: {
      reads: readsOf({ ...needed, stages }, table),
      writes: outputs.map((name) => fieldPattern(name)),
      replaces: outputs,
    },
    outputs: outputs.map((name) => schemaField(name, name === ENTRY_VALUE ? 'number' : 'string')),
    isOneToOne: false,
    origin,
  }
  return { kind: 'project', input: applied, fields: names.map((name) => fieldPattern(name)), origin }
}

/** Rows of a log query, newest first: the time, the line, and labels by category as JSON. */
export function lowerLogs(query: LogQuery, table: LogqlTable): LogicalPlan {
  const outputs = [ENTRY_LINE, ENTRY_STREAM, ...Object.values(ENTRY_CATEGORIES)]
  return withStages(query, { kind: 'entry' }, outputs, table)
}

/** Labels of series: each of `by`, or all but those of `without`. */
type SeriesLabels = (EntryResult & { readonly kind: 'number' })['labels']

const EVERY_LABEL: SeriesLabels = { without: [] }

function labelsOf(grouping: RangeAggregation['grouping']): SeriesLabels {
  if (grouping === undefined) return EVERY_LABEL
  return grouping.isWithout ? { without: grouping.labels } : { by: grouping.labels }
}

/** Labels that every entry has before any stage. */
function givenLabels({ discovered }: LogqlTable): ReadonlySet<string> {
  return new Set(discovered.map(({ label }) => label))
}

/** Rows that are counted as they are stored: all stages are conditions, and all labels are fields. */
function storedRows(
  { logs }: RangeAggregation,
  labels: SeriesLabels,
  table: LogqlTable,
): { readonly rows: LogicalPlan; readonly keys: readonly string[] } | undefined {
  if (!('by' in labels)) return undefined
  const origin = at(logs.span)
  const keys = labels.by.map((label) => knownValue(table, label, origin))
  const [conditions, left] = divided(
    requiredStages(logs.stages, { kind: 'number', of: 'one', labels }, givenLabels(table)).stages,
    table,
  )
  if (left.length > 0 || keys.includes(undefined)) return undefined
  let rows = lowerSelector(logs, table)
  for (const predicate of conditions) rows = { kind: 'filter', input: rows, predicate, origin: predicate.origin }
  const assignments = keys.flatMap((expr, i) =>
    expr === undefined ? [] : [{ name: labelColumn(labels.by[i] ?? ''), expr, type: 'string' as const }],
  )
  if (assignments.length > 0) rows = { kind: 'extend', input: rows, assignments, origin }
  return { rows, keys: labels.by }
}

const COUNTING = new Map<string, 'count' | 'bytes'>([
  ['count_over_time', 'count'],
  ['rate', 'count'],
  ['bytes_over_time', 'bytes'],
  ['bytes_rate', 'bytes'],
])

/** The function of metric queries that makes one value of the values in a window. */
const OVER_VALUES = new Map([
  ['rate', 'sum_over_time'],
  ['rate_counter', 'counter-rate'],
])

function lowerRange(node: RangeAggregation, labels: SeriesLabels, table: LogqlTable): SeriesPlan {
  const origin = at(node.span)
  const { fn, unwrap, logs } = node
  const offsetMs = Number(node.offsetNs) / 1e6
  const shared = {
    kind: 'series-logs',
    matchers: logs.matchers,
    time: table.timeField,
    range: fixedDuration(node.rangeMs),
    offsetMs,
    origin,
  } as const
  const number = (value: number): SeriesPlan => ({ kind: 'series-number', value, origin })
  const counting =
    unwrap === undefined ? (COUNTING.get(fn) ?? (fn === 'absent_over_time' ? 'count' : undefined)) : undefined
  const bytesOf = (call: string, name: string): AggregateCall | undefined =>
    counting === 'bytes' ? { ...countRows(origin), fn: call, args: [column(name, origin)] } : undefined
  const perSecond = (input: SeriesPlan): SeriesPlan =>
    fn === 'rate' || fn === 'bytes_rate'
      ? {
          kind: 'series-binary',
          op: '/',
          lhs: input,
          rhs: number(node.rangeMs / 1000),
          isBool: false,
          matching: undefined,
          origin,
        }
      : input
  if (counting !== undefined) {
    const stored = storedRows(node, labels, table)
    if (stored !== undefined)
      return perSecond({
        ...shared,
        rows: stored.rows,
        labels: stored.keys,
        gives: counting,
        bytes: bytesOf('sum_len', table.textField),
      })
  }
  const of = unwrap ?? (counting === 'bytes' ? 'bytes' : 'one')
  const keys = 'by' in labels ? labels.by.map(labelColumn) : [ENTRY_LABELS]
  const rows = withStages(logs, { kind: 'number', of, labels }, [ENTRY_VALUE, ...keys], table)
  const source: SeriesPlan = {
    ...shared,
    rows,
    labels: 'by' in labels ? labels.by : undefined,
    gives: counting ?? 'samples',
    bytes: bytesOf('sum', ENTRY_VALUE),
  }
  if (fn === 'absent_over_time' && counting !== undefined)
    return { kind: 'series-call', name: 'absent', args: [source], origin }
  if (counting !== undefined) return perSecond(source)
  const name = OVER_VALUES.get(fn) ?? fn
  const args = node.param === undefined ? [source] : [number(node.param), source]
  return perSecond({ kind: 'series-call', name, args, origin })
}

/** Sums of what is added up in windows are the same over labels that are left out before. */
const SUMMED: ReadonlySet<string> = new Set(['count_over_time', 'rate', 'bytes_over_time', 'bytes_rate'])

function lowerAggregation(node: VectorAggregation, table: LogqlTable): SeriesPlan {
  const origin = at(node.span)
  const { op, expr, grouping, param } = node
  if (op === 'sum' && expr.kind === 'range-aggregation' && expr.unwrap === undefined && SUMMED.has(expr.fn))
    return lowerRange(expr, grouping === undefined ? { by: [] } : labelsOf(grouping), table)
  const input = lowerMetric(expr, table)
  if (op === 'sort' || op === 'sort_desc') return { kind: 'series-call', name: op, args: [input], origin }
  return {
    kind: 'series-aggregate',
    op: op === 'approx_topk' ? 'topk' : op,
    input,
    param: param === undefined ? undefined : { kind: 'series-number', value: param, origin },
    grouping: grouping?.labels ?? [],
    isWithout: grouping?.isWithout ?? false,
    origin,
  }
}

/** Division by 0 gives NaN. */
const OPERATORS: Partial<Record<LogqlBinaryOp, 'div' | 'mod'>> = { '/': 'div', '%': 'mod' }

function isNumber(node: MetricExpr): boolean {
  return node.kind === 'number' || (node.kind === 'binary' && isNumber(node.lhs) && isNumber(node.rhs))
}

function lowerBinary(node: Binary, table: LogqlTable): SeriesPlan {
  const { op, matching } = node
  const [lhs, rhs] = [lowerMetric(node.lhs, table), lowerMetric(node.rhs, table)]
  const isSet = op === 'and' || op === 'or' || op === 'unless'
  const [isLeftNumber, isRightNumber] = [isNumber(node.lhs), isNumber(node.rhs)]
  const cardinality = { left: 'many-to-one', right: 'one-to-many' } as const
  return {
    kind: 'series-binary',
    op: OPERATORS[op] ?? op,
    lhs,
    rhs,
    // Of two numbers a comparison is 1 or 0 in any case.
    isBool: node.isBool || (isLeftNumber && isRightNumber),
    matching:
      isLeftNumber || isRightNumber
        ? undefined
        : {
            cardinality: isSet
              ? 'many-to-many'
              : matching?.many === undefined
                ? 'one-to-one'
                : cardinality[matching.many],
            isOn: matching?.isOn ?? false,
            labels: matching?.labels ?? [],
            include: matching?.include ?? [],
            fillLeft: undefined,
            fillRight: undefined,
          },
    origin: at(node.span),
  }
}

/** The plan of a metric query. */
export function lowerMetric(node: MetricExpr, table: LogqlTable): SeriesPlan {
  const origin = at(node.span)
  const text = (value: string): SeriesPlan => ({ kind: 'series-text', value, origin })
  switch (node.kind) {
    case 'number':
      return { kind: 'series-number', value: node.value, origin }
    case 'vector':
      return {
        kind: 'series-call',
        name: 'vector',
        args: [{ kind: 'series-number', value: node.value, origin }],
        origin,
      }
    case 'label-replace': {
      const { expr, target, replacement, source, regexp } = node
      const args = [lowerMetric(expr, table), text(target), text(replacement), text(source), text(regexp)]
      return { kind: 'series-call', name: 'label_replace', args, origin }
    }
    case 'range-aggregation':
      return lowerRange(node, labelsOf(node.grouping), table)
    case 'vector-aggregation':
      return lowerAggregation(node, table)
    case 'binary':
      return lowerBinary(node, table)
    default:
      return assertNever(node)
  }
}
