import type { StatsKernel } from '../../../functions/index.ts'
import type { Value } from '../../../data/index.ts'
import { aggregate, bound, sqlAnd, sqlCall, sqlNull, sqlTrue, type SqlExpr } from '../statement/ast.ts'
import { count, countCell, countUniq } from '../aggregates.ts'
import { CannotCompile, type CompiledCall, type ExprContext } from '../block.ts'
import { cell, present, presentOrMissing, type Assembled, type Cell, type Facts } from '../cell.ts'
import type { Dialect } from '../dialect.ts'
import { groupKeyCell } from '../order.ts'
import { isEmptyCell, isNotEmptyCell } from '../conditions/tests-on-values.ts'
import { wholeSum } from './sums.ts'
import { textExtreme } from './text-extremes.ts'
import { textSum } from './text-sums.ts'

/** The facts of row counts that the database computes. */
export const countFacts: Facts = { ...present, number: 'integer', isCount: true }

type Kernel = (compiled: CompiledCall, context: ExprContext, dialect: Dialect) => Cell | string

const counted = (c: Cell | undefined): Cell | string =>
  c === undefined ? 'distinct values of several fields are counted together' : { ...c, facts: countFacts }

const NUMBERS_ONLY = 'numbers are looked for in its values one by one'

function sum(kind: Assembled['kind']): Kernel {
  return (compiled, context, dialect) => {
    const { args, filter } = compiled
    const [arg] = args
    const ofTexts = args.length === 1 && arg !== undefined ? textSum(kind, arg, compiled, dialect) : undefined
    if (ofTexts !== undefined) return { ...cell(sqlNull, 'any'), assembled: ofTexts }
    if (args.length !== 1 || arg?.form !== 'number') return NUMBERS_ONLY
    const assembled =
      arg.facts.number === 'float'
        ? floatSum(kind, arg.sql, compiled, context, dialect)
        : wholeSum(kind, arg.sql, filter)
    return { ...cell(sqlNull, 'any'), assembled }
  }
}

/**
 * Compiles an aggregate to a call. Floats use the dialect's function `NAME-FLOAT` if it exists. The template of such a
 * function may contain several calls, so the filter becomes a part of the argument.
 */
function ofFloats(
  name: string,
  [value, ...others]: readonly [SqlExpr, ...SqlExpr[]],
  { args: [arg], filter }: CompiledCall,
  { node }: ExprContext,
  { aggregates, foreign }: Dialect,
): SqlExpr {
  const isFloat = arg?.facts.number === 'float'
  const own = `${name}-FLOAT`
  if (!isFloat || aggregates[own] === undefined) {
    const isOne = node.kind === 'aggregate' && node.keys.length === 0
    // The condition `true` stops the database from computing MIN from statistics, which are wrong for a column that has
    // only NaN.
    const isOdd = isFloat && name === 'MIN' && foreign?.hasOddLeast === true && isOne
    return aggregate(name, [value, ...others], { filter: filter ?? (isOdd ? sqlTrue : undefined) })
  }
  const taken: SqlExpr =
    filter === undefined ? value : { kind: 'case', branches: [{ when: filter, value }], otherwise: sqlNull }
  return aggregate(own, [taken, ...others])
}

/** Compiles a sum or mean of floats to a count and a sum. NaN is excluded, since it is not a number. */
function floatSum(
  kind: Assembled['kind'],
  arg: SqlExpr,
  compiled: CompiledCall,
  context: ExprContext,
  dialect: Dialect,
): Assembled {
  const numbers = sqlCall('without-nan', arg)
  const counted = aggregate('COUNT', [numbers], { filter: compiled.filter })
  return { kind, how: 'floats', parts: [counted, ofFloats('SUM', [numbers], compiled, context, dialect)] }
}

function extreme(name: 'MIN' | 'MAX'): Kernel {
  return (compiled, context, dialect) => {
    const { args } = compiled
    const [arg] = args
    if (args.length !== 1 || arg === undefined) return 'the values of several fields are compared with each other'
    const isPlainText = arg.form === 'text' && arg.facts.ranked !== 'many' && arg.facts.ranked.length === 0
    const ofTexts = isPlainText ? undefined : textExtreme(name === 'MIN' ? 'least' : 'greatest', arg, compiled, dialect)
    if (ofTexts !== undefined) return { ...cell(sqlNull, 'any', arg.facts), assembled: ofTexts }
    if (arg.form !== 'number' && arg.form !== 'time' && !isPlainText) {
      return 'texts that are numbers or times are less than others'
    }
    const key = groupKeyCell(arg, context)
    const { number } = arg.facts
    const facts: Facts =
      arg.form === 'text'
        ? { ...key.facts, hasMissing: true }
        : { ...presentOrMissing, ...(number === undefined ? {} : { number }) }
    // The database compares values of an enumerated type by their position in the type, so they are converted to
    // strings.
    const compared = arg.facts.isEnum === true ? sqlCall('as-text', key.sql) : key.sql
    return cell(ofFloats(name, [compared], compiled, context, dialect), arg.form, { ...facts, isEnum: false })
  }
}

/** Maximum number of decimal places of a quantile's fraction `phi`. */
const MAX_PLACES = 4

