import { bucketValue, compileTest, type Value, type ValueTest } from '../../data/index.ts'
import type { FunctionDefinitions } from '../../functions/index.ts'
import { literal, mapExpressions, rewriteExpr, type Expr } from '../../plan/index.ts'
import { isFalse, isTrue } from '../conjuncts.ts'
import { isEmptyRange } from '../predicates.ts'
import type { Rule } from '../rule.ts'

/** Returns the result of a test if it is the same for every value; else `undefined`. */
function constantAnswer(test: ValueTest): boolean | undefined {
  switch (test.kind) {
    case 'in':
      return test.values.length === 0 ? false : undefined
    case 'contains':
      return test.text === '' ? true : undefined
    case 'glob':
      return test.parts.length > 1 && test.parts.every((part) => part === '') ? true : undefined
    case 'sequence':
      return test.phrases.every((phrase) => phrase === '') ? true : undefined
    case 'contains-all':
      return test.phrases.length === 0 ? true : undefined
    case 'contains-any':
      return test.phrases.length === 0 ? false : undefined
    case 'regexp':
      return test.pattern === '' || test.pattern === '.*' ? true : undefined
    case 'range':
      return isEmptyRange(test) ? false : undefined
    default:
      return undefined
  }
}

function literalsOf(args: readonly Expr[]): readonly Value[] | undefined {
  const values: Value[] = []
  for (const arg of args) {
    if (arg.kind !== 'literal') return undefined
    values.push(arg.value)
  }
  return values
}

function foldCase(expr: Extract<Expr, { kind: 'case' }>): Expr {
  const branches: (typeof expr.branches)[number][] = []
  let { otherwise } = expr
  for (const branch of expr.branches) {
    if (isFalse(branch.when)) continue
    if (isTrue(branch.when)) {
      otherwise = branch.value
      break
    }
    branches.push(branch)
  }
  if (branches.length === 0) return otherwise
  return branches.length === expr.branches.length && otherwise === expr.otherwise
    ? expr
    : { ...expr, branches, otherwise }
}

function foldExpr(expr: Expr, functions: FunctionDefinitions): Expr {
  switch (expr.kind) {
    case 'test': {
      const answer = constantAnswer(expr.test)
      if (answer !== undefined) return literal(answer, expr.origin)
      return expr.arg.kind === 'literal' ? literal(compileTest(expr.test)(expr.arg.value), expr.origin) : expr
    }
    case 'call': {
      const definition = functions.scalar.get(expr.name)
      if (definition === undefined || (definition.volatility ?? 'immutable') !== 'immutable') return expr
      const values = literalsOf(expr.args)
      return values === undefined ? expr : literal(definition.evaluate(values), expr.origin)
    }
    case 'bucket':
      return expr.arg.kind === 'literal' ? literal(bucketValue(expr.arg.value, expr.bucket), expr.origin) : expr
    case 'case':
      return foldCase(expr)
    case 'in-subquery':
      // Whether a missing value matches depends on the list, which only the subquery's result shows.
      return expr
    default:
      return expr
  }
}

export const foldConstants: Rule = {
  name: 'fold-constants',
  summary: 'What does not depend on the row is computed once.',
  examples: {
    changes: '* | math 2 + 3 as n',
    leaves: '* | math status + 3 as n',
  },
  direction: 'up',
  apply: (plan, context) =>
    mapExpressions(plan, (root) => rewriteExpr(root, (expr) => foldExpr(expr, context.functions))),
}
