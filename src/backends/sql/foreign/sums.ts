import { float, integer, nearestFloat, scaledFloat, type Value } from '../../../data/index.ts'
import { aggregate, bound, sqlAnd, sqlCall, sqlNot, type SqlExpr } from '../ast.ts'
import type { CompiledCall } from '../block.ts'
import type { Assembled } from '../cell.ts'
import type { Dialect } from '../dialect.ts'
import type { ForeignValue } from './engine.ts'

/**
 * Sums of floats do not depend on the order of adding here, as they do in a database. In `parts` each float is cut into
 * pieces that integers hold, which always gives the exact sum. `close` is far quicker: each float is cut at the bit
 * 2^-`fractionBits`. The coarse sides add up exactly, the fine sides with an error that is small beside one bit of the
 * sum. The reader sees whether that error can show in the rounded answer; then the statement is run again in another mode.
 */
export type SumMode =
  | { readonly kind: 'parts' }
  /** `isThrice`: three sides that add up exactly, where a database adds too many floats one by one. */
  | { readonly kind: 'close'; readonly fractionBits: number; readonly isThrice?: boolean }

/** What a value is put together by, without the parts. */
export type Of = Omit<Assembled, 'parts'>

export const exactSums: SumMode = { kind: 'parts' }

/** Good for groups whose sizes add up to 1.3e8, and for means down to a hundredth. */
export const FIRST_BITS = 24
export const firstSums: SumMode = { kind: 'close', fractionBits: FIRST_BITS }
export const sumsOfManyRows: SumMode = { kind: 'close', fractionBits: FIRST_BITS, isThrice: true }

/** The aggregate that adds floats with an error of at most 2^-47 of what their sizes add up to. */
const CLOSELY = 'SUM-CLOSELY'
const CLOSELY_OFF_BY = 2 ** -47

/**
 * The aggregate that adds floats in any order, each sum rounded to its nearest float: off by at most 2^-53 of what their
 * sizes add up to for each that it adds.
 */
const PLAINLY = 'SUM-FLOATS'
const ADDITION_OFF_BY = 2 ** -53
/** Of more rows a group it is off by too much for most answers. */
const MAX_PLAIN_ROWS = 2 ** 23

/**
 * Without these aggregates the fine side is cut once more, so many bits further on. Floats from 2^-`fractionBits` on are whole
 * numbers of 2^-(`fractionBits` + 52), so all three sides of up to 2^27 of them add up exactly.
 */
const MIDDLE_BITS = 26
const MAX_CLOSE_ROWS = 2 ** 27

export function wholeSum(kind: Assembled['kind'], arg: SqlExpr, filter: SqlExpr | undefined): Assembled {
  const parts = [aggregate('COUNT', [arg], { filter }), sqlCall('as-text', aggregate('SUM', [arg], { filter }))]
  return { kind, how: 'parts', parts }
}

const ZERO: SqlExpr = { kind: 'constant', text: '0.' }

function sumInParts(
  kind: Assembled['kind'],
  arg: SqlExpr,
  filter: SqlExpr | undefined,
  { foreign }: Dialect,
): Assembled {
  const fits = sqlCall('adds-exactly', arg)
  const of = (condition: SqlExpr): SqlExpr => (filter === undefined ? condition : sqlAnd([filter, condition]))
  const isReplaced = foreign?.convertsAllRows === true
  const summed: SqlExpr = isReplaced ? { kind: 'case', branches: [{ when: fits, value: arg }], otherwise: ZERO } : arg
  const sumOf = (part: string): SqlExpr =>
    sqlCall('as-text', aggregate('SUM', [sqlCall(part, summed)], { filter: isReplaced ? filter : of(fits) }))
  const parts = [
    aggregate('COUNT', [arg], { filter }),
    sumOf('whole-of-float'),
    sumOf('fraction-of-float'),
    sqlCall('as-json', aggregate('LIST', [arg], { filter: of(sqlNot(fits)) })),
    ...(kind === 'mean' ? [] : [aggregate('ANY', [sqlCall('has-fraction', arg)], { filter })]),
  ]
  return { kind, how: 'parts', parts }
}

type Way = 'closely' | 'plainly' | 'thrice'