/**
 * Adjusts the fraction `phi` of a quantile for SQL's discrete quantile. SQL takes position ceil(phi × n), counted from
 * 1; Sluice takes floor(phi × n), counted from 0. The two differ only if phi × n is whole. Adding a small surplus to
 * `phi` corrects these cases and changes no others, for at most 2^31 rows in a group. `undefined` if `phi` has more
 * than four decimals or its float is too inexact.
 */
function surplusPhi(phi: number): number | undefined {
  const text = String(phi)
  const decimals = text.length - text.indexOf('.') - 1
  if (!/^0\.\d+$/.test(text) || decimals > MAX_PLACES) return undefined
  const denominator = 10n ** BigInt(decimals)
  const numerator = BigInt(text.slice(2))
  // Computes the exact value of the float `phi`, as a whole number divided by 2^80.
  const bits = Math.floor(phi * 2 ** 60)
  if (bits / 2 ** 60 !== phi) return undefined
  const scaled = BigInt(bits) * 2n ** 20n
  const error = scaled * denominator - numerator * 2n ** 80n
  const size = error < 0n ? -error : error
  if (size * 2n ** 54n > numerator * 2n ** 80n) return undefined
  return phi + 10 ** -(10 + decimals)
}

function quantileAt(phi: number): Kernel {
  return (compiled, context, dialect) => {
    const { args } = compiled
    const [arg] = args
    if (args.length !== 1 || arg?.form !== 'number') return 'values are ranked by what they are'
    const { number } = arg.facts
    const facts: Facts = { ...presentOrMissing, ...(number === undefined ? {} : { number }) }
    if (phi <= 0) return cell(ofFloats('MIN', [arg.sql], compiled, context, dialect), 'number', facts)
    if (phi >= 1) return cell(ofFloats('MAX', [arg.sql], compiled, context, dialect), 'number', facts)
    const surplus = surplusPhi(phi)
    if (surplus === undefined) return 'its quantile may round to another place'
    return cell(ofFloats('QUANTILE', [arg.sql, bound(surplus)], compiled, context, dialect), 'number', facts)
  }
}

function phiOf([phi = 0.5]: readonly Value[]): number {
  return typeof phi === 'number' ? phi : NaN
}

const kernels: { readonly [K in StatsKernel]?: Kernel } = {
  present: ({ args, filter }) => counted(count(args, filter)),
  empty: ({ args, filter }) => {
    const allEmpty = sqlAnd(args.map(isEmptyCell))
    return counted(
      countCell([{ kind: 'constant', text: '*' }], filter === undefined ? allEmpty : sqlAnd([filter, allEmpty])),
    )
  },
  distinct: ({ args, filter }, context) => {
    const [arg] = args
    if (args.length !== 1 || arg?.form !== 'text' || !arg.facts.hasEmpty)
      return counted(countUniq(args, filter, context))
    // A FILTER condition is faster than a CASE that makes values NULL.
    const isPresent = isNotEmptyCell(arg)
    return counted(countCell([arg.sql], filter === undefined ? isPresent : sqlAnd([filter, isPresent]), true))
  },
  // The reader of the rows divides by the seconds, so that the SQL does not depend on the time range.
  'rows-per-second': ({ filter, rangeSeconds: seconds = 1 }) => {
    const parts = [aggregate('COUNT', [{ kind: 'constant', text: '*' }], { filter })]
    return { ...cell(sqlNull, 'any'), assembled: { kind: 'rate', how: 'rate', seconds, parts } }
  },
  least: extreme('MIN'),
  greatest: extreme('MAX'),
  sum: sum('sum'),
  mean: sum('mean'),
  quantile: (compiled, context, dialect) => quantileAt(phiOf(compiled.call.params))(compiled, context, dialect),
  median: quantileAt(0.5),
}

/** Compiles an aggregate call to SQL, exactly except for sums of floats. Throws CannotCompile. */
export function foreignStats(compiled: CompiledCall, context: ExprContext, dialect: Dialect): Cell {
  const { definition, call, args } = compiled
  const refuse = (reason: string): never => {
    throw new CannotCompile(context.node, `\`${definition.name}\`: ${reason}`)
  }
  const kernel = definition.kernel === undefined ? undefined : kernels[definition.kernel]
  if (kernel === undefined) return refuse('it has no such function')
  if (call.limit !== undefined || call.orderBy.length > 0) return refuse('it takes no limit and no order')
  if (args.some((arg) => arg.assembled !== undefined)) return refuse('it is put together above')
  if (args.some((arg) => arg.form === 'any' && arg.sql !== sqlNull)) return refuse('its values are of several kinds')
  const found = kernel(compiled, context, dialect)
  if (typeof found === 'string') return refuse(found)
  const missing = aggregatesOf(found).find((name) => dialect.aggregates[name] === undefined)
  return missing === undefined ? found : refuse(`it has no exact ${missing.toLowerCase()}`)
}

function aggregatesOf({ sql, assembled: whole }: Cell): readonly string[] {
  const nameOf = (expr: SqlExpr): readonly string[] =>
    expr.kind === 'aggregate' ? [expr.name] : expr.kind === 'call' ? expr.args.flatMap(nameOf) : []
  return whole === undefined ? nameOf(sql) : whole.parts.flatMap(nameOf)
}
