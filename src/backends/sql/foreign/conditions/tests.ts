import { compileTest, type ValueTest } from '../../../../data/index.ts'
import { sqlFalse, sqlNot, sqlNull, sqlOr, sqlTrue, type SqlExpr } from '../../statement/ast.ts'
import { CannotCompile, type ExprContext } from '../../block.ts'
import { emptyIsMissing, type Cell } from '../../cell.ts'
import { plainTest } from '../../conditions/cell-test.ts'
import type { Dialect } from '../../dialect.ts'
import { isEmptyCell, isNotEmptyCell } from '../../conditions/tests-on-values.ts'
import type { Said } from './phrases.ts'
import { clockTest } from './tests-on-clock.ts'
import { jsonTest } from './tests-on-json.ts'
import { numberTest } from './tests-on-numbers.ts'
import { textTest } from './tests-on-text.ts'

/**
 * Compiles a test of a bool column. The test is evaluated at compile time for true, false and missing; the condition
 * names the values that pass.
 */
function boolTest(c: Cell, test: ValueTest, isPositive: boolean): SqlExpr {
  const holds = compileTest(test)
  const takes = (value: boolean | null): boolean => holds(value) === isPositive
  const [yes, no, missing] = [takes(true), takes(false), !c.facts.hasMissing || takes(null)]
  if (yes && no) return missing ? sqlTrue : isNotEmptyCell(c)
  const part = yes ? c.sql : no ? sqlNot(c.sql) : sqlFalse
  return missing && c.facts.hasMissing ? sqlOr([part, isEmptyCell(c)]) : part
}

/** Marks the strings of a comparison as values of an enumerated type. */
function asEnum(expr: SqlExpr): SqlExpr {
  switch (expr.kind) {
    case 'bound':
      return { ...expr, isEnum: true }
    case 'in':
      return { ...expr, isEnum: true }
    case 'and':
    case 'or':
      return { ...expr, args: expr.args.map(asEnum) }
    case 'compare':
      return { ...expr, right: asEnum(expr.right) }
    default:
      return expr
  }
}

/**
 * Compiles a test to a condition that is never NULL; negated unless `isPositive`. Throws CannotCompile with a reason if
 * the database cannot compute the test exactly.
 */
export function foreignTest(
  given: Cell,
  test: ValueTest,
  isPositive: boolean,
  { node }: ExprContext,
  dialect: Dialect,
): SqlExpr {
  const { foreign } = dialect
  const c = emptyIsMissing(given)
  const said = ((): Said => {
    if (foreign === undefined) return 'it is no database of its own'
    if (c.assembled === undefined && c.sql === sqlNull) {
      return compileTest(test)(null) === isPositive ? sqlTrue : sqlFalse
    }
    if (c.assembled !== undefined) return 'it is put together above'
    if (c.facts.values !== undefined && c.form !== 'bool' && c.form !== 'time') {
      const known = plainTest(c, test, isPositive)
      if (known === undefined) return 'its values are of several kinds'
      return c.facts.isEnum === true ? asEnum(known) : known
    }
    switch (c.form) {
      case 'text':
        return textTest(c, test, isPositive, dialect, foreign)
      case 'number':
        return numberTest(c, test, isPositive, dialect, foreign)
      case 'bool':
        return boolTest(c, test, isPositive)
      case 'time':
        return plainTest(c, test, isPositive) ?? clockTest(c, test, isPositive) ?? 'it writes times in another way'
      case 'any':
        return jsonTest(c, test, isPositive, dialect, foreign)
    }
  })()
  if (typeof said === 'string') throw new CannotCompile(node, said)
  return said
}