/** How a database gives close sums: the quickest that it can in this mode. */
function wayOf({ isThrice = false }: SumMode & { kind: 'close' }, dialect: Dialect): Way | undefined {
  const { aggregates, functions } = dialect
  if (aggregates[CLOSELY] !== undefined) return 'closely'
  if (aggregates[PLAINLY] !== undefined && !isThrice) return 'plainly'
  return functions['within-floats'] === undefined ? undefined : 'thrice'
}

/** What is added and taken away again leaves a float at its nearest multiple of 2^-bits. */
function cutter(fractionBits: number): number {
  return 1.5 * 2 ** (52 - fractionBits)
}

function closeSum(
  kind: Assembled['kind'],
  arg: SqlExpr,
  filter: SqlExpr | undefined,
  fractionBits: number,
  way: Way,
): Assembled {
  const cutBy = (by: SqlExpr) => (of: SqlExpr) => sqlCall('subtract', sqlCall('plus', of, by), by)
  const cut = cutBy(bound(cutter(fractionBits)))
  if (way !== 'thrice') {
    const [sum, fineSum] = way === 'closely' ? ['SUM', CLOSELY] : [PLAINLY, PLAINLY]
    const coarse = cut(arg)
    const parts = [
      aggregate('COUNT', [arg], { filter }),
      aggregate(sum, [coarse], { filter }),
      aggregate(fineSum, [sqlCall('subtract', arg, coarse)], { filter }),
      aggregate(sum, [sqlCall('size', arg)], { filter }),
    ]
    return { kind, how: 'close', parts, fractionBits, isPlain: way === 'plainly' }
  }
  // Sums that overflow are errors there, so what is large is made smaller: the reader sees that it is large all the same.
  const within = (of: SqlExpr): SqlExpr => sqlCall('within-floats', of)
  const sum = (of: SqlExpr): SqlExpr => aggregate('SUM', [of], { filter })
  const fine = sqlCall('subtract', arg, cut(arg))
  const middle = cutBy(bound(cutter(fractionBits + MIDDLE_BITS)))(fine)
  const parts = [
    aggregate('COUNT', [arg], { filter }),
    sum(cut(within(arg))),
    sum(middle),
    sum(within(sqlCall('size', arg))),
    sum(sqlCall('subtract', fine, middle)),
    aggregate('ANY', [sqlCall('is-tiny', arg, bound(2 ** -fractionBits))], { filter }),
  ]
  return { kind, how: 'close', parts, fractionBits }
}

export function floatSum(
  kind: Assembled['kind'],
  arg: SqlExpr,
  { filter, isWindow }: Pick<CompiledCall, 'filter' | 'isWindow'>,
  mode: SumMode,
  dialect: Dialect,
): Assembled {
  // The sums of a window are as many as its rows, which are not held here to be looked through first.
  const way = mode.kind === 'close' && !isWindow ? wayOf(mode, dialect) : undefined
  return mode.kind === 'close' && way !== undefined
    ? closeSum(kind, arg, filter, mode.fractionBits, way)
    : sumInParts(kind, arg, filter, dialect)
}

/** Thrown when the error of a close sum may show in its rounded value; never leaves the module. */
export class UnsureSum extends Error {
  /** How the statement is to be run instead. */
  readonly next: SumMode

  constructor(next: SumMode) {
    super('a sum is not sure')
    this.next = next
  }
}

const SCALE_BITS = 62n
const SAFE = 2n ** 53n

/** Floats of a list as JSON. Infinities and NaN are texts there, or no JSON at all. */
function listedFloats(json: ForeignValue | undefined): readonly number[] {
  if (typeof json !== 'string') return []
  const words = json.replaceAll(/-?\b(?:inf(?:inity)?|nan)\b/gi, (word) => `"${word}"`).replaceAll('""', '"')
  return (JSON.parse(words) as readonly unknown[]).map((each) =>
    typeof each === 'string' ? Number(each.replace(/inf(?:inity)?/i, 'Infinity')) : each === null ? NaN : Number(each),
  )
}

/**
 * An exact sum or mean of its parts: a count, the sum of whole numbers or whole parts, that of fractions times 2^62, the
 * floats that those do not hold, NaN among them, and whether some number had a fraction.
 */
