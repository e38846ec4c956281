import { moduleOf, wasm as w, type Code } from '../../../../base/index.ts'

/** Bits of the `edges` parameter: the match must not be cut inside a word at its start, at its end. */
export const edge = { start: 1, end: 2 } as const

/** Parameters by position. Addresses are in bytes; `offsets`, `from` and `end` count from `text`. */
export const findLiteralParams = [
  'text',
  'from',
  'end',
  'offsets',
  'row',
  'needle',
  'length',
  'masks',
  'probeA',
  'probeB',
  'edges',
  'wordTable',
  'bitmap',
] as const

const P = Object.fromEntries(findLiteralParams.map((name, index) => [name, w.get(index)])) as Record<
  (typeof findLiteralParams)[number],
  Code
>
const ROW = findLiteralParams.indexOf('row')
const I = findLiteralParams.indexOf('from')
const first = findLiteralParams.length
const MASK = first
const AT = first + 1
const K = first + 2
const LAST = first + 3
const ROW_END = first + 4
const SPLAT_A = first + 5
const SPLAT_B = first + 6
const FOLD_A = first + 7
const FOLD_B = first + 8

const i = w.get(I)
const row = w.get(ROW)
const mask = w.get(MASK)
const at = w.get(AT)
const k = w.get(K)
const rowEnd = w.get(ROW_END)

function byteAt(base: Code, index: Code): Code {
  return w.load8(w.add(base, index))
}

function offsetAt(index: Code): Code {
  return w.load32(w.add(P.offsets, w.shl(index, w.i32(2))))
}

/** Where 16 places from `i` on have the probe byte that stands at `probe` in the needle. */
function probeHits(probe: Code, splat: number, foldMask: number): Code {
  const bytes = w.v128Load(w.add(w.add(P.text, i), probe))
  return w.i8x16Eq(w.v128Or(bytes, w.get(foldMask)), w.get(splat))
}

const nextByte = w.set(K, w.add(k, w.i32(1)))
const isWordAt = (index: Code): Code => byteAt(P.wordTable, byteAt(P.text, index))

/**
 * Sets the bit of every row whose bytes contain the needle. Two probe bytes are compared 16 places at a time; where both
 * fit, the needle is compared whole. `masks[k]` is 0x20 where case does not count, and is or-ed to the byte before it is
 * compared with `needle[k]`. After a match the search goes on at the next row.
 */
const body: Code = [
  ...w.set(SPLAT_A, w.i8x16Splat(byteAt(P.needle, P.probeA))),
  ...w.set(SPLAT_B, w.i8x16Splat(byteAt(P.needle, P.probeB))),
  ...w.set(FOLD_A, w.i8x16Splat(byteAt(P.masks, P.probeA))),
  ...w.set(FOLD_B, w.i8x16Splat(byteAt(P.masks, P.probeB))),
  ...w.set(LAST, w.sub(P.end, P.length)),
  ...w.block(
    w.loop(
      // 0: outer loop, 1: exit
      w.brIf(1, w.gtS(i, w.get(LAST))),
      w.set(
        MASK,
        w.i8x16Bitmask(w.v128And(probeHits(P.probeA, SPLAT_A, FOLD_A), probeHits(P.probeB, SPLAT_B, FOLD_B))),
      ),
      w.block(
        w.loop(
          // 0: bits loop, 1: block of 16 done, 2: outer loop, 3: exit
          w.brIf(1, w.eqz(mask)),
          w.set(AT, w.add(i, w.ctz(mask))),
          w.set(MASK, w.and(mask, w.sub(mask, w.i32(1)))),
          w.brIf(3, w.gtS(at, w.get(LAST))),
          w.set(K, w.i32(0)),
          w.loop(
            // 0: compare loop, 1: bits loop
            w.brIf(1, w.ne(w.or(byteAt(P.text, w.add(at, k)), byteAt(P.masks, k)), byteAt(P.needle, k))),
            nextByte,
            w.brIf(0, w.ltU(k, P.length)),
          ),
          w.loop(
            w.set(ROW_END, offsetAt(w.add(row, w.i32(1)))),
            w.when(w.leU(rowEnd, at), w.set(ROW, w.add(row, w.i32(1))), w.br(1)),
          ),
          w.brIf(0, w.gtU(w.add(at, P.length), rowEnd)),
          w.when(
            w.and(w.and(P.edges, w.i32(edge.start)), w.gtU(at, offsetAt(row))),
            w.brIf(1, w.ne(isWordAt(w.sub(at, w.i32(1))), w.i32(0))),
          ),
          w.when(
            w.and(w.shrU(P.edges, w.i32(1)), w.ltU(w.add(at, P.length), rowEnd)),
            w.brIf(1, w.ne(isWordAt(w.add(at, P.length)), w.i32(0))),
          ),
          w.store32(
            w.add(P.bitmap, w.shl(w.shrU(row, w.i32(5)), w.i32(2))),
            w.or(
              w.load32(w.add(P.bitmap, w.shl(w.shrU(row, w.i32(5)), w.i32(2)))),
              w.shl(w.i32(1), w.and(row, w.i32(31))),
            ),
          ),
          w.set(I, rowEnd),
          w.br(2),
        ),
      ),
      w.set(I, w.add(i, w.i32(16))),
      w.br(0),
    ),
  ),
]

export const findLiteralModule = moduleOf(findLiteralParams.length, { i32: 5, v128: 4 }, body)
