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
const FROM_A = first + 5
const FROM_B = first + 6
const BLOCK_END = first + 7
const SPLAT_A = first + 8
const SPLAT_B = first + 9
const FOLD_A = first + 10
const FOLD_B = first + 11

/** Places that are tried at once while no probe fits. */
const BLOCK = 64

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

/** Which of 16 places from `i + offset` on have both probe bytes. */
function probeHits(offset: number): Code {
  const hits = (at: number, splat: number, foldMask: number): Code =>
    w.i8x16Eq(w.v128Or(w.v128Load(w.add(w.get(at), i), offset), w.get(foldMask)), w.get(splat))
  return w.v128And(hits(FROM_A, SPLAT_A, FOLD_A), hits(FROM_B, SPLAT_B, FOLD_B))
}

const nextByte = w.set(K, w.add(k, w.i32(1)))
const isWordAt = (index: Code): Code => byteAt(P.wordTable, byteAt(P.text, index))

/**
 * Sets the bit of every row whose bytes contain the needle. Two probe bytes are compared 64 places at a time; where both
 * fit, the needle is compared whole. Up to 64 bytes behind the last text are read. `masks[k]` is 0x20 where case does not count, and is or-ed to the byte before it is
 * compared with `needle[k]`. After a match the search goes on at the next row.
 */
const body: Code = [
  ...w.set(SPLAT_A, w.i8x16Splat(byteAt(P.needle, P.probeA))),
  ...w.set(SPLAT_B, w.i8x16Splat(byteAt(P.needle, P.probeB))),
  ...w.set(FOLD_A, w.i8x16Splat(byteAt(P.masks, P.probeA))),
  ...w.set(FOLD_B, w.i8x16Splat(byteAt(P.masks, P.probeB))),
  ...w.set(LAST, w.sub(P.end, P.length)),
  ...w.set(FROM_A, w.add(P.text, P.probeA)),
  ...w.set(FROM_B, w.add(P.text, P.probeB)),
  ...w.set(BLOCK_END, i),
  ...w.block(
    w.loop(
      // 0: outer loop, 1: exit
      w.brIf(1, w.gtS(i, w.get(LAST))),
      w.when(
        w.leU(w.get(BLOCK_END), i),
        w.loop(
          // 0: blocks loop, 1: a block that has hits, 2: outer loop, 3: exit
          w.brIf(3, w.gtS(i, w.get(LAST))),
          w.set(BLOCK_END, w.add(i, w.i32(BLOCK))),
          w.brIf(
            1,
            w.v128AnyTrue([16, 32, 48].reduce((all, offset) => w.v128Or(all, probeHits(offset)), probeHits(0))),
          ),
          w.set(I, w.get(BLOCK_END)),
          w.br(0),
        ),
      ),
      w.set(MASK, w.i8x16Bitmask(probeHits(0))),
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

export const findLiteralModule = moduleOf(findLiteralParams.length, { i32: 8, v128: 4 }, body)
