import { formatRfc3339, MAX_NS, MIN_NS, present, type JsonValue, type Origin } from '../../../base/index.ts'
import { toRangeNumber, type Schema, type ValueTest } from '../../../data/index.ts'
import { declaredField, plainName, type Expr, type ExprOf } from '../../../plan/index.ts'
import type { Condition, FilterGroup } from '../../../wire/index.ts'
import type { FromPlanNotes } from './from-plan-notes.ts'

/**
 * A predicate during conversion to filter groups. `every` is AND and `some` is OR; without operands `every` is true and
 * `some` is false.
 */
type Logic =
  | { readonly kind: 'leaf'; readonly key: string | undefined; readonly filters: readonly Filter[] }
  | { readonly kind: 'every' | 'some'; readonly args: readonly Logic[] }

interface Filter {
  readonly op: string
  readonly value?: JsonValue
}

const always: Logic = { kind: 'every', args: [] }
const never: Logic = { kind: 'some', args: [] }

function joined(kind: 'every' | 'some', args: readonly Logic[]): Logic {
  const flat = args.flatMap((arg) => (arg.kind === kind ? arg.args : [arg]))
  // A constant operand decides the result if it is false in `every` or true in `some`.
  const decisive = flat.find((arg) => arg.kind !== 'leaf' && arg.kind !== kind && arg.args.length === 0)
  if (decisive !== undefined) return decisive
  const [only] = flat
  return flat.length === 1 && only !== undefined ? only : { kind, args: flat }
}

const negations: Readonly<Record<string, string>> = {
  eq: 'ne',
  match: 'not_match',
  in: 'notin',
  iin: 'inotin',
  contains: 'notcontains',
  icontains: 'inotcontains',
  regex: 'notregex',
  exists: 'notexists',
  notexists: 'exists',
}

const opposites = new Map(Object.entries(negations).flatMap(([a, b]) => [[a, b] as const, [b, a] as const]))

function negatedFilter({ op, ...rest }: Filter): Filter {
  const known = opposites.get(op)
  if (known !== undefined) return { op: known, ...rest }
  return { op: op.startsWith('not_') ? op.slice('not_'.length) : `not_${op}`, ...rest }
}

/** Negates a predicate by De Morgan's laws, since filter groups have no negation. */
function negated(logic: Logic): Logic {
  if (logic.kind !== 'leaf') return joined(logic.kind === 'every' ? 'some' : 'every', logic.args.map(negated))
  const { key } = logic
  return joined(
    'some',
    logic.filters.map((filter) => ({ kind: 'leaf', key, filters: [negatedFilter(filter)] })),
  )
}

const byText: Readonly<Record<'lt' | 'le' | 'gt' | 'ge', string>> = { lt: 'lt', le: 'lte', gt: 'gt', ge: 'gte' }

/** Returns filters that are equivalent to a test if all of them hold; `undefined` if no operators express the test. */
function filtersOf(test: ValueTest, key: string | undefined): readonly Filter[] | undefined {
  switch (test.kind) {
    case 'empty':
      return [{ op: 'notexists' }]
    case 'equals': {
      if (!test.isTyped || typeof test.value !== 'string') return undefined
      if (test.value === '') return [{ op: 'notexists' }]
      return [{ op: test.isFolded ? 'iin' : 'eq', value: test.value }]
    }
    case 'in': {
      const texts = test.values.filter((value) => typeof value === 'string')
      if (!test.isTyped || texts.length < test.values.length) return undefined
      return [{ op: test.isFolded ? 'iin' : 'in', value: texts }]
    }
    case 'phrase':
      return test.isFolded ? [{ op: 'phrase_search', value: test.text }] : undefined
    case 'starts-with':
      if (test.text === '') return [{ op: 'exists' }]
      return [{ op: test.isFolded ? 'istartswith' : 'startswith', value: test.text }]
    case 'contains':
      return test.text === '' ? [] : [{ op: test.isFolded ? 'icontains' : 'contains', value: test.text }]
    case 'glob':
      return globFilters(test.parts, test.isFolded)
    case 'regexp':
      return test.isFolded ? undefined : [{ op: 'regex', value: test.pattern }]
    case 'range':
      return rangeFilters(test)
    case 'compare-text':
      return textBound(test.text) ? [{ op: byText[test.op], value: test.text }] : undefined
    case 'string-range':
      if (!textBound(test.min) || !textBound(test.max)) return undefined
      return [
        { op: 'gte', value: test.min },
        { op: 'lt', value: test.max },
      ]
    case 'time-range': {
      if (key !== '_time' && key !== 'timestamp') return undefined
      const { startNs, endNs } = test.range
      const start = startNs === MIN_NS ? [] : [{ op: 'gte', value: formatRfc3339(startNs, false) }]
      return endNs === MAX_NS ? start : [...start, { op: 'lt', value: formatRfc3339(endNs, false) }]
    }
    case 'contains-all': {
      if (!test.isFolded) return undefined
      return test.phrases.filter((text) => text !== '').map((value) => ({ op: 'phrase_search', value }))
    }
    default:
      return undefined
  }
}

