import { WEEK_NS } from '../../../base/index.ts'
import { Instant, type Value } from '../../../data/index.ts'
import type { TableMapping } from './mapping.ts'
import type { BucketExpr } from '../../../plan/index.ts'
import { bound, isNull, sqlCall, sqlFalse, sqlNull, sqlTrue, type SqlExpr } from '../statement/ast.ts'
import { CannotCompile, type Host, type ExprContext, type RestFields } from '../block.ts'
import { anything, cell, mayBeNull, missingCell, present, presentOrMissing, withoutEmpty, type Cell } from '../cell.ts'
import { valueCell } from '../expr.ts'
import type { Dialect } from '../dialect.ts'
import { countFacts, foreignStats } from './aggregates.ts'
import { periodsOf, type Period } from './periods.ts'
import { timeBound } from '../conditions/tests-on-numbers.ts'
import { isCollated, memberCell } from './tables.ts'
import { mayRank } from './ranks.ts'
import { foreignScalar } from './scalars.ts'
import { foreignTest } from './conditions/tests.ts'
import { MAX_FLAT_TERMS } from '../tuning.ts'

function literalCell(value: Value): Cell {
  if (value === null) return missingCell
  if (value instanceof Instant) return cell(bound(value.ns), 'time', present)
  if (typeof value === 'boolean') return cell(value ? sqlTrue : sqlFalse, 'bool', present)
  if (typeof value === 'string') {
    return cell(bound(value), 'text', { ...anything, hasMissing: false, hasEmpty: value === '', values: [value] })
  }
  if (typeof value === 'bigint') return cell(bound(value), 'number', { ...present, number: 'wide' })
  if (typeof value === 'number') {
    return Number.isSafeInteger(value)
      ? cell(bound(BigInt(value)), 'number', { ...present, number: 'integer' })
      : cell(bound(value), 'number', { ...present, number: 'float' })
  }
  return cell(bound(value.json), 'any', anything)
}

const LIMIT = 2n ** 60n

/** Nanoseconds from the last Monday before 1970 to 1970. Calendar weeks count from that Monday. */
const MONDAY_NS = 259_200_000_000_000n

/**
 * Compiles the rounding of times to calendar units as a CASE over all periods of the time range, so that it does not
 * depend on the database's calendar and zones.
 */
function ofPeriods(arg: Cell, periods: readonly Period[]): SqlExpr {
  const values = periods.map(({ floorNs }) => bound(floorNs))
  const before = periods.map(({ fromNs }) => timeBound(arg, '<', fromNs))
  const between = (from: number, to: number): SqlExpr => {
    const last = values[to - 1] ?? sqlNull
    if (to - from === 1) return last
    if (to - from > MAX_FLAT_TERMS) {
      const middle = (from + to) >> 1
      const branch = { when: before[middle] ?? sqlTrue, value: between(from, middle) }
      return { kind: 'case', branches: [branch], otherwise: between(middle, to) }
    }
    const branches = values.slice(from, to - 1).map((value, i) => ({ when: before[from + i + 1] ?? sqlTrue, value }))
    return { kind: 'case', branches, otherwise: last }
  }
  const all = between(0, periods.length)
  if (!arg.facts.hasMissing) return all
  return { kind: 'case', branches: [{ when: isNull(arg.sql), value: sqlNull }], otherwise: all }
}

/**
 * Compiles the bucket of a value: a time rounded down to a fixed width, or a number rounded down to a whole step.
 * Integers other than narrow ones are widened first, since values near the minimum of 64 bits would overflow.
 */
function bucketCell({ arg: expr, bucket }: BucketExpr, context: ExprContext): Cell {
  const arg = valueCell(expr, context)
  const refuse = (reason: string): never => {
    throw new CannotCompile(context.node, reason)
  }
  const floored = (of: SqlExpr, width: bigint, offset: bigint): SqlExpr => {
    if (!(width > 0n && width < LIMIT && offset > -LIMIT && offset < LIMIT)) return refuse('the width leaves 64 bits')
    const step = bound(width)
    if (offset === 0n) return sqlCall('floor-time', of, step)
    const by = bound(offset)
    return sqlCall('subtract', sqlCall('floor-time', sqlCall('plus', of, by), step), by)
  }
  const facts = arg.facts.hasMissing ? presentOrMissing : present
  if (arg.form === 'time') {
    if (bucket.kind === 'time' && bucket.zone === undefined) {
      return cell(floored(arg.sql, bucket.widthNs, bucket.offsetNs), 'time', facts)
    }
    if (bucket.kind !== 'time' && bucket.kind !== 'calendar') return refuse('times have no such buckets')
    if (bucket.kind === 'calendar' && bucket.unit === 'week' && bucket.zone === undefined) {
      return cell(floored(arg.sql, WEEK_NS, bucket.offsetNs + MONDAY_NS), 'time', facts)
    }
    if (arg.facts.within === undefined) return refuse('buckets of a calendar or a zone are said for a range of time')
    const periods = periodsOf(bucket, arg.facts.within)
    if (periods === undefined) return refuse('the range has too many buckets of a calendar or a zone')
    return cell(ofPeriods(arg, periods), 'time', facts)
  }
  if (arg.form === 'number' && arg.facts.number === 'integer' && bucket.kind === 'number') {
    const { step, offset } = bucket
    if (Number.isSafeInteger(step) && Number.isSafeInteger(offset)) {
      const isNarrow = arg.facts.isNarrow === true
      const of = isNarrow ? arg.sql : sqlCall('as-wide', arg.sql)
      const number = isNarrow ? 'integer' : 'wide'
      return cell(floored(of, BigInt(step), BigInt(offset)), 'number', { ...facts, number })
    }
  }
  return refuse('buckets of such values are decimals, addresses, durations or texts')
}

