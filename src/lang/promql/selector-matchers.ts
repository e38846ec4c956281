import { SluiceError } from '../../base/index.ts'
import type { LabelMatcher } from '../../plan/index.ts'
import { childrenOf, type PromqlExpr } from './ast.ts'
import { promqlDiagnostic } from './diagnostics.ts'
import { parsePromqlOrThrow } from './parse.ts'
import { printPromql } from './print.ts'

/**
 * Returns the matchers of a text that is one plain selector, such as `up{job="a"}`. Throws SluiceError:
 * `promql/no-selector` for other expressions, and the errors of an invalid text.
 */
export function matchersOfSelector(text: string): readonly LabelMatcher[] {
  const ast = parsePromqlOrThrow(text)
  const isPlain =
    ast.kind === 'vector-selector' &&
    ast.at === undefined &&
    ast.offsetMs === 0 &&
    ast.offsetExpr === undefined &&
    ast.extension === undefined
  if (!isPlain) {
    throw new SluiceError([promqlDiagnostic('no-selector', { text: printPromql(ast).slice(0, 120) }, ast.span)])
  }
  return ast.matchers.map(({ label, op, value }) => ({ label, op, value }))
}

/**
 * Returns the matchers of each selector in an expression, in no defined order of selectors. Throws SluiceError if the
 * text has errors.
 */
export function matchersOfExpression(text: string): readonly (readonly LabelMatcher[])[] {
  const found: (readonly LabelMatcher[])[] = []
  const waiting: PromqlExpr[] = [parsePromqlOrThrow(text)]
  for (let expr = waiting.pop(); expr !== undefined; expr = waiting.pop()) {
    if (expr.kind === 'vector-selector') found.push(expr.matchers.map(({ label, op, value }) => ({ label, op, value })))
    waiting.push(...childrenOf(expr))
  }
  return found
}
