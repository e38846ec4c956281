import { compareGroupKeys, compareText, compareValues, toText } from '../../data/index.ts'
import { bound, compare, sqlCall, type OrderTerm, type SqlCase, type SqlExpr } from './statement/ast.ts'
import { CannotCompile, type ExprContext } from './block.ts'
import { mayBeNull, withoutEmpty, type Cell } from './cell.ts'
import type { ForeignForm } from './foreign/engine.ts'

type Direction = OrderTerm['direction']

/**
 * Returns a sort key for a string column in which only the strings in `ranked` look like numbers or times. The key of a
 * ranked string is its position in sort order. All other strings share the next position, so they come last.
 */
function rankExpr(c: Cell, ranked: readonly string[], compareTexts: (a: string, b: string) => number): SqlExpr {
  const sorted = ranked.toSorted(compareTexts)
  return {
    kind: 'case',
    branches: sorted.map((text, i) => ({
      when: compare(c.sql, '=', bound(text)),
      value: bound(BigInt(i)),
    })),
    otherwise: bound(BigInt(sorted.length)),
  }
}

function hasTies(ranked: readonly string[]): boolean {
  const sorted = ranked.toSorted(compareValues)
  return sorted.some((text, i) => i > 0 && compareValues(sorted[i - 1] ?? null, text) === 0)
}

/**
 * Returns an SQL value for strings that the database compares by characters. Enumerated values are converted to strings
 * unless the type already lists them in that order.
 */
function characters(c: Cell): SqlExpr {
  const { isEnum, values = [] } = c.facts
  const isInOrder = values.every((value, i) => i === 0 || compareText(toText(values[i - 1] ?? null), toText(value)) < 0)
  return isEnum === true && !isInOrder ? sqlCall('as-text', withoutEmpty(c)) : withoutEmpty(c)
}

/** Returns the representation of the value in a result column. */
export function crossingForm({ form, facts }: Cell): ForeignForm {
  switch (form) {
    case 'number':
      return facts.number === 'float' ? 'double' : 'int64'
    case 'time':
      return 'int64'
    case 'any':
      return 'json'
    default:
      return form
  }
}

/**
 * Returns an additional result column with the value of an ORDER BY term, by which the reader of the rows can sort.
 * Empty if no column can represent the value.
 */
export function readTerm(c: Cell): Pick<OrderTerm, 'read'> {
  const hasNoForm = c.form === 'number' && (c.facts.number === undefined || c.facts.number === 'wide')
  const form = crossingForm(c)
  return hasNoForm || form === 'json' || form === 'text' ? {} : { read: { sql: c.sql, form } }
}

/**
 * Returns ORDER BY terms for strings: strings that look like numbers or times first, then the others by bytes, which is
 * code point order. `undefined` if plain SQL cannot sort them.
 */
function textTerms(c: Cell, direction: Direction, isGroupKey: boolean): OrderTerm[] | undefined {
  const { ranked } = c.facts
  const text: OrderTerm = { expr: characters(c), direction, mayBeNull: mayBeNull(c) }
  if (ranked === 'many') return undefined
  if (ranked.length === 0) return [text]
  // Strings such as `1` and `1.0` have equal sort keys and must keep their order, but the last term would sort them by
  // spelling.
  if (!isGroupKey && hasTies(ranked)) return undefined
  const ranks = rankExpr(c, ranked, isGroupKey ? compareGroupKeys : compareValues)
  if (!mayBeNull(c)) return [{ expr: ranks, direction, mayBeNull: false }, text]
  const isMissing = { kind: 'null-check', arg: withoutEmpty(c), isNegated: false } as const
  return [{ expr: isMissing, direction: 'asc', mayBeNull: false }, { expr: ranks, direction, mayBeNull: false }, text]
}

/** Returns the ORDER BY term of a number, time or bool, which SQL orders as Sluice does. */
export function plainTerm(c: Cell, direction: Direction): OrderTerm {
  return { expr: c.native?.sql ?? c.sql, direction, mayBeNull: c.facts.hasMissing, ...readTerm(c) }
}

