import { derived, intersect, present } from '../base/index.ts'
import { holdsNothing } from '../analyze/index.ts'
import type { FunctionDefinitions } from '../functions/index.ts'
import {
  and,
  literal,
  or,
  rewriteExpr,
  test as testOn,
  type And,
  type Expr,
  type Not,
  type Or,
  type Test,
} from '../plan/index.ts'
import { isBoolean, isFalse, isRepeatable, isTrue, structureKey } from './conjuncts.ts'
import {
  commonRange,
  commonValues,
  isEmptyRange,
  isListTest,
  listTest,
  rejectsMissing,
  valuesOf,
} from './predicates.ts'

const BY = 'simplify-logic'

function merged(terms: readonly Expr[]): ReturnType<typeof derived> {
  return derived(
    BY,
    terms.map((term) => term.origin),
  )
}

/**
 * Combines two tests of one family. Returns `false` as an expression if they exclude each other, `undefined` if they
 * cannot be combined.
 */
function bothTests(a: Test, b: Test): Expr | undefined {
  const origin = merged([a, b])
  const never = literal(false, origin)
  if (a.test.kind === 'range' && b.test.kind === 'range') {
    const range = commonRange(a.test, b.test)
    return isEmptyRange(range) ? never : testOn(a.arg, range, origin)
  }
  if (a.test.kind === 'time-range' && b.test.kind === 'time-range') {
    const range = intersect(a.test.range, b.test.range)
    return holdsNothing(range) ? never : testOn(a.arg, { kind: 'time-range', range }, origin)
  }
  if (!isListTest(a.test) || !isListTest(b.test)) return undefined
  const values = commonValues(a.test, b.test)
  if (values === undefined) return undefined
  const common = listTest(values, a.test)
  return common === undefined ? never : testOn(a.arg, common, origin)
}

/** Returns the family of a test, within which tests can be combined; `undefined` for a test that cannot be combined. */
function familyOf({ test }: Test): string | undefined {
  if (test.kind === 'range' || test.kind === 'time-range') return test.kind
  return isListTest(test) ? `list ${test.isFolded} ${test.isTyped}` : undefined
}

/**
 * Returns true if repeated evaluation of an expression on one row gives the same value, so that tests on it can be
 * combined.
 */
type IsSteady = (expr: Expr) => boolean

function slotOf(term: Expr, isSteady: IsSteady): string | undefined {
  if (term.kind !== 'test' || !isSteady(term.arg)) return undefined
  const family = familyOf(term)
  return family === undefined ? undefined : `${family} ${structureKey(term.arg)}`
}

/** Combines tests on one column that are joined by AND. */
function combineAll(terms: readonly Expr[], isSteady: IsSteady): readonly Expr[] {
  const result: Expr[] = []
  const slots = new Map<string, number>()
  for (const term of terms) {
    const slot = slotOf(term, isSteady)
    const index = slot === undefined ? undefined : slots.get(slot)
    const other = index === undefined ? undefined : result[index]
    const both = term.kind === 'test' && other?.kind === 'test' ? bothTests(other, term) : undefined
    if (both !== undefined && index !== undefined) {
      result[index] = both
      continue
    }
    if (slot !== undefined && index === undefined) slots.set(slot, result.length)
    result.push(term)
  }
  return result
}

/** Combines list tests on one column that are joined by OR. */
function combineAny(terms: readonly Expr[], isSteady: IsSteady): readonly Expr[] {
  const groups = new Map<string, Test[]>()
  const result: (Expr | readonly Test[])[] = []
  for (const term of terms) {
    const slot = slotOf(term, isSteady)
    if (term.kind !== 'test' || slot === undefined || !isListTest(term.test)) {
      result.push(term)
      continue
    }
    const group = groups.get(slot)
    if (group !== undefined) {
      group.push(term)
      continue
    }
    const first = [term]
    groups.set(slot, first)
    result.push(first)
  }
  return result.map((entry) => (Array.isArray(entry) ? listOf(entry as readonly Test[]) : (entry as Expr)))
}

function listOf(tests: readonly Test[]): Expr {
  const first = present(tests[0])
  if (tests.length === 1 || !isListTest(first.test)) return first
  const values = tests.flatMap(({ test }) => (isListTest(test) ? valuesOf(test) : []))
  const list = listTest(values, first.test)
  const origin = merged(tests)
  return list === undefined ? literal(false, origin) : testOn(first.arg, list, origin)
}

/** True if the conjuncts require a column to be missing, and to pass a test that no missing value passes. */
function isMissingAndPresent(all: readonly Expr[], isSteady: IsSteady): boolean {
  const terms = all.filter(isSteady)
  const missing = new Set<string>()
  for (const term of terms) if (term.kind === 'test' && term.test.kind === 'empty') missing.add(structureKey(term.arg))
  if (missing.size === 0) return false
  return terms.some((term) => term.kind === 'test' && missing.has(structureKey(term.arg)) && rejectsMissing(term.test))
}

