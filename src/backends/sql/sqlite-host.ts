import { Instant, compileTest, type Bucket, type Value, type ValueTest } from '../../data/index.ts'
import { encodeValue, own, restKey } from '../../store/sqlite/index.ts'
import type { BucketExpr, Expr } from '../../plan/index.ts'
import {
  aggregate,
  bound,
  hostCall,
  sqlAnd,
  sqlCall,
  sqlColumn,
  sqlNot,
  sqlOr,
  type OrderTerm,
  type SqlExpr,
} from './statement/ast.ts'
import { plainAggregate } from './aggregates.ts'
import { present as givenPart } from '../../base/index.ts'
import type { QueryBlock, CompiledCall, Host, ExprContext } from './block.ts'
import {
  anything,
  asAny,
  cell,
  mayBeNull,
  missingCell,
  present,
  presentOrMissing,
  type Cell,
  type Facts,
} from './cell.ts'
import { plainTest } from './conditions/cell-test.ts'
import { inputsOf, valueCell } from './expr.ts'
import type { Form, Program } from './statement/programs.ts'
import { searchOf, wordRows } from './word-rows.ts'

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

/** Compiles an expression to a call of one host function, evaluated for each row. */
function exprCell(expr: Expr, context: ExprContext, result: Form, facts: Facts): Cell {
  const { columns, cells } = inputsOf(expr, context)
  const program: Program = { kind: 'expr', expr, columns, forms: cells.map((c) => c.form), result }
  return cell(hostCall('host-expr', program, ...cells.map((c) => c.sql)), result, facts)
}

function hasSafeTimes(block: QueryBlock): boolean {
  return block.source.kind === 'base' && !block.source.base.known.hasExtremeTimes
}

/**
 * True if a bucket divides time by a width below 2^60 ns without a time zone. Rounding in SQL then stays within 64 bits
 * for near times.
 */
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
    return exprCell(expr, context, 'any', anything)
  }
  const facts = arg.facts.hasMissing ? presentOrMissing : present
  if (!isPlainTimeBucket(bucket) || !(arg.facts.isNear === true || hasSafeTimes(context.block)))
    return exprCell(expr, context, 'time', facts)
  const width = bound(bucket.widthNs)
  if (bucket.offsetNs === 0n) return cell(sqlCall('floor-time', arg.sql, width), 'time', facts)
  const offset = bound(bucket.offsetNs)
  const floored = sqlCall('floor-time', sqlCall('plus', arg.sql, offset), width)
  return cell(sqlCall('subtract', floored, offset), 'time', facts)
}

/** Compiles a test to a call of one host function, evaluated for each row. The result is never NULL. */
export function hostTest(c: Cell, test: ValueTest, isPositive: boolean): SqlExpr {
  const { sql } = c
  const [rest, key] = sql.kind === 'call' && sql.name === 'host-field' ? sql.args : []
  if (rest === undefined || key?.kind !== 'bound' || typeof key.value !== 'string') {
    const holds = hostCall('host-test', { kind: 'test', test, form: c.form, restKey: undefined }, sql)
    return isPositive ? holds : sqlNot(holds)
  }
  const holds = hostCall('host-test', { kind: 'test', test, form: 'any', restKey: key.value }, rest)
  if (!isPositive) return sqlNot(holds)
  // Few rows have the field, and searching for its name as a substring avoids the host call for most others.
  return compileTest(test)(null) ? holds : sqlAnd([sqlCall('contains-text', rest, key), holds])
}

/** Compiles the complete test of a row, without use of the word index. */
function rowTest(c: Cell, test: ValueTest, isPositive: boolean): SqlExpr {
  return plainTest(c, test, isPositive) ?? hostTest(c, test, isPositive)
}

function testCell(c: Cell, test: ValueTest, isPositive: boolean): SqlExpr {
  const search = searchOf(c, test)
  if (search === undefined || c.stored === undefined) return rowTest(c, test, isPositive)
  const { base } = c.stored
  const listed: SqlExpr = {
    kind: 'in-select',
    arg: sqlColumn(base.alias, own.id),
    select: wordRows(base, search.query),
    isNegated: !isPositive,
  }
  if (search.isExact) return listed
  const test_ = rowTest(c, test, isPositive)
  return isPositive ? sqlAnd([listed, test_]) : sqlOr([listed, test_])
}

function statsCell(compiled: CompiledCall, context: ExprContext): Cell {
  const { block } = context
  const { call, definition, args, keys, filter, rangeSeconds } = compiled
  const found = plainAggregate(compiled, context)
  if (found !== undefined) return found
  const inputs = [...args, ...keys]
  const program: Program = {
    kind: 'stats',
    call: { fn: definition.name, params: call.params, limit: call.limit },
    argNames: call.args.map((arg) => (arg.kind === 'column' ? arg.name : '')),
    orderDirections: call.orderBy.map((key) => key.direction),
    context: { rangeSeconds },
    forms: inputs.map((input) => input.form),
  }
  const isOrdered = definition.isOrderSensitive || call.orderBy.length > 0
  const orderBy: readonly OrderTerm[] = isOrdered && !compiled.isWindow ? block.order : []
  const state = aggregate('host-stats', [{ kind: 'program', program }, ...inputs.map((input) => input.sql)], {
    filter,
    orderBy,
  })
  const sql = compiled.mayBeEmpty || filter !== undefined ? hostCall('host-final', program, state) : state
  return cell(sql, 'any', anything)
}

/**
 * Compiles for Sluice's own SQLite tables. Everything that plain SQL cannot express exactly becomes a call of a host
 * function, so that almost every plan is one statement.
 */
export const sqliteHost: Host = {
  literal: literalCell,
  test: testCell,
  wordTerm: (c, test) => {
    const search = searchOf(c, test)
    return search === undefined ? undefined : { ...search, test: rowTest(c, test, true) }
  },
  anyOther: ({ fields, except, test }, { parts, hidden }, isPositive) => {
    const holds = hostCall('host-any-field', { kind: 'any-field', fields, except, hidden, test }, givenPart(parts[0]))
    return isPositive ? holds : sqlNot(holds)
  },
  value: (expr, context) =>
    expr.kind === 'bucket' ? bucketCell(expr, context) : exprCell(expr, context, 'any', anything),
  condition: (expr, isPositive, context) => {
    const holds = exprCell(expr, context, 'bool', present).sql
    return isPositive ? holds : sqlNot(holds)
  },
  truth: (condition) => cell(sqlCall('is-true', condition), 'bool', present),
  field: ({ parts }, name) => cell(sqlCall('host-field', givenPart(parts[0]), bound(restKey(name))), 'any'),
  rankTerms: (c, direction, isGroupKey) => {
    const sorted = direction === 'asc' ? 'host-sort-key' : 'host-sort-key-desc'
    const key = isGroupKey ? 'host-group-order' : sorted
    return [{ expr: sqlCall(key, asAny(c)), direction, mayBeNull: mayBeNull(c) }]
  },
  groupKey: (c) => cell(sqlCall('host-group-key', c.sql), 'any', c.facts),
  joinKey: (own, other) =>
    own.form === 'number' && other.form === 'number' ? own : cell(sqlCall('host-join-key', asAny(own)), 'any'),
  // A join side without a row gives NULL, which the bool representation cannot hold.
  nullable: (c) => (c.form === 'bool' ? cell(asAny(c), 'any') : c),
  common: (cells) => {
    const [first] = cells
    if (first !== undefined && cells.every((c) => c.form === first.form)) return cells
    return cells.map((c) => ({ ...c, sql: asAny(c), form: 'any' }))
  },
  stats: statsCell,
  counts: present,
}
