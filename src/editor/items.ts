import type { DataType, Field, Schema } from '../data/index.ts'
import {
  filterDefinitions,
  printerOf,
  windowFunctions,
  type Expectation,
  type Expectations,
  type FilterKind,
  type PlainToken,
  type StatsForms,
} from '../lang/log/index.ts'
import type { CompletionItem, CompletionKind } from './completion-item.ts'
import type { Cursor } from './cursor.ts'
import { fieldOf, fieldsBehind, schemaBehind, tableOf, valuesOf } from './known-fields.ts'
import { wordsOf, type EditorOptions } from './editor-options.ts'
import { listed, openBracket, valueContext, type ValueContext } from './value-field.ts'

/**
 * Filters that accept number fields only. Filters in `ofTexts` accept text fields only; all other filters accept any
 * type.
 */
const ofNumbers: ReadonlySet<FilterKind> = new Set(['range', 'compare'])
const ofTexts: ReadonlySet<FilterKind> = new Set([
  'any-case',
  'contains-all',
  'contains-any',
  'contains-common-case',
  'equals-common-case',
  'sequence',
  'pattern-match',
  'json-array',
  'string-range',
  'len-range',
  'ipv4-range',
  'ipv6-range',
  'regexp',
])
const isNumeric = (type: DataType | undefined): boolean => type === 'number' || type === 'integer'

/** Grammar rules that begin a filter with a keyword. In all other rules, a keyword begins a clause. */
const operatorRules: ReadonlyMap<string, FilterKind> = new Map([
  ['compareFilter', 'compare'],
  ['exactFilter', 'exact'],
  ['regexpFilter', 'regexp'],
])
const durations = ['5m', '15m', '1h', '6h', '1d', '7d']
/** Grammar rules that contain a value for the preceding field. */
const valueRules: ReadonlySet<string> = new Set(['values', 'exactFilter', 'exactCall', 'compareFilter', 'labelList'])

const COMPOUND = /^[\p{L}\p{Nd}_]+(\.[\p{L}\p{Nd}_]+)*$/u

interface CompletionContext {
  readonly cursor: Cursor
  readonly expectations: Expectations
  readonly options: EditorOptions
  readonly schema: Schema
  readonly allows: (rule: string, within?: string) => boolean
}

function item(kind: CompletionKind, label: string, detail: string, insertText = label): CompletionItem {
  return { kind, label, detail, insertText }
}

function writtenName(name: string, { options, cursor }: CompletionContext): string {
  if (cursor.quote === undefined && COMPOUND.test(name) && name.includes('.')) return name
  return printerOf(options.dialect ?? 'native').text(name)
}

function fieldsOf(context: CompletionContext, order: (field: Field) => number = () => 0): readonly Field[] {
  return fieldsBehind(context.schema, context.options)
    .map((field, index) => ({ field, index, rank: order(field) }))
    .toSorted((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ field }) => field)
}

function fieldItems(context: CompletionContext, order?: (field: Field) => number): readonly CompletionItem[] {
  const taken = openBracket(context.cursor.tokens) === -1 ? new Set<string>() : listed(context.cursor.tokens)
  return fieldsOf(context, order)
    .filter(({ name }) => !taken.has(name))
    .map(({ name, type }) => item('field', name, type, writtenName(name, context)))
}

function pipeItems({ options }: CompletionContext): readonly CompletionItem[] {
  return wordsOf(options)
    .pipes.filter(({ isNativeOnly }) => isNativeOnly !== true || options.dialect !== 'logsql')
    .flatMap(({ names, doc }) => names.map((name) => item('pipe', name, doc.summary)))
}

function statsItems(names: Iterable<string>, { options }: CompletionContext): readonly CompletionItem[] {
  return [...names].map((name) =>
    item('function', name, options.functions.stats.get(name)?.doc.summary ?? 'a function', `${name}(`),
  )
}

/** Returns completions of filters in call form, such as `range(…)`, that accept a field of this type. */
function callItems(type: DataType | undefined): readonly CompletionItem[] {
  const fits = (kind: FilterKind): boolean =>
    isNumeric(type) || type === 'time' || type === 'bool'
      ? !ofTexts.has(kind) && (isNumeric(type) || !ofNumbers.has(kind))
      : type !== 'string' || !ofNumbers.has(kind)
  return filterDefinitions
    .filter(({ kind, call }) => call !== undefined && fits(kind))
    .flatMap(({ names, doc, kind }) =>
      names.map((name) => item('filter', name, doc.summary, name + (kind === 'range' ? '[' : '('))),
    )
}

