import { localsNamed, moduleOf, wasm, type Code } from '../../base/index.ts'

/** Room behind the packed and the unpacked bytes: they are copied sixteen at a time. */
export const SLACK_BYTES = 80

const { i32 } = wasm
const parameters = ['from', 'end', 'out', 'outEnd', 'stateAt'] as const
const ints = ['start', 'tag', 'kind', 'size', 'offset', 'source', 'at'] as const
const v = localsNamed([...parameters, ...ints])

const pass = (bytes: Code): Code => v.from.set(wasm.add(v.from.get, bytes))
const left = wasm.sub(v.end.get, v.from.get)
/** Out of the loop over elements, from so many blocks inside it, where a condition holds. */
const failIf = (depth: number, condition: Code): Code => wasm.brIf(depth + 1, condition)

/** `size` bytes from `source` on, some at a time, whatever lies behind them. */
const copyBy = (bytes: number, copy: (to: Code, from: Code) => Code): Code => [
  ...v.at.set(i32(0)),
  ...wasm.loop(
    copy(wasm.add(v.out.get, v.at.get), wasm.add(v.source.get, v.at.get)),
    v.at.set(wasm.add(v.at.get, i32(bytes))),
    wasm.brIf(0, wasm.ltU(v.at.get, v.size.get)),
  ),
]
const copySixteen = copyBy(16, (to, from) => wasm.v128Store(to, wasm.v128Load(from)))
const copyEight = copyBy(8, (to, from) => wasm.i64Store(to, wasm.i64Load(from)))
const copyOne = copyBy(1, (to, from) => wasm.store8(to, wasm.load8(from)))

/** Bytes that stand in the packed block itself; of more than sixty, their number does too. */
const literal: Code = [
  ...v.size.set(wasm.shrU(v.tag.get, i32(2))),
  ...wasm.when(
    wasm.geU(v.size.get, i32(60)),
    v.kind.set(wasm.sub(v.size.get, i32(59))),
    failIf(2, wasm.gtU(v.kind.get, left)),
    v.size.set(wasm.and(wasm.load32(v.from.get), wasm.shrU(i32(-1), wasm.sub(i32(32), wasm.shl(v.kind.get, i32(3)))))),
    pass(v.kind.get),
  ),
  // One less than there are.
  ...failIf(1, wasm.geU(v.size.get, left)),
  ...failIf(1, wasm.geU(v.size.get, wasm.sub(v.outEnd.get, v.out.get))),
  ...v.size.set(wasm.add(v.size.get, i32(1))),
  ...v.source.set(v.from.get),
  ...copySixteen,
  ...pass(v.size.get),
]

/** Bytes that were unpacked before, which may be among those that this makes. */
const copy: Code = [
  ...v.size.set(wasm.add(wasm.shrU(v.tag.get, i32(2)), i32(1))),
  // An offset of one, two or four bytes; of the first kind its highest bits stand in the tag.
  ...failIf(1, wasm.gtU(wasm.shrU(wasm.shl(i32(1), v.kind.get), i32(1)), left)),
  ...v.offset.set(wasm.load32(v.from.get)),
  ...wasm.when(
    wasm.eq(v.kind.get, i32(1)),
    v.size.set(wasm.add(wasm.and(wasm.shrU(v.tag.get, i32(2)), i32(7)), i32(4))),
    v.offset.set(wasm.or(wasm.shl(wasm.shrU(v.tag.get, i32(5)), i32(8)), wasm.and(v.offset.get, i32(0xff)))),
  ),
  ...wasm.when(wasm.eq(v.kind.get, i32(2)), v.offset.set(wasm.and(v.offset.get, i32(0xffff)))),
  ...pass(wasm.shrU(wasm.shl(i32(1), v.kind.get), i32(1))),
  ...failIf(1, wasm.geU(wasm.sub(v.offset.get, i32(1)), wasm.sub(v.out.get, v.start.get))),
  ...failIf(1, wasm.gtU(v.size.get, wasm.sub(v.outEnd.get, v.out.get))),
  ...v.source.set(wasm.sub(v.out.get, v.offset.get)),
  ...wasm.whenElse(
    wasm.geU(v.offset.get, i32(16)),
    copySixteen,
    wasm.whenElse(wasm.geU(v.offset.get, i32(8)), copyEight, copyOne),
  ),
]

/**
 * `run(from, end, out, outEnd, state)`: unpacks the elements of a block of Snappy. The state becomes 1 when they fill the room exactly, and
 * is left alone when an element is cut short, reaches back before the start, or makes too much.
 */
export const unpackSnappyModule = (): Uint8Array =>
  moduleOf(parameters.length, { i32: ints.length, v128: 0 }, [
    ...v.start.set(v.out.get),
    ...wasm.block(
      wasm.loop(
        wasm.when(
          wasm.geU(v.from.get, v.end.get),
          wasm.when(wasm.eq(v.out.get, v.outEnd.get), wasm.store32(v.stateAt.get, i32(1))),
          wasm.br(2),
        ),
        v.tag.set(wasm.load8(v.from.get)),
        pass(i32(1)),
        v.kind.set(wasm.and(v.tag.get, i32(3))),
        wasm.whenElse(v.kind.get, copy, literal),
        v.out.set(wasm.add(v.out.get, v.size.get)),
        wasm.br(0),
      ),
    ),
  ])