/** True if comparing with this text compares strings: the text is not a number. */
function textBound(text: string): boolean {
  const number = toRangeNumber(text)
  return text !== '' && (number === undefined || Number.isNaN(number))
}

function globFilters(parts: readonly string[], isFolded: boolean): readonly Filter[] | undefined {
  const [first] = parts
  const last = parts.at(-1) ?? ''
  if (parts.length === 2 && first === '') return [{ op: isFolded ? 'iendswith' : 'endswith', value: last }]
  if (parts.length === 2 && last === '') return [{ op: isFolded ? 'istartswith' : 'startswith', value: first ?? '' }]
  if (!isFolded || parts.some((part) => part.includes('*'))) return undefined
  return [{ op: 'match', value: parts.join('*') }]
}

function rangeFilters(test: Extract<ValueTest, { kind: 'range' }>): readonly Filter[] | undefined {
  const bound = (value: number | bigint): string =>
    Number.isFinite(Number(value)) ? String(value) : Number(value) > 0 ? 'inf' : '-inf'
  const [min, max] = [bound(test.min), bound(test.max)]
  // A range bound is written as text, which must parse to the same number.
  for (const [text, value] of [
    [min, test.min],
    [max, test.max],
  ] as const) {
    const read = toRangeNumber(text)
    if (read === undefined || Number.isNaN(read) || String(read) !== String(value)) return undefined
  }
  const filters: Filter[] = []
  if (test.min !== -Infinity || !test.isMinIncluded) filters.push({ op: test.isMinIncluded ? 'gte' : 'gt', value: min })
  if (test.max !== Infinity || !test.isMaxIncluded) filters.push({ op: test.isMaxIncluded ? 'lte' : 'lt', value: max })
  return filters.length === 0 ? [{ op: 'gte', value: '-inf' }] : filters
}

/** Converts predicates of a plan to filter groups of a JSON pipeline. */
export class FilterWriter {
  readonly #notes: FromPlanNotes
  readonly #schema: Schema

  /** `schema` is the schema of the rows to filter. */
  constructor(notes: FromPlanNotes, schema: Schema) {
    this.#notes = notes
    this.#schema = schema
  }

  /** Returns the filter group for a predicate; `undefined` if the predicate is always true. */
  group(expr: Expr): FilterGroup | undefined {
    const logic = this.#logic(expr)
    if (logic.kind === 'every' && logic.args.length === 0) return undefined
    const present = this.#schema.isOpen ? '_time' : (this.#schema.fields[0]?.name ?? '_time')
    return groupOf(logic.kind === 'leaf' ? { kind: 'every', args: [logic] } : logic, present)
  }

