import { localsNamed, moduleOf, wasm as w, type Code } from '../../../../base/index.ts'

/**
 * Addresses, but for `row`, the number of the row that the first bit of `mask` is of; its code is at `codes`. Behind `ends` stand the ends of
 * `rows` and `without` at last.
 */
const params = ['mask', 'maskEnd', 'codes', 'row', 'known', 'rows', 'keys', 'without', 'ends'] as const
const { mask, maskEnd, codes, row, known, rows, keys, without, ends, word, bit, key, has } = localsNamed([
  ...params,
  'word',
  'bit',
  'key',
  'has',
])

/**
 * Tells rows whose bit is set apart by what `known` has for their code: from 2 on, the number of their key and two more, and they stand in `rows`
 * with the number in `keys`; else in `without`. Which of them is hard to foretell, so both lists are written to and one goes on: they have
 * room for one more row than there are bits. There is at least one word.
 */
const body: Code = [
  ...w.loop(
    word.set(w.load32(mask.get)),
    w.block(
      w.loop(
        w.brIf(1, w.eqz(word.get)),
        bit.set(w.ctz(word.get)),
        word.set(w.and(word.get, w.sub(word.get, w.i32(1)))),
        key.set(w.load32(w.add(codes.get, w.shl(bit.get, w.i32(2))))),
        key.set(w.load32(w.add(known.get, w.shl(key.get, w.i32(2))))),
        bit.set(w.add(bit.get, row.get)),
        has.set(w.shl(w.gtU(key.get, w.i32(1)), w.i32(2))),
        w.store32(rows.get, bit.get),
        w.store32(keys.get, w.sub(key.get, w.i32(2))),
        w.store32(without.get, bit.get),
        rows.set(w.add(rows.get, has.get)),
        keys.set(w.add(keys.get, has.get)),
        without.set(w.add(without.get, w.sub(w.i32(4), has.get))),
        w.br(0),
      ),
    ),
    mask.set(w.add(mask.get, w.i32(4))),
    codes.set(w.add(codes.get, w.i32(128))),
    row.set(w.add(row.get, w.i32(32))),
    w.brIf(0, w.ltU(mask.get, maskEnd.get)),
  ),
  ...w.store32(ends.get, rows.get),
  ...w.store32(ends.get, without.get, 4),
]

export const keyedRowsModule = (): Uint8Array => moduleOf(params.length, { i32: 4, v128: 0 }, body)
