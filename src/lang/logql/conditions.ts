import { at, compileRegexp, nowhere, type Origin } from '../../base/index.ts'
import type { ValueTest } from '../../data/index.ts'
import type { DiscoveredLabel } from '../../functions/logql/index.ts'
import {
  call,
  column,
  conjunction,
  disjunction,
  literal,
  not,
  test,
  wholeScan,
  type Expr,
  type LogicalPlan,
  type StreamMatcher,
} from '../../plan/index.ts'
import type { LabelMatcher } from '../../plan/series/index.ts'
import type { LabelCondition, LineFilter, LogQuery, Stage } from './ast.ts'
import { isDeclared, knownValue, streamField, type LogqlTable } from './table.ts'

/** Returns the test of a matcher, without its negation. A pattern must match the whole value. */
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

/** True if a matcher accepts a missing label, whose value is the empty string. */
function matchesMissing({ op, value }: LabelMatcher): boolean {
  if (op === '=' || op === '!=') return (value === '') === (op === '=')
  return compileRegexp(`^(?:${value})$`, false).test('') === (op === '=~')
}

/**
 * Returns the condition for a stream label that is not in the catalog. The exact test reads the label from the stored
 * stream name. Where possible, a cheaper test comes first: the label is also stored in a field of its name, and testing
 * the field reads fewer rows.
 */
function lowerStreamLabel(matcher: LabelMatcher, table: LogqlTable, origin: Origin): Expr {
  const { label } = matcher
  const ofStream = call('stream-label', [column('_stream', origin), literal(label, origin)], origin)
  const exact = matches(ofStream, matcher, origin)
  if (isDeclared(table, label) || table.aliases.has(label) || matchesMissing(matcher)) return exact
  return conjunction([matches(column(label, origin), matcher, origin), exact], origin)
}

/**
 * Returns the condition for a label that every entry has: its value is that of the first field with a value, else a
 * constant. The condition only tests fields, so that it can run on dictionaries; a test of a value chosen per row could
 * not.
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

/** Returns the predicate for a stream selector. */
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

/** Returns the predicate for a line filter if every backend can test it; `undefined` for patterns and addresses. */
function lowerLineFilter({ op, alternatives, span }: LineFilter, textField: string): Expr | undefined {
  const origin = at(span)
  if (op === '|>' || op === '!>' || alternatives.some(({ kind }) => kind === 'ip')) return undefined
  const isRegexp = op === '|~' || op === '!~'
  const tests = alternatives.map(({ value }) => {
    if (!isRegexp) return test(column(textField, origin), { kind: 'contains', text: value, isFolded: false }, origin)
    // A dot in LogQL does not match line breaks.
    const pattern = value.includes('.') ? `(?-s:${value})` : value
    return test(column(textField, origin), { kind: 'regexp', pattern, isFolded: false }, origin)
  })
  const any = disjunction(tests, origin)
  return op.startsWith('!') ? not(any, origin) : any
}

/**
 * Returns the predicate of a label condition if every backend can test it; `undefined` for comparisons, which may have
 * to report errors.
 */
export function lowerCondition(condition: LabelCondition, table: LogqlTable): Expr | undefined {
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

/**
 * Splits stages into conditions on stored rows and the remaining stages. Only the filters before the first stage of
 * another kind can become conditions.
 */
export function divided(stages: readonly Stage[], table: LogqlTable): readonly [conditions: Expr[], left: Stage[]] {
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

/** Returns the rows that satisfy all conditions. */
export function filtered(rows: LogicalPlan, conditions: readonly Expr[]): LogicalPlan {
  return conditions.reduce<LogicalPlan>(
    (input, predicate) => ({ kind: 'filter', input, predicate, origin: predicate.origin }),
    rows,
  )
}

/** Returns the stored rows of the streams that a selector matches. Without a query, returns all rows. */
export function lowerSelector(query: LogQuery | undefined, table: LogqlTable): LogicalPlan {
  const origin = query === undefined ? nowhere : at(query.span)
  const scan = wholeScan(table, origin)
  if (query === undefined) return scan
  return { kind: 'filter', input: scan, predicate: lowerMatchers(query.matchers, table, origin), origin }
}
