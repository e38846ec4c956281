import type { ValueTest } from '../../../data/index.ts'
import { testsField, type AnyField } from '../../../plan/index.ts'
import { isNotNull, isNull, sqlAnd, sqlOr, type SqlExpr } from '../statement/ast.ts'
import type { ExprContext } from '../block.ts'
import type { Cell } from '../cell.ts'
import { testOfNumber, testOfTime } from './tests-on-numbers.ts'
import { testOfText } from './tests-on-text.ts'
import { isEmptyCell, isNotEmptyCell, testOfKnownValues } from './tests-on-values.ts'

/**
 * Compiles a test to plain SQL; negated unless `isPositive`. `undefined` if plain SQL is not exact for the facts of the
 * cell.
 */
export function plainTest(c: Cell, test: ValueTest, isPositive: boolean): SqlExpr | undefined {
  if (test.kind === 'empty') return isPositive ? isEmptyCell(c) : isNotEmptyCell(c)
  if (c.facts.values !== undefined && c.form !== 'time' && c.form !== 'bool') {
    return testOfKnownValues(c, c.facts.values, test, isPositive)
  }
  if (c.form === 'text') return testOfText(c, test, isPositive)
  if (c.form === 'number') return testOfNumber(c, test, isPositive)
  return c.form === 'time' ? testOfTime(c, test, isPositive) : undefined
}

/** Compiles a condition that holds if at least one field of the row passes the test. Missing fields never pass. */
export function anyField(expr: AnyField, isPositive: boolean, context: ExprContext): SqlExpr {
  const { block } = context
  const parts: SqlExpr[] = []
  for (const [name, c] of block.fields) {
    if (!testsField(expr, name)) continue
    const holds = block.host.test(c, expr.test, isPositive, context)
    if (!c.facts.hasMissing) parts.push(holds)
    else parts.push(isPositive ? sqlAnd([isNotNull(c.sql), holds]) : sqlOr([isNull(c.sql), holds]))
  }
  if (block.rest !== undefined) parts.push(block.host.anyOther(expr, block.rest, isPositive, context))
  return isPositive ? sqlOr(parts) : sqlAnd(parts)
}