/** Removes each `not x is empty` next to a test on `x` that is false for missing values anyway. */
function withoutImpliedPresence(terms: readonly Expr[], isSteady: IsSteady): readonly Expr[] {
  const isPresence = (term: Expr): term is Not & { readonly arg: Test } =>
    term.kind === 'not' && term.arg.kind === 'test' && term.arg.test.kind === 'empty'
  if (!terms.some(isPresence)) return terms
  const present = new Set<string>()
  for (const term of terms) {
    if (term.kind === 'test' && isSteady(term) && rejectsMissing(term.test)) present.add(structureKey(term.arg))
  }
  return terms.filter((term) => !isPresence(term) || !present.has(structureKey(term.arg.arg)))
}

/** Removes parts that another part makes redundant: `a or (a and b)` is `a`. */
function absorb(terms: readonly Expr[], inner: 'and' | 'or', isSteady: IsSteady): readonly Expr[] {
  const plain = new Set(terms.filter((term) => term.kind !== inner && isSteady(term)).map(structureKey))
  return terms.filter((term) => term.kind !== inner || !term.args.some((arg) => plain.has(structureKey(arg))))
}

function distinct(terms: readonly Expr[], isSteady: IsSteady): readonly Expr[] {
  const seen = new Set<string>()
  return terms.filter((term) => {
    if (!isSteady(term)) return true
    const key = structureKey(term)
    return seen.has(key) ? false : seen.add(key)
  })
}

/** True if some `x` and its negation `not x` are both among the parts. */
function hasComplement(terms: readonly Expr[], isSteady: IsSteady): boolean {
  const keys = new Set(terms.filter(isSteady).map(structureKey))
  return terms.some((term) => term.kind === 'not' && keys.has(structureKey(term.arg)))
}

interface Connective {
  readonly kind: 'and' | 'or'
  readonly other: 'and' | 'or'
  /** True for a part without effect, such as `true` in an AND. */
  readonly isNeutral: (term: Expr) => boolean
  /** True for a part that decides the result, such as `false` in an AND. */
  readonly isDominant: (term: Expr) => boolean
  readonly dominant: boolean
  readonly combine: (terms: readonly Expr[], isSteady: IsSteady) => readonly Expr[]
}

const connectives: { readonly [K in 'and' | 'or']: Connective } = {
  and: { kind: 'and', other: 'or', isNeutral: isTrue, isDominant: isFalse, dominant: false, combine: combineAll },
  or: { kind: 'or', other: 'and', isNeutral: isFalse, isDominant: isTrue, dominant: true, combine: combineAny },
}

function simplifyConnective(expr: And | Or, isSteady: IsSteady): Expr {
  const rules = connectives[expr.kind]
  const flat = expr.args.flatMap((arg) => (arg.kind === rules.kind ? arg.args : [arg]))
  let terms: readonly Expr[] = distinct(
    flat.filter((term) => !rules.isNeutral(term)),
    isSteady,
  )
  const decided = (): Expr => literal(rules.dominant, expr.origin)
  if (terms.some(rules.isDominant) || hasComplement(terms, isSteady)) return decided()
  terms = rules.combine(absorb(terms, rules.other, isSteady), isSteady)
  if (rules.kind === 'and') {
    if (isMissingAndPresent(terms, isSteady)) return decided()
    terms = withoutImpliedPresence(terms, isSteady)
  }
  if (terms.some(rules.isDominant)) return decided()
  if (terms.length === 0) return literal(!rules.dominant, expr.origin)
  const [only] = terms
  if (terms.length === 1 && only !== undefined && isBoolean(only)) return only
  if (terms.length === expr.args.length && terms.every((term, i) => term === expr.args[i])) return expr
  // Merged parts may merge again. Each round leaves fewer parts, so the recursion ends.
  return terms.length < flat.length ? simplifyConnective({ ...expr, args: terms }, isSteady) : { ...expr, args: terms }
}

function negate(arg: Expr, isSteady: IsSteady, expr: Expr = { kind: 'not', arg, origin: arg.origin }): Expr {
  switch (arg.kind) {
    case 'literal':
      return literal(!isTrue(arg), expr.origin)
    case 'not':
      return isBoolean(arg.arg) ? arg.arg : expr
    case 'and':
      return simplifyConnective(
        or(
          arg.args.map((term) => negate(term, isSteady)),
          expr.origin,
        ),
        isSteady,
      )
    case 'or':
      return simplifyConnective(
        and(
          arg.args.map((term) => negate(term, isSteady)),
          expr.origin,
        ),
        isSteady,
      )
    default:
      return expr
  }
}

/**
 * Simplifies a predicate: flattens nested connectives, moves NOT to the leaves, removes duplicates, combines tests of
 * one column, and turns contradictions into `false`. This is valid because a predicate is always true or false, never
 * missing.
 */
export function simplifyExpr(root: Expr, functions: FunctionDefinitions): Expr {
  const isSteady = (expr: Expr): boolean => isRepeatable(expr, functions)
  return rewriteExpr(root, (expr) => {
    if (expr.kind === 'and' || expr.kind === 'or') return simplifyConnective(expr, isSteady)
    return expr.kind === 'not' ? negate(expr.arg, isSteady, expr) : expr
  })
}
