import { localsNamed, moduleOf, wasm, type Code, type Local } from '../../base/index.ts'

/** Where the table of escapes stands: by byte the letter behind the backslash, 0 where the whole value tells how it is written. */
export const ESCAPES_AT = 32

/** In the place of a text that is not quoted, as its length. */
export const BY_VALUE = 0xffff_ffff

/** Both memories have room for so many bytes behind what is read or written. */
export const SLACK_BYTES = 32

/** What stands at `ESCAPES_AT`. */
export function escapeTable(): Uint8Array {
  const table = new Uint8Array(256)
  for (const pair of ['\bb', '\tt', '\nn', '\ff', '\rr', '""', '\\\\']) table[pair.charCodeAt(0)] = pair.charCodeAt(1)
  return table
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20

const parameters = ['place', 'stride', 'count', 'out', 'stateAt'] as const
const ints = ['at', 'end', 'start', 'special', 'left', 'escape', 'refused'] as const
const vectors = ['chunk'] as const
const v = localsNamed([...parameters, ...ints, ...vectors])

const { i32 } = wasm
const forward = (local: Local, bytes: Code): Code => local.set(wasm.add(local.get, bytes))

/** A bit for each of the sixteen bytes that is not written as it is: a control character, a quote, a backslash, or beyond ASCII. */
const specials: Code = wasm.i8x16Bitmask(
  wasm.v128Or(
    // Bytes beyond ASCII are negative.
    wasm.i8x16LtS(v.chunk.get, wasm.i8x16(SPACE)),
    wasm.v128Or(wasm.i8x16Eq(v.chunk.get, wasm.i8x16(QUOTE)), wasm.i8x16Eq(v.chunk.get, wasm.i8x16(BACKSLASH))),
  ),
)

/** Copies the text sixteen bytes at a time; `escape` is 0 in the end where only its value tells how it is written. */
const copyEscaped: Code = [
  ...v.escape.set(i32(1)),
  ...wasm.block(
    wasm.loop(
      wasm.brIf(1, wasm.geU(v.at.get, v.end.get)),
      v.chunk.set(wasm.v128Load(v.at.get)),
      wasm.v128Store(v.out.get, v.chunk.get),
      v.special.set(specials),
      v.left.set(wasm.sub(v.end.get, v.at.get)),
      wasm.whenElse(
        wasm.ltU(v.left.get, i32(16)),
        v.special.set(wasm.and(v.special.get, wasm.sub(wasm.shl(i32(1), v.left.get), i32(1)))),
        v.left.set(i32(16)),
      ),
      wasm.when(
        v.special.get,
        v.left.set(wasm.ctz(v.special.get)),
        v.escape.set(wasm.load8(wasm.add(i32(ESCAPES_AT), wasm.load8(wasm.add(v.at.get, v.left.get))))),
        wasm.brIf(2, wasm.eqz(v.escape.get)),
      ),
      forward(v.at, v.left.get),
      forward(v.out, v.left.get),
      wasm.when(
        v.special.get,
        wasm.store8(v.out.get, i32(BACKSLASH)),
        wasm.store8(v.out.get, v.escape.get, 1),
        forward(v.at, i32(1)),
        forward(v.out, i32(2)),
      ),
      wasm.br(0),
    ),
  ),
]

/**
 * `run(place, stride, count, out, state)`: writes texts as JSON, one behind the other. A place is the address of a text and its length, `stride`
 * bytes behind the last one; it becomes that of the JSON, or `BY_VALUE` as its length. Those with the address 0 stay. The state is where
 * the last one ends, and how many are left to their values.
 */
export const quoteTextsModule = (): Uint8Array =>
  moduleOf(parameters.length, { i32: ints.length, v128: vectors.length }, [
    ...wasm.block(
      wasm.loop(
        wasm.brIf(1, wasm.eqz(v.count.get)),
        v.count.set(wasm.sub(v.count.get, i32(1))),
        v.at.set(wasm.load32(v.place.get)),
        wasm.when(
          v.at.get,
          v.end.set(wasm.add(v.at.get, wasm.load32(v.place.get, 4))),
          v.start.set(v.out.get),
          wasm.store8(v.out.get, i32(QUOTE)),
          forward(v.out, i32(1)),
          copyEscaped,
          wasm.whenElse(
            v.escape.get,
            [
              ...wasm.store8(v.out.get, i32(QUOTE)),
              ...forward(v.out, i32(1)),
              ...wasm.store32(v.place.get, v.start.get),
              ...wasm.store32(v.place.get, wasm.sub(v.out.get, v.start.get), 4),
            ],
            [...v.out.set(v.start.get), ...wasm.store32(v.place.get, i32(BY_VALUE), 4), ...forward(v.refused, i32(1))],
          ),
        ),
        forward(v.place, v.stride.get),
        wasm.br(0),
      ),
    ),
    ...wasm.store32(v.stateAt.get, v.out.get),
    ...wasm.store32(v.stateAt.get, v.refused.get, 4),
  ])
