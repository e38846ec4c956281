import { bind, canReturnNewest, statsLabels, timeHull } from '../../src/analyze/index.ts'
import { SluiceError, isError, parseRfc3339, present } from '../../src/base/index.ts'
import { field, wordNeeds } from '../../src/data/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import {
  canon,
  lower,
  parse,
  parseFilter,
  withExtraFilter,
  withTimeRange,
  withoutPipes,
  type Query,
} from '../../src/lang/log/index.ts'
import { FieldSet, conjuncts, needsOfInputs, optimize, requiredWords, rules } from '../../src/optimize/index.ts'
import {
  inputs,
  printFieldPattern,
  visit,
  type Catalog,
  type FieldPattern,
  type LogicalPlan,
} from '../../src/plan/index.ts'
import { checkAll, checkFile, isSameSet, type Outcome, type Vector, type Verdict } from './outcome.ts'

interface OptimizerVector extends Vector {
  readonly q: string
  readonly canon?: string
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  readonly allowOut?: readonly string[]
  readonly denyOut?: readonly string[]
  readonly nowNs?: string
  readonly minNs?: string
  readonly maxNs?: string
  readonly tokens?: readonly { readonly field: string; readonly tokens: readonly string[] }[]
  readonly values?: readonly string[]
  readonly common?: readonly string[]
  readonly result?: boolean
  readonly fields?: readonly string[]
  readonly error?: boolean
  readonly start?: string
  readonly end?: string
  readonly extra?: string
}

const dialect = 'logsql'

const catalog: Catalog = {
  defaultTable: 'logs',
  tables: new Map([
    [
      'logs',
      {
        name: 'logs',
        schema: { fields: [field('_time', 'time', 'dynamic'), field('_msg', 'string', 'dynamic')], isOpen: true },
        timeField: '_time',
        textField: '_msg',
        aliases: new Map(),
        streamFields: [],
        domain: 'logs',
      },
    ],
  ]),
}

/** Parses a query. Throws SluiceError if the query has errors. */
function queryOf(text: string): Query {
  const { ast, diagnostics } = parse(text, { dialect, functionNames: standardFunctions.stats.names() })
  if (diagnostics.some(isError)) throw new SluiceError(diagnostics.filter(isError))
  return ast
}

function samePrint(query: Query, expected: string | undefined): string | undefined {
  const printed = canon(query, dialect)
  return printed === expected ? undefined : `prints ${printed}, not ${expected}`
}

/** Returns the bound plan of a query. Throws SluiceError if the query has errors. */
function planOf(text: string, nowNs = 0n): LogicalPlan {
  const plan = lower(queryOf(text), { dialect, nowNs, table: 'logs', textField: '_msg' })
  const bound = bind(plan, { catalog, functions: standardFunctions, dialect })
  if (bound.diagnostics.some(isError)) throw new SluiceError(bound.diagnostics.filter(isError))
  return bound.plan
}

const context = { functions: standardFunctions, timeFieldOf: () => '_time', textFieldOf: () => '_msg' }

function optimized(plan: LogicalPlan, ...names: readonly string[]): LogicalPlan {
  return optimize(plan, { context, rules: rules.filter((rule) => names.includes(rule.name)) })
}

/** Returns the plan with its filters pushed into the scan and otherwise unchanged. */
function withFilters(plan: LogicalPlan): LogicalPlan {
  return optimized(plan, 'normalize-comparison', 'merge-filters', 'push-filter')
}

function patternOf(text: string): FieldPattern {
  return { parts: text.split('*') }
}

/**
 * Adapts a plan to the reference implementation, whose blocks of rows store their times separately. There, ordering by
 * time reads no column.
 */
function asReference(node: LogicalPlan): LogicalPlan {
  return node.kind === 'window' ? { ...node, orderBy: [] } : node
}

/**
 * Returns the stored fields that a plan reads if its result needs the fields `needs`. Fields used only by the scan's
 * own predicate are left out.
 */
function needsAtScan(plan: LogicalPlan, needs: FieldSet): FieldSet {
  if (plan.kind === 'scan') return plan.columns === undefined ? needs : needs.among(plan.columns.map(patternOf))
  const [first] = inputs(plan)
  if (first === undefined) return FieldSet.none
  const [below] = needsOfInputs(asReference(plan), needs)
  return needsAtScan(first, present(below))
}

function show(set: FieldSet): string {
  // Internal field names begin with NUL. No query can name them, so the vectors do not contain them.
  const isNamed = (name: string): boolean => !name.startsWith('\0')
  const text = (patterns: readonly FieldPattern[]): string =>
    patterns.map(printFieldPattern).filter(isNamed).toSorted().join(', ')
  return `${text(set.allowed)} without ${text(set.denied)}`
}

