import { wasm, type Code, type Local } from './assembler.ts'

/**
 * Instructions that write numbers as decimal text. Doubles have the fewest digits that read back as the same double, of those the nearest
 * ones, which is what `String` gives. They are found by Raffaello Giulietti's Schubfach: an interval of decimals around the double is
 * multiplied by a power of ten of 128 bits, rounded to odd, and the shortest decimal in it taken.
 */

/** Powers of ten in the table: of the numbers that are written without an exponent. */
const FIRST_POWER = -5
const LAST_POWER = 22
const POWER_BYTES = 16
const POWERS_BYTES = (LAST_POWER - FIRST_POWER + 1) * POWER_BYTES
/** Behind the powers: digits of a number, with zeros behind them. */
const DIGITS_BYTES = 64
/** What the instructions need in memory, with `decimalTables` in it. */
export const DECIMAL_TABLE_BYTES = POWERS_BYTES + DIGITS_BYTES
/** No number that is written is longer, with what stores write beyond it. */
export const DECIMAL_BYTES = 64

/** `10^power * 2^-n`, rounded up, with `n` such that it has 128 bits. */
function powerOfTen(power: number): bigint {
  const shift = Math.floor((power * 1741647) / 2 ** 19) - 127
  if (power >= 0) return shift >= 0 ? (10n ** BigInt(power)) >> BigInt(shift) : (10n ** BigInt(power)) << BigInt(-shift)
  const divisor = 10n ** BigInt(-power)
  return ((1n << BigInt(-shift)) + divisor - 1n) / divisor
}

/** What stands in memory before numbers are written. */
export function decimalTables(): Uint8Array {
  const bytes = new Uint8Array(DECIMAL_TABLE_BYTES).fill(48)
  const words = new BigUint64Array(bytes.buffer, 0, POWERS_BYTES / 8)
  for (let power = FIRST_POWER; power <= LAST_POWER; power++) {
    const bits = powerOfTen(power)
    words[2 * (power - FIRST_POWER)] = BigInt.asUintN(64, bits)
    words[2 * (power - FIRST_POWER) + 1] = bits >> 64n
  }
  return bytes
}

/** The locals that the instructions have for themselves, but for `value`. They write at another one, `out`, which goes forward. */
export const decimalLocals = {
  ints: ['start', 'exponent', 'power', 'shift', 'skipped', 'kept', 'point', 'isClose'],
  floats: ['value'],
  longs: [
    ...(['whole', 'digits', 'x', 'q', 'c', 'cLow', 'cHigh', 'gLow', 'gHigh', 'partLow', 'partHigh'] as const),
    ...(['product', 'middle', 'last', 'p0', 'p1', 'p2', 'd1', 'd2', 'sum', 'over'] as const),
    ...(['lower', 'upper', 'nearest', 'cut', 'shorter'] as const),
  ],
} as const

export type DecimalLocals = Readonly<Record<'out' | (typeof decimalLocals)[keyof typeof decimalLocals][number], Local>>

/** Instructions over locals of one function. */
export interface Decimals {
  /** `x` becomes the eight digits of `q`, which is below a hundred million, the first one lowest, as numbers from 0 to 9. */
  readonly eightDigits: Code
  /** Writes `whole`, of at most sixteen digits. */
  readonly writeWhole: Code
  /** Whether `value` is among those that `writeValue` writes; others (with an exponent, infinite, none, minus zero) have another form. */
  readonly isWritten: Code
  /** Writes `value`. */
  readonly writeValue: Code
}

const { i32, i64 } = wasm
const LOW_HALF = i64(0xffff_ffffn)
const HUNDRED_MILLION = i64(100_000_000n)
/** Eight times `0`. */
const ZEROS = i64(0x3030_3030_3030_3030n)
const DOT = 46
const MINUS = 45
const ZERO = 48

const bool64 = (condition: Code): Code => wasm.i64OfI32(condition)
const isBetween = (least: number, value: Code, beyond: number): Code =>
  wasm.and(wasm.f64Le(wasm.f64(least), value), wasm.f64Lt(value, wasm.f64(beyond)))

