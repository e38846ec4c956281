import { assertNever, at, type JsonValue } from '../../base/index.ts'
import { field as schemaField } from '../../data/index.ts'
import {
  ENTRY_CATEGORIES,
  ENTRY_LABELS,
  ENTRY_LINE,
  ENTRY_STREAM,
  ENTRY_VALUE,
  ERROR_LABEL,
  labelColumn,
  labelName,
  type EntryResult,
  type LogqlParams,
} from '../../functions/logql/index.ts'
import {
  call,
  column,
  countRows,
  fieldPattern,
  literal,
  not,
  test,
  type AggregateCall,
  type FieldPattern,
  type LogicalPlan,
} from '../../plan/index.ts'
import { fixedDuration, type SeriesLabel, type SeriesPlan } from '../../plan/series/index.ts'
import type {
  Binary,
  LabelFilter,
  LogQuery,
  LogqlBinaryOp,
  MetricExpr,
  RangeAggregation,
  Stage,
  Unwrap,
  VectorAggregation,
} from './ast.ts'
import { divided, filtered, lowerCondition, lowerSelector } from './conditions.ts'
import { formatLogql } from './format.ts'
import { labelsIn, requiredStages, type LabelsNeeded } from './needed.ts'
import { knownValue, streamField, type LogqlTable } from './table.ts'
import { withTemplates } from './templates.ts'

/**
 * Returns the name of the field that stores a value sent under an alias, if the record also had a value for the field
 * itself.
 */
function storedAlias(alias: string, field: string): string {
  return `${field}.${alias}`
}

/**
 * Returns patterns of the fields that a label may refer to. Each `_` in a label matches any text, because it may
 * replace characters that labels cannot have.
 */
function fieldsOf(label: string, table: LogqlTable): readonly FieldPattern[] {
  const known = streamField(table, label)
  const discovered = table.discovered.find((each) => each.label === label)
  if (discovered !== undefined) return discovered.fields.map((name) => fieldPattern(name))
  // In a plan an alias means the field, which contains the label only if the record has no other source for it.
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
  // A parsed label whose name the entry already has gets the suffix `_extracted`, so both names are needed.
  for (const label of needed.labels) labels.add(label).add(label.replace(EXTRACTED, ''))
  return [...own, ...[...labels].flatMap((label) => fieldsOf(label, table))]
}

/** Converts a syntax tree to plain data without source positions. */
function asData(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value, (key, part: unknown) => (key === 'span' ? undefined : part))) as JsonValue
}

/** Returns a text that describes the stages and the result computed for each entry. */
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
  const input = filtered(lowerSelector(query, table), conditions)
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

/**
 * Returns the plan of the rows of a log query, newest first. Their columns are the time, the line, and the labels by
 * category as JSON.
 */
export function lowerLogs(query: LogQuery, table: LogqlTable): LogicalPlan {
  const outputs = [ENTRY_LINE, ENTRY_STREAM, ...Object.values(ENTRY_CATEGORIES)]
  return withStages(query, { kind: 'entry' }, outputs, table)
}

/** Labels of the resulting series: those in `by`, or all except those in `without`. */
type SeriesLabels = (EntryResult & { readonly kind: 'number' })['labels']

const EVERY_LABEL: SeriesLabels = { without: [] }

function labelsOf(grouping: RangeAggregation['grouping']): SeriesLabels {
  if (grouping === undefined) return EVERY_LABEL
  return grouping.isWithout ? { without: grouping.labels } : { by: grouping.labels }
}

/** Returns the labels that every entry has before the first stage. */
function givenLabels({ discovered }: LogqlTable): ReadonlySet<string> {
  return new Set(discovered.map(({ label }) => label))
}

/** Stored rows that give series directly, because all stages are conditions and all labels are fields. */
interface StoredRows {
  readonly rows: LogicalPlan
  readonly labels: readonly SeriesLabel[]
}