function expectedNeeds(allow: readonly string[], deny: readonly string[]): string {
  return `${allow.toSorted().join(', ')} without ${deny.toSorted().join(', ')}`
}

function checkNeeds(
  plan: LogicalPlan,
  before: FieldSet,
  allow: readonly string[],
  deny: readonly string[],
): string | undefined {
  const wanted = FieldSet.of(allow.map(patternOf)).without(deny.map(patternOf))
  const [actual, expected] = [show(needsAtScan(plan, before)), show(wanted)]
  return actual === expected ? undefined : `needs ${actual}, not ${expected}`
}

/** True if the plan can return each row as it arrives, without waiting for further rows. */
function isRowByRow(plan: LogicalPlan): boolean {
  let isSo = true
  const known = new Set(['scan', 'filter', 'project', 'drop', 'rename', 'extend', 'apply'])
  visit(plan, (node) => {
    const isLookup = node.kind === 'join' && node.type === 'left' && node.right.kind === 'values'
    if (!known.has(node.kind) && !isLookup && node.kind !== 'values') isSo = false
  })
  return isSo
}

/** Returns the predicates of the scan. */
function firstPredicate(plan: LogicalPlan): ReturnType<typeof conjuncts> {
  const [first] = inputs(plan)
  if (plan.kind === 'scan') return plan.predicate === undefined ? [] : conjuncts(plan.predicate)
  return first === undefined ? [] : firstPredicate(first)
}

type Check = (vector: OptimizerVector) => string | undefined

const checks: Readonly<Record<string, Check>> = {
  'pipe-needed-fields': ({ q, allow = [], deny = [], allowOut = [], denyOut = [] }) => {
    const before = FieldSet.of(allow.map(patternOf)).without(deny.map(patternOf))
    return checkNeeds(planOf(`* | ${q}`), before, allowOut, denyOut)
  },
  'query-needed-fields': ({ q, allow = [], deny = [] }) => {
    const needsOf = (disabled: readonly string[]): string | undefined =>
      checkNeeds(optimize(planOf(q), { context, disabled }), FieldSet.all, allow, deny)
    // The optimizer reduces a plan without results to one that reads no field, while the reference implementation lists
    // the fields that the query names. So a second attempt disables that rule.
    return needsOf([]) === undefined ? undefined : needsOf(['propagate-empty'])
  },
  rewrite: ({ q, canon: expected }) => samePrint(queryOf(q), expected),
  'add-time-filter': ({ q, start = '', end = '', canon: expected }) => {
    // The end is a whole second, which belongs to the range.
    const range = {
      startNs: parseRfc3339(start) ?? 0n,
      endNs: (parseRfc3339(present(end.split(' ')[0])) ?? 0n) + 1_000_000_000n,
    }
    return samePrint(withTimeRange(queryOf(q), range, dialect), expected)
  },
  'add-extra-filters': ({ q, extra = '', canon: expected }) => {
    const filter = extra === '' ? undefined : parseFilter(extra, { dialect }).ast
    return samePrint(filter === undefined ? queryOf(q) : withExtraFilter(queryOf(q), filter), expected)
  },
  'drop-pipes': ({ q, canon: expected }) => samePrint(withoutPipes(queryOf(q)), expected),
  'time-range': ({ q, nowNs = '0', minNs = '', maxNs = '' }) => {
    const parts = firstPredicate(withFilters(planOf(q, BigInt(nowNs))))
    const { startNs, endNs } = timeHull({ kind: 'and', args: parts, origin: { kind: 'none' } }, '_time')
    // Ends are exclusive here and inclusive in the vectors. The largest instant has no successor, so it stays as it is.
    const lastNs = endNs === 2n ** 63n - 1n ? endNs : endNs - 1n
    return String(startNs) === minNs && String(lastNs) === maxNs
      ? undefined
      : `[${startNs}, ${lastNs}], not [${minNs}, ${maxNs}]`
  },
  'has-global-time-filter': ({ q, result }) => {
    const parts = firstPredicate(withFilters(planOf(q)))
    const has = parts.some((part) => part.kind === 'test' && part.test.kind === 'time-range')
    return has === result ? undefined : `${has}, not ${result}`
  },
  'common-tokens-and': checkTokens,
  'common-tokens-or': checkTokens,
  'in-common-tokens': ({ values = [], common = [] }) => {
    const needs = wordNeeds({ kind: 'in', values, isFolded: false, isTyped: false }).map(({ word }) => word)
    return isSameSet(needs, common) ? undefined : `${needs.join(' ')}, not ${common.join(' ')}`
  },
  'can-return-last-n': ({ q, result }) => {
    const actual = canReturnNewest(planOf(q))
    return actual === result ? undefined : `${actual}, not ${result}`
  },
  'stats-labels': ({ q, fields, error }) => {
    const labels = statsLabels(planOf(q))?.labels
    if (labels === undefined || error === true)
      return labels === undefined && error === true ? undefined : `${labels?.join() ?? 'none'}, not ${String(fields)}`
    return isSameSet(labels, fields ?? []) ? undefined : `${labels.join()}, not ${String(fields)}`
  },
  'can-live-tail': ({ q, result }) => {
    const actual = isRowByRow(planOf(q))
    return actual === result ? undefined : `${actual}, not ${result}`
  },
}