function operatorItems({ expectations }: CompletionContext, type: DataType | undefined): readonly CompletionItem[] {
  return expectations.next.flatMap(({ within, symbol }): CompletionItem[] => {
    const kind = operatorRules.get(within)
    if (kind === undefined || symbol.kind !== 'token' || symbol.label === '') return []
    if (isNumeric(type) ? ofTexts.has(kind) : type === 'string' && ofNumbers.has(kind)) return []
    const doc = filterDefinitions.find((definition) => definition.kind === kind)?.doc
    return /^[=!~<>]+$/.test(symbol.label) ? [item('operator', symbol.label, doc?.summary ?? '')] : []
  })
}

function knownValues(field: string, context: CompletionContext): readonly CompletionItem[] {
  const { options, cursor } = context
  const name = fieldOf(field, context.schema, options)?.name ?? field
  const taken = cursor.tokens.at(-1)?.text === ':' ? new Set<string>() : listed(cursor.tokens)
  const known = valuesOf(name, options)
  const isBool = fieldOf(field, context.schema, options)?.type === 'bool'
  return [...known, ...(isBool ? ['true', 'false'] : [])]
    .filter((value) => !taken.has(value))
    .map((value) => item('value', value, `a value of ${name}`, printerOf(options.dialect ?? 'native').text(value)))
}

function valueItems(where: ValueContext, context: CompletionContext): readonly CompletionItem[] {
  const table = tableOf(context.options)
  const type = fieldOf(where.field, context.schema, context.options)?.type
  const values = knownValues(where.field, context)
  if (context.cursor.quote !== undefined) return values
  if (context.allows('streamIdFilter', 'fieldFilter')) {
    const isTime = (table?.aliases.get(where.field) ?? where.field) === table?.timeField
    const times = durations.map((text) => item('value', text, 'the last stretch of time'))
    const clocks = context.expectations.next.flatMap(({ within, symbol }) =>
      within === 'clockRange' && symbol.kind === 'token' ? [item('filter', symbol.label, '', `${symbol.label}[`)] : [],
    )
    if (isTime) return [...times, ...clocks, ...operatorItems(context, 'time')]
    return [...values, ...operatorItems(context, type), ...callItems(type)]
  }
  return values
}

/** Returns completions at the start of a filter. */
function filterItems(context: CompletionContext): readonly CompletionItem[] {
  const { tokens, quote } = context.cursor
  const group = valueContext(tokens)
  if (group?.open !== undefined && tokens[group.open - 1]?.text === ':') {
    return [
      ...knownValues(group.field, context),
      ...callItems(fieldOf(group.field, context.schema, context.options)?.type),
    ]
  }
  if (quote !== undefined) return []
  const filtered = new Set(tokens.filter((_, i) => tokens[i + 1]?.text === ':').map(({ value }) => value))
  const fields = fieldsOf(context, ({ name }) => (filtered.has(name) ? 1 : 0)).map(({ name, type }) =>
    item('field', name, type, `${writtenName(name, context)}:`),
  )
  return [...fields, ...callItems('string')]
}

function wordAt(tokens: readonly PlainToken[], index: number): string | undefined {
  const token = tokens[index]
  return token?.isWord ? token.text.toLowerCase() : undefined
}

/** Returns the name of the call whose parenthesis is open. */
function openCall(tokens: readonly PlainToken[]): string | undefined {
  return wordAt(tokens, openBracket(tokens) - 1)
}

/** Returns the name of the call that ends before the cursor. */
function closedCall(tokens: readonly PlainToken[]): string | undefined {
  if (tokens.at(-1)?.text !== ')') return undefined
  return wordAt(tokens, openBracket(tokens, tokens.length - 1) - 1)
}

function clauseFits({ within, symbol }: Expectation, tokens: readonly PlainToken[], forms: StatsForms): boolean {
  if (symbol.kind !== 'token' || !symbol.name.startsWith('Kw_')) return false
  if (within !== 'statsCall' && within !== 'statsCallOrder') return true
  const form = forms.get(closedCall(tokens) ?? '')
  if (form === undefined) return true
  if (within === 'statsCallOrder') return form.takesOrder
  return symbol.label === 'limit' ? form.takesLimit : form.takesOffset
}

const filterRules: ReadonlySet<string> = new Set(['operand', 'fieldFilter', 'clockRange', 'namedPipe', 'options'])

/** Returns completions of clause keywords, in grammar order. */
function keywordItems(context: CompletionContext): readonly CompletionItem[] {
  const { tokens } = context.cursor
  const used = new Set(tokens.map(({ text }) => text.toLowerCase()))
  const once = (within: string): boolean => /Pipe$|Clauses$/.test(within)
  return context.expectations.next.flatMap((expectation): CompletionItem[] => {
    const { within, symbol } = expectation
    if (symbol.kind !== 'token' || filterRules.has(within) || within.endsWith('Call')) {
      if (symbol.kind !== 'token' || within !== 'statsCall') return []
    }
    if (filterDefinitions.some(({ names }) => names.includes(symbol.label)) && !within.startsWith('label')) return []
    if (within === 'timeFilter' && context.allows('streamIdFilter', 'fieldFilter')) return []
    if (!clauseFits(expectation, tokens, wordsOf(context.options).stats) || (once(within) && used.has(symbol.label)))
      return []
    return [item('keyword', symbol.label, '')]
  })
}