function terms(c: Cell, direction: Direction, isGroupKey: boolean, context: ExprContext): readonly OrderTerm[] {
  if (c.form === 'number' || c.form === 'time' || c.form === 'bool') {
    const term = plainTerm(c, direction)
    const nan = c.facts.number === 'float' ? context.block.host.nanLast?.(c.sql, direction) : undefined
    if (nan === undefined) return [term]
    return [{ ...term, expr: nan, direction: 'asc', read: { sql: nan, form: 'bool' } }, term]
  }
  const plain = c.form === 'text' ? textTerms(c, direction, isGroupKey) : undefined
  return plain ?? context.block.host.rankTerms(c, direction, isGroupKey, context)
}

/**
 * Returns the ORDER BY terms of a value of any type: numbers, then times, then strings. Missing values and `''` are
 * last in both directions.
 */
export function sortTerms(c: Cell, direction: Direction, context: ExprContext): readonly OrderTerm[] {
  return terms(c, direction, false, context)
}

/** Returns the ORDER BY terms of groups, for a key that `groupKeyCell` returned. */
export function groupTerms(c: Cell, context: ExprContext): readonly OrderTerm[] {
  return terms(c, 'asc', true, context)
}

/**
 * Converts a cell to a group key. `''` becomes missing. Two keys are equal in SQL if and only if they denote the same
 * group.
 */
export function groupKeyCell(c: Cell, context: ExprContext): Cell {
  if (c.sql.kind === 'bound' && context.block.host.attributes !== undefined) {
    throw new CannotCompile(context.node, 'it takes no parameter as the key of a group')
  }
  const facts = { ...c.facts, hasMissing: mayBeNull(c), hasEmpty: false }
  switch (c.form) {
    case 'number':
    case 'time':
    case 'bool': {
      const float = c.facts.number === 'float' ? context.block.host.floatKey?.(c.sql) : undefined
      return { ...c, sql: float ?? c.sql, stored: undefined, native: undefined }
    }
    case 'text':
      return { sql: withoutEmpty(c), form: 'text', facts, stored: undefined }
    case 'any':
      return { ...context.block.host.groupKey(c, context), facts }
  }
}

function isSame(a: SqlExpr, b: SqlExpr): boolean {
  if (a === b) return true
  if (a.kind === 'column') {
    return b.kind === 'column' && a.source === b.source && a.column === b.column && isSamePath(a.path, b.path)
  }
  if (a.kind === 'bound') return b.kind === 'bound' && a.value === b.value
  if (a.kind === 'constant') return b.kind === 'constant' && a.text === b.text
  if (a.kind === 'case') return b.kind === 'case' && isSameCase(a, b)
  if (a.kind !== 'call' || b.kind !== 'call') return false
  return a.name === b.name && a.args.length === b.args.length && a.args.every((arg, i) => isSameArg(arg, b.args[i]))
}

function isSameCase(a: SqlCase, b: SqlCase): boolean {
  const areSame = a.branches.every(({ when, value }, i) => {
    const other = b.branches[i]
    return other !== undefined && isSame(when, other.when) && isSame(value, other.value)
  })
  return areSame && a.branches.length === b.branches.length && isSame(a.otherwise, b.otherwise)
}

function isSameArg(a: SqlExpr, b: SqlExpr | undefined): boolean {
  return b !== undefined && isSame(a, b)
}

function isSamePath(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.length === b.length && a.every((name, i) => name === b[i])
}

/**
 * Appends further ORDER BY terms. Repeated expressions and constants are omitted, since they do not change the order.
 */
export function refine(first: readonly OrderTerm[], then: readonly OrderTerm[]): readonly OrderTerm[] {
  const kept: OrderTerm[] = []
  for (const term of [...first, ...then]) {
    if (term.expr.kind !== 'bound' && !kept.some((known) => isSame(known.expr, term.expr))) kept.push(term)
  }
  return kept
}
