import { compareText } from '../../data/index.ts'
import type { Matcher, PromqlExpr, VectorSelector } from './ast.ts'
import { makeBinary, PLAIN_MATCHING } from './build.ts'
import { printMatcher } from './print.ts'

/** Returns a copy of a node with changed children. Recomputes the types that depend on the children. */
export function mapChildren(expr: PromqlExpr, change: (child: PromqlExpr) => PromqlExpr): PromqlExpr {
  switch (expr.kind) {
    case 'number':
    case 'string':
    case 'vector-selector':
    case 'matrix-selector':
      return expr
    case 'subquery':
      return { ...expr, expr: change(expr.expr) }
    case 'paren':
    case 'unary': {
      const inner = change(expr.expr)
      return { ...expr, expr: inner, valueType: inner.valueType }
    }
    case 'binary': {
      const modifiers = { isBool: expr.isBool, matching: expr.matching ?? PLAIN_MATCHING }
      return makeBinary(expr.op, modifiers, change(expr.lhs), change(expr.rhs), expr.span)
    }
    case 'call':
      return { ...expr, args: expr.args.map((arg) => change(arg)) }
    case 'aggregation':
      return { ...expr, expr: change(expr.expr), param: expr.param === undefined ? undefined : change(expr.param) }
  }
}

/** Sorts matchers by their printed text; a name before the braces stays last. */
function sortMatchers(matchers: readonly Matcher[]): readonly Matcher[] {
  return matchers.toSorted((a, b) => compareText(printMatcher(a), printMatcher(b)))
}

/**
 * Adds matchers to a selector, in canonical order. If an added matcher is on the metric name, the name before the
 * braces moves into the braces.
 */
export function restrictSelector(selector: VectorSelector, added: readonly Matcher[]): VectorSelector {
  if (added.length === 0) return selector
  const fresh = added.filter(
    (matcher) =>
      !selector.matchers.some((m) => m.label === matcher.label && m.op === matcher.op && m.value === matcher.value),
  )
  if (selector.name === '' || fresh.some((matcher) => matcher.label === '__name__')) {
    return { ...selector, name: '', matchers: sortMatchers([...selector.matchers, ...fresh]) }
  }
  const named = selector.matchers.at(-1)!
  return { ...selector, matchers: [...sortMatchers([...selector.matchers.slice(0, -1), ...fresh]), named] }
}

/** Adds matchers to every selector in a tree. */
export function restrictAll(expr: PromqlExpr, added: readonly Matcher[]): PromqlExpr {
  if (added.length === 0) return expr
  const change = (node: PromqlExpr): PromqlExpr => {
    if (node.kind === 'vector-selector') return restrictSelector(node, added)
    if (node.kind === 'matrix-selector') return { ...node, selector: restrictSelector(node.selector, added) }
    return mapChildren(node, change)
  }
  return change(expr)
}