function storedRows(
  { logs, unwrap }: RangeAggregation,
  labels: SeriesLabels,
  table: LogqlTable,
): StoredRows | undefined {
  if (!('by' in labels)) return undefined
  const origin = at(logs.span)
  const known = labels.by.flatMap((name) => {
    const value = knownValue(table, name, origin)
    return value === undefined ? [] : [{ name, value }]
  })
  const [conditions, left] = divided(
    requiredStages(logs.stages, { kind: 'number', of: unwrap ?? 'one', labels }, givenLabels(table)).stages,
    table,
  )
  if (left.length > 0 || known.length < labels.by.length) return undefined
  const rows = filtered(lowerSelector(logs, table), conditions)
  const numbers = unwrap === undefined ? rows : storedNumbers(rows, unwrap, table)
  return numbers && { rows: numbers, labels: known }
}

/** True if a condition excludes the entries whose label could not be converted to a number. */
function excludesErrors({ condition }: LabelFilter): boolean {
  return condition.kind === 'text' && condition.label === ERROR_LABEL && condition.op === '=' && condition.value === ''
}

/**
 * Returns rows with the numeric value of an unwrapped label. `undefined` if the label is not a field; if entries whose
 * label is not a number must be reported, because the error message has all labels of the entry; or if a condition
 * tests the label, which `unwrap` removes.
 */
function storedNumbers(rows: LogicalPlan, unwrap: Unwrap, table: LogqlTable): LogicalPlan | undefined {
  const origin = at(unwrap.span)
  const text = knownValue(table, unwrap.label, origin)
  const others = unwrap.filters.filter((filter) => !excludesErrors(filter))
  if (text === undefined || others.length === unwrap.filters.length) return undefined
  const conditions = others.map(({ condition }) =>
    labelsIn(condition).includes(unwrap.label) ? undefined : lowerCondition(condition, table),
  )
  if (!conditions.every((condition) => condition !== undefined)) return undefined
  const conversion = unwrap.conversion === undefined ? [] : [literal(unwrap.conversion, origin)]
  const expr = call('logql-number', [text, ...conversion], origin)
  const assignments = [{ name: ENTRY_VALUE, expr, type: 'number' as const }]
  const numbers: LogicalPlan = { kind: 'extend', input: filtered(rows, conditions), assignments, origin }
  return filtered(numbers, [not(test(column(ENTRY_VALUE, origin), { kind: 'empty' }, origin), origin)])
}

const COUNTING = new Map<string, 'count' | 'bytes'>([
  ['count_over_time', 'count'],
  ['rate', 'count'],
  ['bytes_over_time', 'bytes'],
  ['bytes_rate', 'bytes'],
])

/** Maps each range aggregation with `unwrap` to the metric function that aggregates the values in a window. */
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
  const of = unwrap ?? (counting === 'bytes' ? 'bytes' : 'one')
  const keys = 'by' in labels ? labels.by.map(labelColumn) : [ENTRY_LABELS]
  const stored = storedRows(node, labels, table)
  const source: SeriesPlan = {
    ...shared,
    ...(stored ?? {
      rows: withStages(logs, { kind: 'number', of, labels }, [ENTRY_VALUE, ...keys], table),
      labels: 'by' in labels ? labels.by.map((name) => ({ name, value: column(labelColumn(name)) })) : undefined,
    }),
    gives: counting ?? 'samples',
    bytes: stored === undefined ? bytesOf('sum', ENTRY_VALUE) : bytesOf('sum_len', table.textField),
  }
  if (fn === 'absent_over_time' && counting !== undefined)
    return { kind: 'series-call', name: 'absent', args: [source], origin }
  if (counting !== undefined) return perSecond(source)
  const name = OVER_VALUES.get(fn) ?? fn
  const args = node.param === undefined ? [source] : [number(node.param), source]
  return perSecond({ kind: 'series-call', name, args, origin })
}

/**
 * Functions whose sum over series equals the function over the combined series. Their labels can be dropped before
 * aggregating.
 */
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

/** Maps operators to functions in which division by 0 gives NaN. */
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
    // A comparison of two numbers always returns 1 or 0.
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

/** Returns the plan of a metric query. */
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