export function sumOfParts({ kind }: Of, given: readonly ForeignValue[]): Value {
  const [count, whole, fraction, others, hasFraction] = given
  const apart = listedFloats(others)
  const listed = apart.filter((number) => number === number)
  const rows = Number(count ?? 0) - (apart.length - listed.length)
  if (rows === 0) return NaN
  const infinite = listed.filter((number) => Math.abs(number) === Infinity)
  if (infinite.length > 0) return infinite.reduce((sum, number) => sum + number, 0)
  const parts = listed.map(scaledFloat)
  const exponent = parts.reduce((least, part) => Math.min(least, part.exponent), -Number(SCALE_BITS))
  const scaled = (BigInt(whole ?? '0') << SCALE_BITS) + BigInt(fraction ?? '0')
  const total = parts.reduce(
    (sum, part) => sum + (part.mantissa << BigInt(part.exponent - exponent)),
    scaled << (BigInt(-exponent) - SCALE_BITS),
  )
  const unit = 1n << BigInt(-exponent)
  if (kind === 'mean') {
    // Small whole sums are divided as floats, which rounds the same.
    return float(nearestFloat(total, unit * BigInt(rows)))
  }
  const isInteger = listed.length === 0 && hasFraction !== true
  if (isInteger) return integer(total / unit)
  return total % unit === 0n && total / unit <= SAFE && total / unit >= -SAFE
    ? integer(total / unit)
    : float(nearestFloat(total, unit))
}

/** Where floats are cut the second time: as finely as the largest of the coarse sums allows. */
function nextMode(largest: number, rows: number, { fractionBits = 0, isPlain = false }: Of): SumMode {
  if (isPlain && rows > MAX_PLAIN_ROWS) return sumsOfManyRows
  const bits = 50 - Math.ceil(Math.log2(largest))
  const isFirst = firstSums.kind === 'close' && fractionBits === firstSums.fractionBits
  const isWorthIt = isFirst && bits !== fractionBits && largest > 0 && Math.abs(bits) < 900
  return isWorthIt ? { kind: 'close', fractionBits: bits, isThrice: !isPlain } : exactSums
}

/** A sum or mean of its `close` parts; `columns` are the parts of all rows. Throws UnsureSum. */
export function sumOfCloseParts(
  of: Of,
  given: readonly ForeignValue[],
  columns: readonly (readonly ForeignValue[])[],
): Value {
  const [count, coarse, fine, size, rest = 0, isTiny = true] = given
  const { kind, fractionBits = 0, isPlain = false } = of
  const rows = Number(count ?? 0)
  if (rows === 0) return NaN
  if (size === 0) return 0
  const unsure = (): never => {
    const largest = (columns[3] ?? []).reduce<number>((most, each) => Math.max(most, Number(each ?? 0)), 0)
    throw new UnsureSum(nextMode(largest, rows, of))
  }
  if (typeof coarse !== 'number' || typeof fine !== 'number' || typeof size !== 'number' || typeof rest !== 'number') {
    return unsure()
  }
  if ((isPlain && rows > MAX_PLAIN_ROWS) || rows > MAX_CLOSE_ROWS) return unsure()
  // Sums of multiples of 2^-bits are exact up to 2^53 of them; `size` itself may be off by some of its last bits.
  if (!(size < 2 ** (51 - fractionBits) * (1 - 2 ** -20)) || !Number.isFinite(fine)) return unsure()
  const offBy = isPlain ? rows * ADDITION_OFF_BY * (1 + 2 ** -20) : CLOSELY_OFF_BY
  const errorOf = isTiny === false ? 0 : rows * 2 ** (-fractionBits - 1) * offBy
  const [least, greatest] = [-errorOf, errorOf].map((error) => {
    const parts = [coarse, fine, rest, error].map(scaledFloat)
    const exponent = parts.reduce((lowest, part) => Math.min(lowest, part.exponent), 0)
    const total = parts.reduce((sum, part) => sum + (part.mantissa << BigInt(part.exponent - exponent)), 0n)
    return float(nearestFloat(total, (kind === 'mean' ? BigInt(rows) : 1n) << BigInt(-exponent)))
  })
  // Whole sums beyond 2^53 are integers, to the last digit.
  if (least === undefined || least !== greatest || Math.abs(least) >= 2 ** 53) return unsure()
  return least
}
