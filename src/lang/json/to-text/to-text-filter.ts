import { formatRfc3339, parseRfc3339, type JsonValue } from '../../../base/index.ts'
import { hasContent, type Condition, type FilterGroup } from '../../../wire/index.ts'
import { conditionValue } from '../condition.ts'
import { scalarText, scalarTexts } from '../operators/definition.ts'
import { operatorNamed, type OperatorDefinition } from '../operators/index.ts'
import { escapeRegexp, textOf, name, quoted, type TextNotes } from './to-text-names.ts'

type Write = (field: string, value: JsonValue | undefined) => string | undefined

function onText(write: (field: string, text: string) => string): Write {
  return (field, value) => {
    const text = scalarText(value)
    return text === undefined ? undefined : write(field, text)
  }
}

const anything = '*'

/**
 * Writes a case-sensitive filter that matches any of a list of values. The list form of the text language, `in`, is not
 * used because it ignores case.
 */
function oneOf(field: string, value: JsonValue | undefined): string | undefined {
  const texts = scalarTexts(value)
  if (texts === undefined) return undefined
  return texts.length === 0 ? `!${anything}` : `(${texts.map((text) => `${field}=${quoted(text)}`).join(' or ')})`
}

const equal: Write = (field, value) => {
  if (value === undefined || value === null || value === '') return `${field}""`
  return scalarText(value) === undefined ? oneOf(field, value) : `${field}=${quoted(textOf(value))}`
}

/** Returns a writer that expresses a case-sensitive substring or suffix test as a regular expression. */
function byRegexp(before: string, after: string): Write {
  return onText((field, text) => (text === '' ? anything : `${field}~${quoted(before + escapeRegexp(text) + after)}`))
}

function stars(before: string, after: string): Write {
  return onText((field, text) => (text === '' ? anything : `${field}${before}${quoted(text)}${after}`))
}

const matches: Write = (field, value) => {
  if (value === undefined || value === null || value === '') return `${field}""`
  const text = scalarText(value)
  if (text === undefined) return undefined
  if (text === '*') return `!${field}""`
  if (!text.includes('*')) return field + quoted(text)
  return (
    field +
    text
      .split('*')
      .map((part) => (part === '' ? '' : quoted(part)))
      .join('*')
  )
}

const compared = (sign: string): Write => onText((field, text) => `${field}${sign}${quoted(text)}`)

/** Writers of the positive operators. A negated operator is written as `!` and its positive form. */
const writers: ReadonlyMap<string, Write> = new Map([
  ['eq', equal],
  ['ne', equal],
  ['match', matches],
  ['not_match', matches],
  ['in', oneOf],
  ['notin', oneOf],
  ['contains', byRegexp('', '')],
  ['notcontains', byRegexp('', '')],
  ['icontains', stars('*', '*')],
  ['inotcontains', stars('*', '*')],
  ['startswith', onText((field, text) => (text === '' ? anything : `${field}=${quoted(text)}*`))],
  ['istartswith', onText((field, text) => (text === '' ? anything : `${field}${quoted(text)}*`))],
  ['endswith', byRegexp('', '\\z')],
  ['iendswith', stars('*', '')],
  ['phrase_search', onText((field, text) => `${field}i(${quoted(text)})`)],
  ['regex', onText((field, text) => `${field}~${quoted(text)}`)],
  ['notregex', onText((field, text) => `${field}~${quoted(text)}`)],
  ['gt', compared('>')],
  ['gte', compared('>=')],
  ['lt', compared('<')],
  ['lte', compared('<=')],
  ['exists', (field) => `${field}""`],
  ['notexists', (field) => `${field}""`],
])

const signs: Readonly<Record<string, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' }

/**
 * Time and stream fields, for which query texts have special filters. Tests that no special filter expresses are
 * written as `meets(…)`, which works on every field.
 */
const specialFields = new Set(['_time', 'timestamp', '_stream_id'])

/**
 * Names of the main text field. For this field, a bare word searches for words, and a trailing star means a prefix of a
 * word rather than of the value.
 */
const textFields = new Set([
  '',
  'content',
  '_msg',
  'message',
  'msg',
  'body',
  'span_name',
  'name',
  'workload',
  '__name__',
  'metric',
  'cluster',
])

const positives: Readonly<Record<string, string>> = {
  inotin: 'iin',
  ne: 'eq',
  not_match: 'match',
  notin: 'in',
  notcontains: 'contains',
  inotcontains: 'icontains',
  notregex: 'regex',
  exists: 'notexists',
}

/**
 * Writes a test as `meets(field, operator, value)`, which means the same on every field. `undefined` if the value
 * cannot be written.
 */
