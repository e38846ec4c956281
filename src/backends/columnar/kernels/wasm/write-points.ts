import { localsNamed, moduleOf, wasm, type Code, type Local } from '../../../../base/index.ts'

/**
 * Points of a series as text, `,[1767225600.123,"0.1"]` each: times are milliseconds, numbers have the fewest digits that read back as the
 * same double, of those the nearest ones, which is what `String` gives. They are found by Raffaello Giulietti's Schubfach: an interval of
 * decimals around the double is multiplied by a power of ten of 128 bits, rounded to odd, and the shortest decimal in it taken.
 */

/** Powers of ten in the table: of the numbers that are written without an exponent. */
const FIRST_POWER = -5
const LAST_POWER = 22
const POWER_BYTES = 16
/** At the start of the memory. */
export const POWERS_BYTES = (LAST_POWER - FIRST_POWER + 1) * POWER_BYTES
/** Behind the table: digits of a number, with zeros behind them. */
const DIGITS_AT = POWERS_BYTES
export const DIGITS_BYTES = 64
/** A point is never longer: a time of 20 characters, a number of 25, what stands between them, and loads of 16 bytes. */
export const POINT_BYTES = 96

/** `10^power * 2^-n`, rounded up, with `n` such that it has 128 bits. */
function powerOfTen(power: number): bigint {
  const shift = Math.floor((power * 1741647) / 2 ** 19) - 127
  if (power >= 0) return shift >= 0 ? (10n ** BigInt(power)) >> BigInt(shift) : (10n ** BigInt(power)) << BigInt(-shift)
  const divisor = 10n ** BigInt(-power)
  return ((1n << BigInt(-shift)) + divisor - 1n) / divisor
}

/** What stands at the start of the memory. */
export function tablesOfPoints(): Uint8Array {
  const bytes = new Uint8Array(POWERS_BYTES + DIGITS_BYTES).fill(48)
  const words = new BigUint64Array(bytes.buffer, 0, POWERS_BYTES / 8)
  for (let power = FIRST_POWER; power <= LAST_POWER; power++) {
    const bits = powerOfTen(power)
    words[2 * (power - FIRST_POWER)] = BigInt.asUintN(64, bits)
    words[2 * (power - FIRST_POWER) + 1] = bits >> 64n
  }
  return bytes
}

const parameters = ['timesAt', 'valuesAt', 'length', 'out', 'stateAt'] as const
const ints = ['i', 'start', 'rest', 'exponent', 'power', 'shift', 'skipped', 'kept', 'point', 'isClose'] as const
const floats = ['time', 'value'] as const
const longs = [
  ...(['whole', 'digits', 'x', 'q', 'c', 'cLow', 'cHigh', 'gLow', 'gHigh', 'partLow', 'partHigh'] as const),
  ...(['product', 'middle', 'last', 'p0', 'p1', 'p2', 'd1', 'd2', 'sum', 'over'] as const),
  ...(['lower', 'upper', 'nearest', 'cut', 'shorter'] as const),
] as const
const v = localsNamed([...parameters, ...ints, ...floats, ...longs])

const { i32, i64 } = wasm
const LOW_HALF = i64(0xffff_ffffn)
const HUNDRED_MILLION = i64(100_000_000n)
/** Eight times `0`. */
const ZEROS = i64(0x3030_3030_3030_3030n)
/** `,[`, `,"`, `"]`. */
const OPEN = 0x5b2c
const QUOTE = 0x222c
const CLOSE = 0x5d22
const DOT = 46
const MINUS = 45
const ZERO = 48

const forward = (bytes: Code): Code => v.out.set(wasm.add(v.out.get, bytes))
const bool64 = (condition: Code): Code => wasm.i64OfI32(condition)

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