  #logic(expr: Expr): Logic {
    switch (expr.kind) {
      case 'literal':
        return expr.value === true ? always : never
      case 'and':
        return joined(
          'every',
          expr.args.map((arg) => this.#logic(arg)),
        )
      case 'or':
        return joined(
          'some',
          expr.args.map((arg) => this.#logic(arg)),
        )
      case 'not':
        return negated(this.#logic(expr.arg))
      case 'implicit-and':
        return this.#level(expr)
      case 'field-filter':
        return this.#leaf(expr)
      case 'test':
        if (expr.arg.kind === 'column') return this.#test(expr.test, expr.arg.name, expr.origin)
        return this.#fail('a filter on a computed value', expr.origin)
      case 'stream-filter':
        // A stream filter reads labels by name, so the columns of its labels must still exist.
        if (expr.alternatives.flat().some(({ label }) => this.#isGone(label))) {
          return this.#fail('a filter on labels that a stage before has left out', expr.origin)
        }
        return joined(
          'some',
          expr.alternatives.map((matchers) =>
            joined(
              'every',
              matchers.map(({ label, test, isNegated }) => {
                const leaf = this.#test(test, label, expr.origin)
                return isNegated ? negated(leaf) : leaf
              }),
            ),
          ),
        )
      case 'in-subquery':
        this.#notes.fail('a query inside a filter', 'Write a `join` with that query.', expr.origin)
        return always
      case 'any-field':
        return this.#fail('a filter on fields by pattern', expr.origin)
      case 'call':
        return this.#fail(`the filter \`${expr.name}\``, expr.origin)
      default:
        return this.#fail('this filter', expr.origin)
    }
  }

  #isGone(name: string): boolean {
    return !this.#schema.isOpen && declaredField(this.#schema, name) === undefined
  }

  #fail(what: string, origin: Origin): Logic {
    this.#notes.fail(what, 'A condition compares one column with given values.', origin)
    return always
  }

  /**
   * Converts filters written side by side. Filters for a value of one field are joined by OR, all others by AND (ruling
   * L9 in grammar/semantics.md).
   */
  #level(expr: ExprOf<'implicit-and'>): Logic {
    if (expr.dialect === 'logsql')
      return joined(
        'every',
        expr.args.map((arg) => this.#logic(arg)),
      )
    const parts: Logic[][] = []
    const groups = new Map<string, Logic[]>()
    for (const arg of expr.args) {
      const logic = this.#logic(arg)
      const name =
        arg.kind === 'field-filter' && isAlternative(arg) ? plainName(arg.field ?? { parts: ['', ''] }) : undefined
      const field = name === undefined ? undefined : this.#resolved(name)
      const group = field === undefined ? undefined : groups.get(field)
      if (group !== undefined) {
        group.push(logic)
        continue
      }
      const part = [logic]
      parts.push(part)
      if (field !== undefined) groups.set(field, part)
    }
    return joined(
      'every',
      parts.map((part) => (part.length === 1 ? present(part[0]) : joined('some', part))),
    )
  }

  #resolved(name: string): string {
    if (declaredField(this.#schema, name) !== undefined) return name
    const target = this.#notes.options.aliases?.get(name)
    if (target === undefined) return name
    return this.#schema.isOpen || declaredField(this.#schema, target) !== undefined ? target : name
  }

  #leaf(expr: ExprOf<'field-filter'>): Logic {
    const key = expr.field === undefined ? undefined : plainName(expr.field)
    if (expr.field !== undefined && (key === undefined || key === '')) {
      return this.#fail('a filter on fields by pattern', expr.origin)
    }
    const { request } = expr
    if (request.kind === 'test') return this.#test(request.test, key, expr.origin)
    if (request.dialect === 'logsql') return this.#fail('a filter of the `logsql` dialect', expr.origin)
    if (request.kind === 'pattern') {
      const isAny = request.parts.every((part) => part === '')
      if (key === undefined && isAny && request.parts.length === 2) return always
      if (request.parts.some((part) => part.includes('*'))) {
        return this.#fail('a star that stands for itself beside one that does not', expr.origin)
      }
      return { kind: 'leaf', key, filters: [{ op: 'match', value: request.parts.join('*') }] }
    }
    const { text, isQuoted } = request
    if (!text.includes('*') || (text === '*' && isQuoted && key !== undefined)) {
      return { kind: 'leaf', key, filters: [{ op: 'match', value: text }] }
    }
    const isText = key === undefined || this.#resolved(key) === (this.#notes.options.textField ?? 'content')
    return { kind: 'leaf', key, filters: [{ op: isText ? 'phrase_search' : 'iin', value: text }] }
  }

  #test(test: ValueTest, key: string | undefined, origin: Origin): Logic {
    if (test.kind === 'contains-any' && test.isFolded) {
      if (test.phrases.includes('')) return always
      const leaf = (value: string): Logic => ({ kind: 'leaf', key, filters: [{ op: 'phrase_search', value }] })
      return joined('some', test.phrases.map(leaf))
    }
    const filters = filtersOf(test, key)
    if (filters === undefined) return this.#fail(`the filter \`${testName(test)}\``, origin)
    return joined(
      'every',
      filters.map((filter) => ({ kind: 'leaf', key, filters: [filter] })),
    )
  }
}