/**
 * Compiles the value of an undeclared field from the columns that may contain it. The columns are those of `mapping`,
 * in the same order as the SQL expressions in `rest.parts`.
 */
export function attributeCell(rest: RestFields, name: string, mapping: TableMapping, dialect: Dialect): Cell {
  const found: Cell[] = []
  for (const [i, { column, kind, prefix }] of mapping.attributes.entries()) {
    const part = rest.parts[i]
    if (part?.kind !== 'column' || !name.startsWith(prefix)) continue
    const member = { ...part, path: [name.slice(prefix.length)] }
    found.push(
      kind === 'struct'
        ? cell({ ...member, holds: kind }, 'any', anything)
        : memberCell(member, kind, dialect, isCollated(mapping, column)),
    )
  }
  const [first = missingCell] = found
  if (found.length < 2) return first
  if (found.some((c) => c.form !== 'text')) {
    // If several columns contain the name, the first one gives the value.
    const values = found.map((c) => (c.form === 'text' ? sqlCall('as-json', c.sql) : c.sql))
    return cell(sqlCall('first-present', ...values), 'any', { ...anything, isJson: true })
  }
  return cell(sqlCall('first-present', ...found.map((c) => c.sql)), 'text', anything)
}

/**
 * Returns the `Host` of a database that cannot call code of Sluice. It compiles what plain SQL lacks to longer exact
 * SQL, or throws CannotCompile. `mapping` is the table whose undeclared fields are read.
 */
export function foreignHost(dialect: Dialect, mapping: TableMapping | undefined): Host {
  const attributes = mapping?.attributes ?? []
  const refuse = (context: ExprContext, reason: string): never => {
    throw new CannotCompile(context.node, reason)
  }
  return {
    attributes,
    counts: countFacts,
    literal: literalCell,
    test: (c, test, isPositive, context) => foreignTest(c, test, isPositive, context, dialect),
    anyOther: (_expr, _rest, _isPositive, context) =>
      refuse(context, 'fields that nobody declared are looked through row by row'),
    value: (expr, context) => {
      if (expr.kind === 'bucket') return bucketCell(expr, context)
      return expr.kind === 'call' ? foreignScalar(expr, context, dialect) : refuse(context, 'a choice between values')
    },
    condition: (_expr, _isPositive, context) => refuse(context, 'the condition is a function that is not its own'),
    truth: (condition) => cell(sqlCall('is-true', condition), 'bool', present),
    field: (rest, name) => (mapping === undefined ? missingCell : attributeCell(rest, name, mapping, dialect)),
    emptyRest: (part) =>
      attributes[part]?.kind === 'map' && dialect.foreign?.hasEmptyMembers === true ? sqlCall('empty-map') : sqlNull,
    rankTerms: (c, direction, isGroupKey, context) => {
      if (c.assembled !== undefined) return refuse(context, 'it is put together above')
      if (c.form !== 'text') return refuse(context, 'values of several kinds are ordered by their kind')
      const expr = withoutEmpty(c)
      return [
        {
          expr: mayRank(expr, dialect),
          direction: 'desc',
          mayBeNull: mayBeNull(c),
          ranks: 'flag',
        },
        {
          expr,
          direction,
          mayBeNull: mayBeNull(c),
          ranks: isGroupKey ? 'groups' : 'values',
          read: { sql: expr, form: 'text' },
        },
      ]
    },
    ...(dialect.functions['float-key'] === undefined ? {} : { floatKey: (sql: SqlExpr) => sqlCall('float-key', sql) }),
    // NaN sorts above all numbers, so only descending order needs an additional term. Dialects with `float-key` need
    // the term in both directions.
    nanLast: (sql, direction) =>
      dialect.functions['is-nan'] === undefined || (direction === 'asc' && dialect.functions['float-key'] === undefined)
        ? undefined
        : sqlCall('is-nan', sql),
    groupKey: (_c, context) => refuse(context, 'values of several kinds are grouped by their text'),
    joinKey: (own, other, context) => {
      const isWhole = (c: Cell): boolean => c.form === 'number' && c.facts.number === 'integer'
      if (!isWhole(own) || !isWhole(other)) return refuse(context, 'keys of different kinds meet by their text')
      return dialect.functions['whole-key'] === undefined ? own : { ...own, sql: sqlCall('whole-key', own.sql) }
    },
    common: (cells, context) => {
      const known = cells.filter((c) => c.sql !== sqlNull || c.assembled !== undefined)
      const [first] = known
      if (first === undefined) return cells
      const isOne = known.every(
        (c) =>
          // A JSON value may be an empty string, which a comparison with `''` would not find.
          c.form !== 'any' &&
          c.form === first.form &&
          c.facts.number === first.facts.number &&
          c.assembled === undefined,
      )
      if (!isOne) return refuse(context, 'values of different kinds meet in one field')
      // Signed and unsigned integers have no common type, so counts become signed.
      const castsCounts = dialect.functions['whole-key'] !== undefined
      return cells.map((c) => {
        if (c.sql === sqlNull) return { ...first, sql: sqlNull, facts: { ...first.facts, hasMissing: true } }
        if (!castsCounts || c.facts.isCount !== true) return c
        return { ...c, sql: sqlCall('whole-key', c.sql), facts: { ...c.facts, isCount: false } }
      })
    },
    nullable: (c) => c,
    stats: (compiled, context) => foreignStats(compiled, context, dialect),
  }
}