function meets(key: string, operator: OperatorDefinition, value: JsonValue | undefined): string | undefined {
  const field = key === '' ? '""' : name(key)
  const isBare = value === undefined || value === null || operator.name === 'notexists'
  if (isBare) return `meets(${field}, ${operator.name})`
  const text = scalarText(value)
  if (text !== undefined) return `meets(${field}, ${operator.name}, ${quoted(text)})`
  const texts = scalarTexts(value)
  if (texts === undefined) return undefined
  if (texts.length === 0) return `!${anything}`
  const each = operator.name === 'iin' ? 'iin' : 'eq'
  return `(${texts.map((one) => `meets(${field}, ${each}, ${quoted(one)})`).join(' or ')})`
}

/** Writes a test of values that contain parameters as `meets(…)`, whose meaning does not depend on the values. */
function openText(key: string, operator: OperatorDefinition, values: readonly JsonValue[]): string | undefined {
  const texts = scalarTexts(values)
  if (texts === undefined || operator.name === 'notexists') return undefined
  return `meets(${[key === '' ? '""' : name(key), operator.name, ...texts.map(quoted)].join(', ')})`
}

/** Writes one positive filter of a condition. */
function filterText(
  key: string,
  written: OperatorDefinition,
  value: JsonValue | undefined,
  notes: TextNotes,
): string | undefined {
  const operator = written.negates ?? written
  // A negated operator is written as `!` followed by the positive operator.
  const positive = { ...operator, name: positives[operator.name] ?? operator.name }
  const values = Array.isArray(value) ? (value as readonly JsonValue[]) : [value ?? null]
  if (values.some((each) => notes.isOpen(each))) return openText(key, positive, values)
  if (specialFields.has(key)) {
    const sign = key === '_stream_id' ? undefined : signs[operator.name]
    const ns = sign === undefined ? undefined : parseRfc3339(scalarText(value) ?? '')
    // In a query text, a time with missing digits means a whole day or second; in a JSON body it means one instant.
    return ns === undefined ? meets(key, positive, value) : `${name(key)}:${sign}${quoted(formatRfc3339(ns, false))}`
  }
  if (positive.name === 'iin') return meets(key, positive, value)
  if (operator.name === 'istartswith' && textFields.has(key)) return meets(key, positive, value)
  // Without a field, a star would match every row, and a comparison with a time would compare strings.
  if (key === '' && operator.name in signs) return meets(key, positive, value)
  if (key === '' && operator.name.endsWith('match') && value === '*') return anything
  return writers.get(operator.name)?.(key === '' ? '' : `${name(key)}:`, value)
}

/** Writes a condition as filter text; `*` if the condition is always true. */
export function conditionText(condition: Condition, notes: TextNotes): string {
  const filters = condition.filters ?? []
  if (filters.length === 0) return anything
  const isFreeText = condition.type === 'freetext' || condition.key === undefined || condition.key === '*'
  const key = isFreeText ? '' : (condition.key ?? '')
  const alternatives: string[] = []
  const musts: string[] = []
  for (const { op, value } of filters) {
    const operator = operatorNamed(op ?? '')
    const written =
      operator && filterText(key, operator, conditionValue(condition, operator, value as JsonValue | undefined), notes)
    if (operator === undefined || written === undefined) {
      notes.fail(`the operator \`${op ?? ''}\` with this value`)
      continue
    }
    if (operator.isNegated) musts.push(`!${written}`)
    else (operator.joins === 'alternative' ? alternatives : musts).push(written)
  }
  const any = alternatives.length > 1 ? `(${alternatives.join(' or ')})` : alternatives.join('')
  const all = [...(any === '' ? [] : [any]), ...musts]
  if (all.length === 0) return anything
  return all.length === 1 ? all.join('') : `(${all.join(' and ')})`
}

/** Writes a filter group as one operand of filter text; `undefined` if the group is always true. */
export function groupText(group: FilterGroup | undefined, notes: TextNotes): string | undefined {
  if (group === undefined || group.disabled === true || !hasContent(group)) return undefined
  const operands: string[] = []
  for (const condition of group.conditions ?? []) {
    if ((condition.filters ?? []).length > 0) operands.push(conditionText(condition, notes))
  }
  for (const inner of group.groups ?? []) {
    if (inner.disabled !== true && hasContent(inner)) operands.push(groupText(inner, notes) ?? anything)
  }
  if (operands.length === 0) return undefined
  if (operands.length === 1) return operands[0]
  return `(${operands.join(group.operator === 'or' ? ' or ' : ' and ')})`
}