/** `whole` and its thousandths, three of them where there are any. */
const writeTime: Code = [
  ...v.digits.set(wasm.i64OfF64(v.time.get)),
  ...v.whole.set(wasm.i64DivU(v.digits.get, i64(1000n))),
  ...v.rest.set(wasm.i32OfI64(wasm.i64Sub(v.digits.get, wasm.i64Mul(v.whole.get, i64(1000n))))),
  ...writeWhole,
  ...wasm.when(
    v.rest.get,
    wasm.store8(v.out.get, i32(DOT)),
    wasm.store8(v.out.get, wasm.add(i32(ZERO), wasm.divU(v.rest.get, i32(100))), 1),
    v.rest.set(wasm.sub(v.rest.get, wasm.mul(wasm.divU(v.rest.get, i32(100)), i32(100)))),
    wasm.store8(v.out.get, wasm.add(i32(ZERO), wasm.divU(v.rest.get, i32(10))), 2),
    v.rest.set(wasm.sub(v.rest.get, wasm.mul(wasm.divU(v.rest.get, i32(10)), i32(10)))),
    wasm.store8(v.out.get, wasm.add(i32(ZERO), v.rest.get), 3),
    forward(i32(4)),
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
  ...v.gLow.set(wasm.i64Load(v.start.get)),
  ...v.gHigh.set(wasm.i64Load(v.start.get, 8)),
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
  ...v.start.set(wasm.add(i32(DIGITS_AT), from)),
  ...wasm.v128Store(v.out.get, wasm.v128Load(v.start.get)),
  ...wasm.v128Store(v.out.get, wasm.v128Load(v.start.get, 16), 16),
]

/** Writes `digits` times ten to the `power`: seventeen digits first, with zeros before and behind them, which then are passed over. */
const writeDecimal: Code = [
  ...v.whole.set(wasm.i64DivU(v.digits.get, i64(10_000_000_000_000_000n))),
  ...wasm.store8(i32(DIGITS_AT), wasm.add(i32(ZERO), wasm.i32OfI64(v.whole.get))),
  ...v.digits.set(wasm.i64Sub(v.digits.get, wasm.i64Mul(v.whole.get, i64(10_000_000_000_000_000n)))),
  ...v.sum.set(wasm.i64DivU(v.digits.get, HUNDRED_MILLION)),
  ...v.q.set(wasm.i64Sub(v.digits.get, wasm.i64Mul(v.sum.get, HUNDRED_MILLION))),
  ...eightDigits,
  ...wasm.i64Store(i32(DIGITS_AT), wasm.i64Add(v.x.get, ZEROS), 9),
  ...v.cut.set(v.x.get),
  ...v.q.set(v.sum.get),
  ...eightDigits,
  ...wasm.i64Store(i32(DIGITS_AT), wasm.i64Add(v.x.get, ZEROS), 1),
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

/** Writes `value`, which is positive. */
const writeValue: Code = wasm.whenElse(
  wasm.and(wasm.f64Lt(v.value.get, wasm.f64(2 ** 53)), wasm.f64Eq(v.value.get, wasm.f64Trunc(v.value.get))),
  [...v.whole.set(wasm.i64OfF64(v.value.get)), ...writeWhole],
  [...findDigits, ...writeDecimal],
)

const address = (base: Local): Code => wasm.add(base.get, wasm.shl(v.i.get, i32(3)))
const isBetween = (least: number, value: Code, beyond: number): Code =>
  wasm.and(wasm.f64Le(wasm.f64(least), value), wasm.f64Lt(value, wasm.f64(beyond)))

/**
 * `run(times, values, length, out, state)`: writes points one behind the other until one has a time or a number that has another form
 * (beyond the range above, infinite, none, minus zero); the state is how many it has written, and where it ended.
 */
export const writePointsModule = (): Uint8Array =>
  moduleOf(parameters.length, { i32: ints.length, v128: 0, f64: floats.length, i64: longs.length }, [
    ...wasm.block(
      wasm.loop(
        wasm.brIf(1, wasm.geU(v.i.get, v.length.get)),
        v.time.set(wasm.loadF64(address(v.timesAt))),
        v.value.set(wasm.loadF64(address(v.valuesAt))),
        wasm.brIf(1, wasm.eqz(isBetween(0, v.time.get, 2 ** 53))),
        wasm.brIf(
          1,
          wasm.eqz(wasm.or(isBetween(1e-6, wasm.f64Abs(v.value.get), 1e21), wasm.i64Eqz(wasm.i64OfBits(v.value.get)))),
        ),
        wasm.store16(v.out.get, i32(OPEN)),
        forward(i32(2)),
        writeTime,
        wasm.store16(v.out.get, i32(QUOTE)),
        forward(i32(2)),
        wasm.when(
          wasm.f64Lt(v.value.get, wasm.f64(0)),
          wasm.store8(v.out.get, i32(MINUS)),
          forward(i32(1)),
          v.value.set(wasm.f64Abs(v.value.get)),
        ),
        writeValue,
        wasm.store16(v.out.get, i32(CLOSE)),
        forward(i32(2)),
        v.i.set(wasm.add(v.i.get, i32(1))),
        wasm.br(0),
      ),
    ),
    ...wasm.store32(v.stateAt.get, v.i.get),
    ...wasm.store32(v.stateAt.get, v.out.get, 4),
  ])