/** Returns the tokens after the name of a pipe, one list for each argument. */
function argumentsBehind(tokens: readonly PlainToken[]): readonly (readonly PlainToken[])[] {
  const parts: PlainToken[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (token.text === '(') depth++
    else if (token.text === ')') depth--
    if (token.text === ',' && depth === 0) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}

/** Returns completions for arguments of a custom pipe: fields, and names of optional arguments. */
function argumentItems(context: CompletionContext): readonly CompletionItem[] {
  const { tokens } = context.cursor
  const name = tokens.findLastIndex(({ type }) => type === 'CustomPipeName')
  const definition = wordsOf(context.options).customPipes.get(tokens[name]?.text.toLowerCase() ?? '')
  if (definition === undefined) return []
  const parts = argumentsBehind(tokens.slice(name + 1))
  const nameOf = (part: readonly PlainToken[] | undefined): string | undefined =>
    part?.[1]?.text === '=' ? part[0]?.text.toLowerCase() : undefined
  const named = parts.map(nameOf)
  const own = nameOf(parts.at(-1))
  const at = own === undefined ? parts.length - 1 : definition.arguments.findIndex((arg) => arg.name === own)
  const fields = definition.arguments[at]?.type === 'field' ? fieldItems(context) : []
  if (own !== undefined) return fields
  const free = definition.arguments.slice(parts.length - 1).filter((arg) => arg.isOptional && !named.includes(arg.name))
  return [...fields, ...free.map((arg) => item('keyword', `${arg.name}=`, `a ${arg.type}`))]
}

/** Returns completions for everything that the grammar accepts at the cursor. */
export function itemsFor(
  cursor: Cursor,
  expectations: Expectations,
  options: EditorOptions,
): readonly CompletionItem[] {
  const schema = schemaBehind(cursor.before, options)
  const rules = new Map<string, Set<string>>()
  for (const { within, symbol } of expectations.next) {
    if (symbol.kind !== 'rule') continue
    const parents = rules.get(symbol.name) ?? new Set()
    rules.set(symbol.name, parents.add(within))
  }
  const allows = (rule: string, within?: string): boolean =>
    within === undefined ? rules.has(rule) : rules.get(rule)?.has(within) === true
  const context: CompletionContext = { cursor, expectations, options, schema, allows }

  if (allows('namedPipe')) return cursor.quote === undefined ? pipeItems(context) : []
  const items: CompletionItem[] = []
  const where = valueContext(cursor.tokens)
  const isValue = ['text', 'pattern'].some((rule) => [...(rules.get(rule) ?? [])].some((each) => valueRules.has(each)))
  const isLabelValue = allows('text', 'labelMatcher') && where !== undefined
  if (where !== undefined && (allows('streamIdFilter', 'fieldFilter') || isValue || isLabelValue))
    items.push(...valueItems(where, context))
  else if (allows('operand')) items.push(...filterItems(context))
  if (cursor.quote !== undefined) return items
  if (allows('text', 'labelMatcher') && where === undefined) {
    const names = tableOf(options)?.streamFields ?? []
    items.push(...names.map((name) => item('field', name, 'a field of streams', writtenName(name, context))))
  }
  if (allows('statsCall', 'statsResult')) items.push(...statsItems(wordsOf(options).stats.keys(), context))
  if (allows('runningCall')) items.push(...statsItems(wordsOf(options).running.keys(), context))
  if (allows('windowCall'))
    items.push(...[...windowFunctions.keys()].map((name) => item('function', name, '', `${name}(`)))
  if (allows('mathOperand')) {
    const functions = [...wordsOf(options).math.keys()].map((name) =>
      item('function', name, options.functions.scalar.get(name)?.doc.summary ?? '', `${name}(`),
    )
    items.push(...fieldItems(context, ({ type }) => (isNumeric(type) ? 0 : 1)), ...functions)
  }
  if (allows('text', 'customArgument')) items.push(...argumentItems(context))
  const parents = [...(rules.get('field') ?? []), ...(rules.get('fieldPattern') ?? [])]
  if (parents.some((rule) => rule !== 'alias' && rule !== 'field')) {
    const fn = options.functions.stats.get(openCall(cursor.tokens) ?? '')
    const isOfNumbers = fn !== undefined && ['number', 'string'].every((t) => fn.returns([t as DataType]) === 'number')
    items.push(...fieldItems(context, isOfNumbers ? ({ type }) => (isNumeric(type) ? 0 : 1) : undefined))
  }
  items.push(...keywordItems(context))
  if (expectations.canEnd && !cursor.endsTouching) items.push(item('operator', '|', 'the next stage', '| '))
  return items
}
