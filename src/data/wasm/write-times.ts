import { decimalLocals, decimals, localsNamed, moduleOf, wasm, type Code, type Local } from '../../base/index.ts'

/** What is written behind the prefix: `05.123456789Z"`. */
export const TIME_TAIL_BYTES = 14
/** A longer prefix is not copied. */
export const MOST_PREFIX_BYTES = 32

const parameters = ['place', 'stride', 'count', 'nanosAt', 'prefixAt', 'prefixBytes', 'out', 'stateAt'] as const
const { longs, floats } = decimalLocals
const ints = ['begin', 'seconds', 'tens', ...decimalLocals.ints] as const
const v = localsNamed([...parameters, ...ints, ...floats, ...longs])
const { eightDigits } = decimals(v, 0)

const { i32, i64 } = wasm
const forward = (local: Local, bytes: Code): Code => local.set(wasm.add(local.get, bytes))
const BILLION = i64(1_000_000_000n)
const HUNDRED_MILLION = i64(100_000_000n)
const ZEROS = i64(0x3030_3030_3030_3030n)
const ZERO = 0x30
const DOT = 0x2e
/** `Z"`. */
const END = 0x225a

const copyPrefix: Code = [
  ...wasm.v128Store(v.out.get, wasm.v128Load(v.prefixAt.get)),
  ...wasm.v128Store(v.out.get, wasm.v128Load(v.prefixAt.get, 16), 16),
  ...forward(v.out, v.prefixBytes.get),
]

/** Writes the seconds of `value` with nine digits behind the point. */
const writeSeconds: Code = [
  ...v.digits.set(wasm.i64OfF64(v.value.get)),
  ...v.whole.set(wasm.i64DivU(v.digits.get, BILLION)),
  ...v.digits.set(wasm.i64Sub(v.digits.get, wasm.i64Mul(v.whole.get, BILLION))),
  ...v.seconds.set(wasm.i32OfI64(v.whole.get)),
  ...v.tens.set(wasm.divU(v.seconds.get, i32(10))),
  ...wasm.store8(v.out.get, wasm.add(v.tens.get, i32(ZERO))),
  ...wasm.store8(v.out.get, wasm.add(wasm.sub(v.seconds.get, wasm.mul(v.tens.get, i32(10))), i32(ZERO)), 1),
  ...wasm.store8(v.out.get, i32(DOT), 2),
  ...v.whole.set(wasm.i64DivU(v.digits.get, HUNDRED_MILLION)),
  ...wasm.store8(v.out.get, wasm.add(wasm.i32OfI64(v.whole.get), i32(ZERO)), 3),
  ...v.q.set(wasm.i64Sub(v.digits.get, wasm.i64Mul(v.whole.get, HUNDRED_MILLION))),
  ...eightDigits,
  ...wasm.i64Store(v.out.get, wasm.i64Add(v.x.get, ZEROS), 4),
  ...wasm.store16(wasm.add(v.out.get, i32(12)), i32(END)),
  ...forward(v.out, i32(TIME_TAIL_BYTES)),
]

/**
 * `run(place, stride, count, nanos, prefix, prefixBytes, out, state)`: writes times of one minute as JSON, one behind the other: the prefix, then the
 * seconds. `nanos` are doubles, nanoseconds from the start of the minute, below 0 where there is no time. A place, `stride` bytes behind the
 * last one, becomes the address and the length. The state is where the last time ends.
 */
export const writeTimesModule = (): Uint8Array =>
  moduleOf(parameters.length, { i32: ints.length, v128: 0, f64: floats.length, i64: longs.length }, [
    ...wasm.block(
      wasm.loop(
        wasm.brIf(1, wasm.eqz(v.count.get)),
        v.count.set(wasm.sub(v.count.get, i32(1))),
        v.value.set(wasm.loadF64(v.nanosAt.get)),
        wasm.when(
          wasm.f64Ge(v.value.get, wasm.f64(0)),
          v.begin.set(v.out.get),
          copyPrefix,
          writeSeconds,
          wasm.store32(v.place.get, v.begin.get),
          wasm.store32(v.place.get, wasm.sub(v.out.get, v.begin.get), 4),
        ),
        forward(v.place, v.stride.get),
        forward(v.nanosAt, i32(8)),
        wasm.br(0),
      ),
    ),
    ...wasm.store32(v.stateAt.get, v.out.get),
  ])
