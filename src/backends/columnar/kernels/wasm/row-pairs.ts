import { localsNamed, moduleOf, wasm as w, type Code } from '../../../../base/index.ts'

/** Addresses, but for `done`: how many pairs of the first row are there. At `state` stand at last where keys, pairs and `done` have come to. */
const params = [
  'rows',
  'keys',
  'keysEnd',
  'heads',
  'starts',
  'others',
  'lefts',
  'rights',
  'rightsEnd',
  'done',
  'state',
] as const
const { rows, keys, keysEnd, heads, starts, others, lefts, rights, rightsEnd, done, state, key, more } = localsNamed([
  ...params,
  'key',
  'more',
])

const pairWith = (right: Code): Code => [
  ...w.store32(lefts.get, w.load32(rows.get)),
  ...w.store32(rights.get, right),
  ...lefts.set(w.add(lefts.get, w.i32(4))),
  ...rights.set(w.add(rights.get, w.i32(4))),
]

/**
 * Makes pairs of `rows` and the right rows of their keys, until there are as many as there is room for: `heads` has the first row of
 * a key and how many more there are, which follow it in `others` from `starts` on.
 */
const body: Code = [
  ...w.block(
    w.loop(
      w.brIf(1, w.geU(keys.get, keysEnd.get)),
      w.brIf(1, w.geU(rights.get, rightsEnd.get)),
      key.set(w.load32(keys.get)),
      more.set(w.load32(w.add(heads.get, w.shl(key.get, w.i32(3))), 4)),
      w.when(w.eqz(done.get), pairWith(w.load32(w.add(heads.get, w.shl(key.get, w.i32(3))))), done.set(w.i32(1))),
      w.when(
        more.get,
        key.set(w.load32(w.add(starts.get, w.shl(key.get, w.i32(2))))),
        w.block(
          w.loop(
            w.brIf(1, w.gtU(done.get, more.get)),
            // Out of the block, the condition, the loop over rows and its block: this row has pairs left.
            w.brIf(4, w.geU(rights.get, rightsEnd.get)),
            pairWith(w.load32(w.add(others.get, w.shl(w.add(key.get, done.get), w.i32(2))))),
            done.set(w.add(done.get, w.i32(1))),
            w.br(0),
          ),
        ),
      ),
      done.set(w.i32(0)),
      rows.set(w.add(rows.get, w.i32(4))),
      keys.set(w.add(keys.get, w.i32(4))),
      w.br(0),
    ),
  ),
  ...w.store32(state.get, keys.get),
  ...w.store32(state.get, rights.get, 4),
  ...w.store32(state.get, done.get, 8),
]

export const rowPairsModule = (): Uint8Array => moduleOf(params.length, { i32: 2, v128: 0 }, body)