function testName(test: ValueTest): string {
  return (test.kind === 'named' ? test.name : test.kind).replaceAll('-', '_')
}

function isAlternative({ request }: ExprOf<'field-filter'>): boolean {
  return request.kind === 'test' ? request.isAlternative : true
}

type Leaf = Extract<Logic, { kind: 'leaf' }>

function conditionOf({ key, filters }: Leaf): Condition {
  const written = filters.map(({ op, value }) => (value === undefined ? { op } : { op, value }))
  return key === undefined ? { key: '*', type: 'freetext', filters: written } : { key, filters: written }
}

/** Operators whose filters on one column a condition joins by OR. */
const alternatives = new Set([
  'eq',
  'match',
  'in',
  'iin',
  'contains',
  'icontains',
  'startswith',
  'istartswith',
  'endswith',
  'iendswith',
  'phrase_search',
  'regex',
])
const comparisons = new Set(['gt', 'gte', 'lt', 'lte'])

/**
 * Merges adjacent filters on one column into one condition. Under `or`, this requires operators that a condition joins
 * by OR; under `and`, comparisons.
 */
function merged(kind: 'every' | 'some', args: readonly Logic[]): readonly Logic[] {
  const wanted = kind === 'some' ? alternatives : comparisons
  const result: Logic[] = []
  for (const arg of args) {
    const before = result.at(-1)
    const isMergeable =
      arg.kind === 'leaf' &&
      before?.kind === 'leaf' &&
      before.key === arg.key &&
      [...before.filters, ...arg.filters].every(({ op }) => wanted.has(op))
    if (isMergeable) result[result.length - 1] = { ...before, filters: [...before.filters, ...arg.filters] }
    else result.push(arg)
  }
  return result
}

/**
 * Returns a predicate as a filter group. `present` is any column of the rows; "always false" is expressed as a test of
 * it.
 */
function groupOf(logic: Extract<Logic, { args: readonly Logic[] }>, present: string): FilterGroup {
  const operator = logic.kind === 'every' ? 'and' : 'or'
  // A test against an empty list is always false.
  if (logic.args.length === 0) return { operator, conditions: [{ key: present, filters: [{ op: 'in', value: [] }] }] }
  const conditions: Condition[] = []
  const groups: FilterGroup[] = []
  for (const arg of merged(logic.kind, logic.args)) {
    const leaf = leafOf(arg)
    if (leaf === undefined) groups.push(groupOf(arg as Exclude<Logic, { kind: 'leaf' }>, present))
    // A group evaluates its conditions before its subgroups. A condition after a subgroup becomes a subgroup too, to
    // preserve the order.
    else if (groups.length === 0) conditions.push(conditionOf(leaf))
    else groups.push({ operator: 'and', conditions: [conditionOf(leaf)] })
  }
  return {
    operator,
    ...(conditions.length === 0 ? {} : { conditions }),
    ...(groups.length === 0 ? {} : { groups }),
  }
}

/**
 * Returns a predicate as one condition with one or more filters on one column; `undefined` if the predicate needs a
 * group.
 */
function leafOf(logic: Logic): Leaf | undefined {
  if (logic.kind === 'leaf') return logic
  const [one, ...others] = merged(logic.kind, logic.args)
  return others.length === 0 && one?.kind === 'leaf' ? one : undefined
}