function checkTokens({ q, tokens = [] }: OptimizerVector): string | undefined {
  const parts = firstPredicate(withFilters(planOf(q)))
  const words = requiredWords({ kind: 'and', args: parts, origin: { kind: 'none' } })
  const show = (name: string, list: readonly string[]): string => `${name}: ${[...new Set(list)].toSorted().join(' ')}`
  const actual = [...words].map(([name, needs]) =>
    show(
      name,
      needs.map(({ word }) => word),
    ),
  )
  const expected = tokens.map(({ field: name, tokens: list }) => show(name, list))
  return isSameSet(actual, expected) ? undefined : `${actual.join('; ')}, not ${expected.join('; ')}`
}

/** Deliberate differences from the reference implementation, with the reason. */
const differences: readonly { readonly test: (vector: OptimizerVector) => boolean; readonly reason: string }[] = [
  {
    test: ({ kind = '', q }) => kind.endsWith('needed-fields') && /unpack_\w+ if .* fields/.test(q),
    reason: 'rows that do not meet the condition keep the old value of the field, so it is read',
  },
  {
    test: ({ kind, q }) => kind === 'query-needed-fields' && q.includes('field_names'),
    reason: 'names are counted from the rows, not from the headers of blocks',
  },
]

const sharing = 'speaks of sharing a query between nodes, which nothing here does'
const rewriting = 'speaks of texts that the reference writes for its own endpoints'
const newest =
  'speaks of the query that the reference asks its storage for the newest rows, which has a plan of its own here'
const answers = 'speaks of the order in which an interface of the reference shows fields'

/** Kinds of vectors that are not run, with the reason. */
const unrun: Readonly<Record<string, string>> = {
  'split-remote-local': sharing,
  'last-n-query': newest,
  'fields-to-pipes': sharing,
  'stats-add-time-bucket': rewriting,
  'add-count-by-time': rewriting,
  'fixed-fields': answers,
  'fixed-field-order': answers,
}

/**
 * Runs a check. Returns the failure, or `undefined` if the check passes. If the vector expects an error, rejecting the
 * whole query passes too.
 */
function failureOf(vector: OptimizerVector, check: Check): string | undefined {
  try {
    return check(vector)
  } catch (error) {
    if (vector.error === true && error instanceof SluiceError) return undefined
    throw error
  }
}

function verdictOf(vector: OptimizerVector): Verdict {
  const { kind = '' } = vector
  const skip = Object.hasOwn(unrun, kind) ? unrun[kind] : undefined
  if (skip !== undefined) return { skip }
  const check = Object.hasOwn(checks, kind) ? checks[kind] : undefined
  if (check === undefined) return { failure: `is of a kind that is not known: ${kind}` }
  const failure = failureOf(vector, check)
  if (failure === undefined) return undefined
  const difference = differences.find(({ test }) => test(vector))
  if (difference !== undefined) return { skip: difference.reason }
  const given = vector.allow === undefined ? '' : ` with ${expectedNeeds(vector.allow, vector.deny ?? [])}`
  return { failure: `${vector.q ?? JSON.stringify(vector.values)}${given}: ${failure}` }
}

/** Checks the vectors about properties of plans. Returns one outcome for each kind of vector. */
export async function checkOptimizer(directory: string): Promise<readonly Outcome[]> {
  return checkFile<OptimizerVector>(directory, 'optimizer.json', ({ vectors }) => {
    const kinds = Map.groupBy(vectors, (vector) => vector?.kind ?? 'of no kind')
    return Promise.all([...kinds].map(([kind, ofKind]) => checkAll(`optimizer ${kind}`, ofKind, verdictOf)))
  })
}
