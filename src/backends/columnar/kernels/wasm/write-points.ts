import {
  DECIMAL_BYTES,
  decimalLocals,
  decimals,
  localsNamed,
  moduleOf,
  wasm,
  type Code,
  type Local,
} from '../../../../base/index.ts'

/** Points of a series as text, `,[1767225600.123,"0.1"]` each: times are milliseconds, numbers as `String` gives them. */

/** A point is never longer: a time of 20 characters, a number, and what stands between them. */
export const POINT_BYTES = 32 + DECIMAL_BYTES

const parameters = ['timesAt', 'valuesAt', 'length', 'out', 'stateAt'] as const
const ints = ['i', 'rest', ...decimalLocals.ints] as const
const floats = ['time', ...decimalLocals.floats] as const
const { longs } = decimalLocals
const v = localsNamed([...parameters, ...ints, ...floats, ...longs])
/** The tables are at the start of the memory. */
const { writeWhole, writeValue, isWritten } = decimals(v, 0)

const { i32, i64 } = wasm
/** `,[`, `,"`, `"]`. */
const OPEN = 0x5b2c
const QUOTE = 0x222c
const CLOSE = 0x5d22
const DOT = 46
const ZERO = 48

const forward = (bytes: Code): Code => v.out.set(wasm.add(v.out.get, bytes))

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

const address = (base: Local): Code => wasm.add(base.get, wasm.shl(v.i.get, i32(3)))

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
        wasm.brIf(
          1,
          wasm.eqz(wasm.and(wasm.f64Le(wasm.f64(0), v.time.get), wasm.f64Lt(v.time.get, wasm.f64(2 ** 53)))),
        ),
        wasm.brIf(1, wasm.eqz(isWritten)),
        wasm.store16(v.out.get, i32(OPEN)),
        forward(i32(2)),
        writeTime,
        wasm.store16(v.out.get, i32(QUOTE)),
        forward(i32(2)),
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
