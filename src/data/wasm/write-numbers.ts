import { decimalLocals, decimals, localsNamed, moduleOf, wasm, type Code, type Local } from '../../base/index.ts'
import { BY_VALUE } from './quote-texts.ts'

const parameters = ['place', 'stride', 'count', 'valuesAt', 'out', 'stateAt'] as const
const { longs, floats } = decimalLocals
const ints = ['begin', 'refused', ...decimalLocals.ints] as const
const v = localsNamed([...parameters, ...ints, ...floats, ...longs])

const { i32 } = wasm
const forward = (local: Local, bytes: Code): Code => local.set(wasm.add(local.get, bytes))

/**
 * `run(place, stride, count, values, out, state)`: writes doubles one behind the other, as `String` does. A place, `stride` bytes behind the last
 * one, becomes the address and the length of the text, `BY_VALUE` as the length for numbers of another form: with an exponent, infinite,
 * none, minus zero. The state is where the last one ends, and how many are left to their values. `tablesAt`: where the tables of decimals stand.
 */
export function writeNumbersModule(tablesAt: number): Uint8Array {
  const { isWritten, writeValue } = decimals(v, tablesAt)
  return moduleOf(parameters.length, { i32: ints.length, v128: 0, f64: floats.length, i64: longs.length }, [
    ...wasm.block(
      wasm.loop(
        wasm.brIf(1, wasm.eqz(v.count.get)),
        v.count.set(wasm.sub(v.count.get, i32(1))),
        v.value.set(wasm.loadF64(v.valuesAt.get)),
        wasm.whenElse(
          isWritten,
          [
            ...v.begin.set(v.out.get),
            ...writeValue,
            ...wasm.store32(v.place.get, v.begin.get),
            ...wasm.store32(v.place.get, wasm.sub(v.out.get, v.begin.get), 4),
          ],
          [...wasm.store32(v.place.get, i32(BY_VALUE), 4), ...forward(v.refused, i32(1))],
        ),
        forward(v.place, v.stride.get),
        forward(v.valuesAt, i32(8)),
        wasm.br(0),
      ),
    ),
    ...wasm.store32(v.stateAt.get, v.out.get),
    ...wasm.store32(v.stateAt.get, v.refused.get, 4),
  ])
}
