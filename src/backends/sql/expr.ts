import { Instant, type Bucket, type Value } from '../../data/index.ts'
import { encodeValue } from '../../store/sqlite/index.ts'
import { columnsOf, type BucketExpr, type Expr, type LogicalPlan } from '../../plan/index.ts'
import { bound, hostCall, sqlAnd, sqlCall, sqlFalse, sqlNot, sqlOr, sqlTrue, type SqlExpr } from './ast.ts'
import { CannotCompile, fieldCell, type Block } from './block.ts'
import { anything, cell, missingCell, present, presentOrMissing, type Cell, type Facts } from './cell.ts'
import { anyField, testCell } from './cell-test.ts'
import type { Form, Program } from './programs.ts'

/** Where an expression stands: whose columns it reads, and which node to name when it cannot be compiled. */
export interface ExprContext {
  readonly block: Block
  readonly node: LogicalPlan
}

function literalCell(value: Value): Cell {
  if (value === null) return missingCell
  if (value instanceof Instant) return cell(bound(value.ns), 'time', present)
  const form: Form = typeof value === 'string' && value.isWellFormed() ? 'text' : 'any'
  return cell(bound(encodeValue(value)), form, {
    ...anything,
    hasMissing: false,
    hasEmpty: value === '',
    values: [value],
  })
}

/** Host code for the whole expression: one call a row, however deep it is. */
function hostCell(expr: Expr, context: ExprContext, result: Form, facts: Facts): Cell {
  const names = columnsOf(expr)
  if (names === undefined) {
    throw new CannotCompile(context.node, 'fields named by a pattern inside an expression are looked up per row')
  }
  const columns = [...names]
  const cells = columns.map((name) => fieldCell(context.block, name))
  const program: Program = { kind: 'expr', expr, columns, forms: cells.map((c) => c.form), result }
  return cell(hostCall('host-expr', program, ...cells.map((c) => c.sql)), result, facts)
}

/** The condition as 0 or 1, computed by host code. */
function hostCondition(expr: Expr, context: ExprContext): SqlExpr {
  return hostCell(expr, context, 'bool', present).sql
}

function hasSafeTimes(block: Block): boolean {
  return block.source.kind === 'base' && !block.source.base.known.hasExtremeTimes
}

/** Whole widths up to 2^53 ns, so that the remainder of any time stays inside 64 bits. */
function isPlainTimeBucket(bucket: Bucket): bucket is Bucket & { kind: 'time' } {
  return (
    bucket.kind === 'time' &&
    bucket.zone === undefined &&
    bucket.widthNs > 0n &&
    bucket.widthNs < 2n ** 60n &&
    bucket.offsetNs > -(2n ** 60n) &&
    bucket.offsetNs < 2n ** 60n
  )
}

function bucketCell(expr: BucketExpr, context: ExprContext): Cell {
  const arg = valueCell(expr.arg, context)
  const { bucket } = expr
  if (arg.form !== 'time' || (bucket.kind !== 'time' && bucket.kind !== 'calendar')) {
    return hostCell(expr, context, 'any', anything)
  }
  const facts = arg.facts.hasMissing ? presentOrMissing : present
  if (!isPlainTimeBucket(bucket) || !hasSafeTimes(context.block)) return hostCell(expr, context, 'time', facts)
  const width = bound(bucket.widthNs)
  if (bucket.offsetNs === 0n) return cell(sqlCall('floor-time', arg.sql, width), 'time', facts)
  const offset = bound(bucket.offsetNs)
  const floored = sqlCall('floor-time', sqlCall('plus', arg.sql, offset), width)
  return cell(sqlCall('subtract', floored, offset), 'time', facts)
}

/** An expression's value for each row. */
export function valueCell(expr: Expr, context: ExprContext): Cell {
  switch (expr.kind) {
    case 'column':
      return fieldCell(context.block, expr.name)
    case 'literal':
      return literalCell(expr.value)
    case 'bucket':
      return bucketCell(expr, context)
    case 'and':
    case 'or':
    case 'not':
    case 'test':
    case 'any-field':
      return cell(sqlCall('is-true', predicate(expr, context, true)), 'bool', present)
    case 'call':
    case 'case':
      return hostCell(expr, context, 'any', anything)
    case 'columns':
      throw new CannotCompile(context.node, 'fields named by a pattern are looked up per row')
    case 'in-subquery':
    case 'field-filter':
    case 'implicit-and':
    case 'stream-filter':
      throw new CannotCompile(context.node, `\`${expr.kind}\` is gone before a plan reaches a backend`)
  }
}

/**
 * A condition for WHERE: where the plan says yes it is true, else false or NULL. NOT is pushed to the leaves, each of
 * which has its own negation, because SQL's third truth value would lose rows under a NOT.
 */
export function predicate(expr: Expr, context: ExprContext, isPositive: boolean): SqlExpr {
  switch (expr.kind) {
    case 'literal':
      return (expr.value === true) === isPositive ? sqlTrue : sqlFalse
    case 'and':
    case 'or': {
      const args = expr.args.map((arg) => predicate(arg, context, isPositive))
      return (expr.kind === 'and') === isPositive ? sqlAnd(args) : sqlOr(args)
    }
    case 'not':
      return predicate(expr.arg, context, !isPositive)
    case 'test':
      return testCell(valueCell(expr.arg, context), expr.test, isPositive)
    case 'any-field':
      return anyField(expr, context.block, isPositive)
    default: {
      const holds = hostCondition(expr, context)
      return isPositive ? holds : sqlNot(holds)
    }
  }
}
