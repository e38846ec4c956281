import { localsNamed, moduleOf, wasm as w, type Code } from '../../../../base/index.ts'

/** Addresses; `size` is how many right numbers there are. At `pairCount` stands how many pairs are known. */
const params = ['left', 'right', 'numbers', 'numbersEnd', 'table', 'size', 'lefts', 'rights', 'pairCount'] as const
const { left, right, numbers, numbersEnd, table, size, lefts, rights, pairCount, slot, number } = localsNamed([
  ...params,
  'slot',
  'number',
])

/**
 * Numbers the pairs of left and right numbers in order of appearance: `table[left × size + right]` is the number plus one, 0 for
 * a pair that is new, which is added to `lefts` and `rights`. There is at least one pair to number, and room for as many new ones.
 */
const body: Code = w.loop(
  slot.set(w.add(table.get, w.shl(w.add(w.mul(w.load32(left.get), size.get), w.load32(right.get)), w.i32(2)))),
  number.set(w.load32(slot.get)),
  w.when(
    w.eqz(number.get),
    number.set(w.load32(pairCount.get)),
    w.store32(w.add(lefts.get, w.shl(number.get, w.i32(2))), w.load32(left.get)),
    w.store32(w.add(rights.get, w.shl(number.get, w.i32(2))), w.load32(right.get)),
    number.set(w.add(number.get, w.i32(1))),
    w.store32(pairCount.get, number.get),
    w.store32(slot.get, number.get),
  ),
  w.store32(numbers.get, w.sub(number.get, w.i32(1))),
  left.set(w.add(left.get, w.i32(4))),
  right.set(w.add(right.get, w.i32(4))),
  numbers.set(w.add(numbers.get, w.i32(4))),
  w.brIf(0, w.ltU(numbers.get, numbersEnd.get)),
)

export const numberPairsModule = (): Uint8Array => moduleOf(params.length, { i32: 2, v128: 0 }, body)