/** `tablesAt`: where in memory the tables stand. */
export function decimals(v: DecimalLocals, tablesAt: number): Decimals {
  const digitsAt = tablesAt + POWERS_BYTES
  const forward = (bytes: Code): Code => v.out.set(wasm.add(v.out.get, bytes))

  /** `x` becomes the eight digits of `q`, which is below a hundred million, the first one lowest. Four, then two, then one at a time. */
  const eightDigits: Code = [
    ...v.x.set(wasm.i64DivU(v.q.get, i64(10_000n))),
    ...v.x.set(wasm.i64Or(v.x.get, wasm.i64Shl(wasm.i64Sub(v.q.get, wasm.i64Mul(v.x.get, i64(10_000n))), i64(32n)))),
    ...v.q.set(wasm.i64And(wasm.i64ShrU(wasm.i64Mul(v.x.get, i64(10_486n)), i64(20n)), i64(0x7f_0000_007fn))),
    ...v.x.set(wasm.i64Or(v.q.get, wasm.i64Shl(wasm.i64Sub(v.x.get, wasm.i64Mul(v.q.get, i64(100n))), i64(16n)))),
    ...v.q.set(wasm.i64And(wasm.i64ShrU(wasm.i64Mul(v.x.get, i64(103n)), i64(10n)), i64(0xf_000f_000f_000fn))),
    ...v.x.set(wasm.i64Or(v.q.get, wasm.i64Shl(wasm.i64Sub(v.x.get, wasm.i64Mul(v.q.get, i64(10n))), i64(8n)))),
  ]

  /** Whole bytes of zeros in the digits `x`, from the first one on; of eight zeros the last is a digit. */
  const leadingZeros: Code = wasm.i32OfI64(wasm.i64ShrU(wasm.i64Ctz(wasm.i64Or(v.x.get, i64(1n << 56n))), i64(3n)))

  /** Writes `whole`, of at most sixteen digits. */
  const writeWhole: Code = [
    ...v.digits.set(wasm.i64DivU(v.whole.get, HUNDRED_MILLION)),
    // Of more than eight digits those in front of the last eight.
    ...v.q.set(v.whole.get),
    ...wasm.when(
      wasm.eqz(wasm.i64Eqz(v.digits.get)),
      v.q.set(v.digits.get),
      v.digits.set(wasm.i64Sub(v.whole.get, wasm.i64Mul(v.digits.get, HUNDRED_MILLION))),
      v.whole.set(i64(-1n)),
    ),
    ...eightDigits,
    ...v.skipped.set(leadingZeros),
    ...wasm.i64Store(
      v.out.get,
      wasm.i64ShrU(wasm.i64Add(v.x.get, ZEROS), wasm.i64OfI32(wasm.shl(v.skipped.get, i32(3)))),
    ),
    ...forward(wasm.sub(i32(8), v.skipped.get)),
    ...wasm.when(
      wasm.i64Eq(v.whole.get, i64(-1n)),
      v.q.set(v.digits.get),
      eightDigits,
      wasm.i64Store(v.out.get, wasm.i64Add(v.x.get, ZEROS)),
      forward(i32(8)),
    ),
  ]

  /** All 128 bits of a factor times `c`: those from 64 on in `p2`, the others in `p1`. */
  const timesC = (factor: Local): Code => [
    ...v.partLow.set(wasm.i64And(factor.get, LOW_HALF)),
    ...v.partHigh.set(wasm.i64ShrU(factor.get, i64(32n))),
    ...v.product.set(wasm.i64Mul(v.partLow.get, v.cLow.get)),
    ...v.middle.set(wasm.i64Add(wasm.i64Mul(v.partHigh.get, v.cLow.get), wasm.i64ShrU(v.product.get, i64(32n)))),
    ...v.last.set(wasm.i64Add(wasm.i64Mul(v.partLow.get, v.cHigh.get), wasm.i64And(v.middle.get, LOW_HALF))),
    ...v.p2.set(
      wasm.i64Add(
        wasm.i64Add(wasm.i64Mul(v.partHigh.get, v.cHigh.get), wasm.i64ShrU(v.middle.get, i64(32n))),
        wasm.i64ShrU(v.last.get, i64(32n)),
      ),
    ),
    ...v.p1.set(wasm.i64Or(wasm.i64Shl(v.last.get, i64(32n)), wasm.i64And(v.product.get, LOW_HALF))),
  ]

  /** What is left of 192 bits without the last 128, the last of its bits set where any but the last of the next 64 are. */
  const roundedToOdd = (high: Code, middle: Code): Code => wasm.i64Or(high, bool64(wasm.i64GtU(middle, i64(1n))))

  /** The power of ten, shifted: its last 64 bits in `sum`, then `d1`, then `d2`. */
  const shifted = (places: Code): Code => [
    ...v.over.set(wasm.i64OfI32(places)),
    ...v.sum.set(wasm.i64Shl(v.gLow.get, v.over.get)),
    ...v.d2.set(wasm.i64ShrU(v.gHigh.get, wasm.i64Sub(i64(64n), v.over.get))),
    ...v.d1.set(
      wasm.i64Or(wasm.i64Shl(v.gHigh.get, v.over.get), wasm.i64ShrU(v.gLow.get, wasm.i64Sub(i64(64n), v.over.get))),
    ),
  ]

  /** `c` times the power of ten in `p2`, `p1` and `p0`. */
  const scaled: Code = [
    ...v.cLow.set(wasm.i64And(v.c.get, LOW_HALF)),
    ...v.cHigh.set(wasm.i64ShrU(v.c.get, i64(32n))),
    ...timesC(v.gLow),
    ...v.p0.set(v.p1.get),
    ...v.sum.set(v.p2.get),
    ...timesC(v.gHigh),
    ...v.p1.set(wasm.i64Add(v.p1.get, v.sum.get)),
    ...v.p2.set(wasm.i64Add(v.p2.get, bool64(wasm.i64LtU(v.p1.get, v.sum.get)))),
  ]

  /** The upper end of what rounds to the double. */
  const upperEnd: Code = [
    ...shifted(wasm.add(v.shift.get, i32(1))),
    ...v.over.set(bool64(wasm.i64LtU(wasm.i64Add(v.p0.get, v.sum.get), v.sum.get))),
    ...v.sum.set(wasm.i64Add(v.p1.get, v.d1.get)),
    ...v.upper.set(wasm.i64Add(wasm.i64Add(v.p2.get, v.d2.get), bool64(wasm.i64LtU(v.sum.get, v.d1.get)))),
    ...v.sum.set(wasm.i64Add(v.sum.get, v.over.get)),
    ...v.upper.set(wasm.i64Add(v.upper.get, bool64(wasm.i64LtU(v.sum.get, v.over.get)))),
    ...v.upper.set(roundedToOdd(v.upper.get, v.sum.get)),
  ]

  /** Its lower end, half as far away where the double below is nearer. */
  const lowerEnd: Code = [
    ...shifted(wasm.sub(wasm.add(v.shift.get, i32(1)), v.isClose.get)),
    ...v.over.set(bool64(wasm.i64LtU(v.p0.get, v.sum.get))),
    ...v.lower.set(wasm.i64Sub(wasm.i64Sub(v.p2.get, v.d2.get), bool64(wasm.i64LtU(v.p1.get, v.d1.get)))),
    ...v.sum.set(wasm.i64Sub(v.p1.get, v.d1.get)),
    ...v.lower.set(wasm.i64Sub(v.lower.get, bool64(wasm.i64LtU(v.sum.get, v.over.get)))),
    ...v.lower.set(roundedToOdd(v.lower.get, wasm.i64Sub(v.sum.get, v.over.get))),
  ]

  const times4 = (a: Code): Code => wasm.i64Shl(a, i64(2n))
  const times40 = (a: Code): Code => wasm.i64Mul(a, i64(40n))

  /** Of the decimals in the interval the shortest, the nearest of several: `digits` times ten to the `power`. */
  const shortest: Code = [
    ...v.cut.set(wasm.i64ShrU(v.nearest.get, i64(2n))),
    ...v.shorter.set(wasm.i64DivU(v.cut.get, i64(10n))),
    ...v.isClose.set(wasm.i64LeU(v.lower.get, times40(v.shorter.get))),
    ...v.kept.set(wasm.i64LeU(wasm.i64Add(times40(v.shorter.get), i64(40n)), v.upper.get)),
    ...wasm.whenElse(
      wasm.ne(v.isClose.get, v.kept.get),
      [...v.digits.set(wasm.i64Add(v.shorter.get, bool64(v.kept.get))), ...v.power.set(wasm.add(v.power.get, i32(1)))],
      [
        ...v.isClose.set(wasm.i64LeU(v.lower.get, times4(v.cut.get))),
        ...v.kept.set(wasm.i64LeU(wasm.i64Add(times4(v.cut.get), i64(4n)), v.upper.get)),
        ...wasm.when(
          wasm.eq(v.isClose.get, v.kept.get),
          v.sum.set(wasm.i64Add(times4(v.cut.get), i64(2n))),
          v.kept.set(
            wasm.or(
              wasm.i64GtU(v.nearest.get, v.sum.get),
              wasm.and(wasm.i64Eq(v.nearest.get, v.sum.get), wasm.i32OfI64(wasm.i64And(v.cut.get, i64(1n)))),
            ),
          ),
        ),
        ...v.digits.set(wasm.i64Add(v.cut.get, bool64(v.kept.get))),
      ],
    ),
  ]

  /** `digits` times ten to the `power` is the shortest decimal for `value`, which is positive. */
  const findDigits: Code = [
    ...v.c.set(wasm.i64OfBits(v.value.get)),
    ...v.exponent.set(wasm.sub(wasm.i32OfI64(wasm.i64ShrU(v.c.get, i64(52n))), i32(1075))),
    ...v.c.set(wasm.i64And(v.c.get, i64((1n << 52n) - 1n))),
    ...v.isClose.set(wasm.i64Eqz(v.c.get)),
    ...v.c.set(wasm.i64Or(v.c.get, i64(1n << 52n))),
    ...v.power.set(
      wasm.shrS(wasm.sub(wasm.mul(v.exponent.get, i32(1_262_611)), wasm.mul(v.isClose.get, i32(524_031))), i32(22)),
    ),
    ...v.shift.set(
      wasm.add(
        wasm.add(v.exponent.get, i32(1)),
        wasm.shrS(wasm.mul(wasm.sub(i32(0), v.power.get), i32(1_741_647)), i32(19)),
      ),
    ),
    ...v.start.set(wasm.mul(wasm.sub(i32(-FIRST_POWER), v.power.get), i32(POWER_BYTES))),
    ...v.gLow.set(wasm.i64Load(v.start.get, tablesAt)),
    ...v.gHigh.set(wasm.i64Load(v.start.get, tablesAt + 8)),
    // An odd one is not reached from the ends of its interval.
    ...v.shorter.set(wasm.i64And(v.c.get, i64(1n))),
    ...v.c.set(wasm.i64Shl(v.c.get, wasm.i64OfI32(wasm.add(v.shift.get, i32(2))))),
    ...scaled,
    ...v.nearest.set(roundedToOdd(v.p2.get, v.p1.get)),
    ...upperEnd,
    ...lowerEnd,
    ...v.upper.set(wasm.i64Sub(v.upper.get, v.shorter.get)),
    ...v.lower.set(wasm.i64Add(v.lower.get, v.shorter.get)),
    ...shortest,
  ]

  /** From some of the digits on so many that all of seventeen are there. */
  const copyDigits = (from: Code): Code => [
    ...v.start.set(wasm.add(i32(digitsAt), from)),
    ...wasm.v128Store(v.out.get, wasm.v128Load(v.start.get)),
    ...wasm.v128Store(v.out.get, wasm.v128Load(v.start.get, 16), 16),
  ]

  /** Writes `digits` times ten to the `power`: seventeen digits first, with zeros before and behind them, which then are passed over. */
  const writeDecimal: Code = [
    ...v.whole.set(wasm.i64DivU(v.digits.get, i64(10_000_000_000_000_000n))),
    ...wasm.store8(i32(digitsAt), wasm.add(i32(ZERO), wasm.i32OfI64(v.whole.get))),
    ...v.digits.set(wasm.i64Sub(v.digits.get, wasm.i64Mul(v.whole.get, i64(10_000_000_000_000_000n)))),
    ...v.sum.set(wasm.i64DivU(v.digits.get, HUNDRED_MILLION)),
    ...v.q.set(wasm.i64Sub(v.digits.get, wasm.i64Mul(v.sum.get, HUNDRED_MILLION))),
    ...eightDigits,
    ...wasm.i64Store(i32(digitsAt), wasm.i64Add(v.x.get, ZEROS), 9),
    ...v.cut.set(v.x.get),
    ...v.q.set(v.sum.get),
    ...eightDigits,
    ...wasm.i64Store(i32(digitsAt), wasm.i64Add(v.x.get, ZEROS), 1),
    ...v.skipped.set(i32(0)),
    ...wasm.when(wasm.i64Eqz(v.whole.get), v.skipped.set(wasm.add(i32(1), leadingZeros))),
    ...wasm.whenElse(
      wasm.i64Eqz(v.cut.get),
      v.kept.set(wasm.add(i32(8), wasm.i32OfI64(wasm.i64ShrU(wasm.i64Clz(v.x.get), i64(3n))))),
      v.kept.set(wasm.i32OfI64(wasm.i64ShrU(wasm.i64Clz(v.cut.get), i64(3n)))),
    ),
    // How many digits there are, how many of them stand before the point.
    ...v.point.set(wasm.add(wasm.sub(i32(17), v.skipped.get), v.power.get)),
    ...v.kept.set(wasm.sub(wasm.sub(i32(17), v.skipped.get), v.kept.get)),
    ...wasm.whenElse(
      wasm.gtS(v.point.get, i32(0)),
      [
        ...copyDigits(v.skipped.get),
        ...forward(v.point.get),
        ...wasm.when(
          wasm.gtS(v.kept.get, v.point.get),
          wasm.store8(v.out.get, i32(DOT)),
          forward(i32(1)),
          copyDigits(wasm.add(v.skipped.get, v.point.get)),
          forward(wasm.sub(v.kept.get, v.point.get)),
        ),
      ],
      [
        ...wasm.i64Store(v.out.get, ZEROS),
        ...wasm.store8(v.out.get, i32(DOT), 1),
        ...forward(wasm.sub(i32(2), v.point.get)),
        ...copyDigits(v.skipped.get),
        ...forward(v.kept.get),
      ],
    ),
  ]

  const writePositive: Code = wasm.whenElse(
    wasm.and(wasm.f64Lt(v.value.get, wasm.f64(2 ** 53)), wasm.f64Eq(v.value.get, wasm.f64Trunc(v.value.get))),
    [...v.whole.set(wasm.i64OfF64(v.value.get)), ...writeWhole],
    [...findDigits, ...writeDecimal],
  )

  return {
    eightDigits,
    writeWhole,
    isWritten: wasm.or(isBetween(1e-6, wasm.f64Abs(v.value.get), 1e21), wasm.i64Eqz(wasm.i64OfBits(v.value.get))),
    writeValue: [
      ...wasm.when(
        wasm.f64Lt(v.value.get, wasm.f64(0)),
        wasm.store8(v.out.get, i32(MINUS)),
        forward(i32(1)),
        v.value.set(wasm.f64Abs(v.value.get)),
      ),
      ...writePositive,
    ],
  }
}
