import { localsNamed, moduleOf, wasm, type Code, type Local } from '../../base/index.ts'

/** A place of a piece: its address and its length, four bytes each. */
export const PLACE_BYTES = 8
/** Of a column: the place of its key, and of what a row without a value has. */
export const COLUMN_BYTES = 2 * PLACE_BYTES

const OPEN = 0x7b
const CLOSE = 0x7d

const parameters = ['place', 'columns', 'columnsAt', 'rows', 'separator', 'separatorBytes', 'out', 'stateAt'] as const
const ints = ['start', 'rowEnd', 'key', 'value', 'from', 'length', 'done'] as const
const v = localsNamed([...parameters, ...ints])

const { i32 } = wasm
const forward = (local: Local, bytes: Code): Code => local.set(wasm.add(local.get, bytes))

/** Copies the piece at a place. Most have up to 32 bytes: to copy as many of each takes less time than to ask. */
const copyPiece = (place: Local): Code => [
  ...v.from.set(wasm.load32(place.get)),
  ...v.length.set(wasm.load32(place.get, 4)),
  ...wasm.v128Store(v.out.get, wasm.v128Load(v.from.get)),
  ...wasm.v128Store(v.out.get, wasm.v128Load(v.from.get, 16), 16),
  ...v.done.set(i32(32)),
  ...wasm.block(
    wasm.loop(
      wasm.brIf(1, wasm.geU(v.done.get, v.length.get)),
      wasm.v128Store(wasm.add(v.out.get, v.done.get), wasm.v128Load(wasm.add(v.from.get, v.done.get))),
      forward(v.done, i32(16)),
      wasm.br(0),
    ),
  ),
  ...forward(v.out, v.length.get),
]

/**
 * `run(place, columns, columnsAt, rows, separator, separatorBytes, out, state)`: writes rows as JSON objects, each behind a separator of one
 * or two bytes. The places of the values stand row by row, those of the columns once. A piece without a length is not there, and then neither is its key. A
 * key begins with a comma. The state is where the last row ends.
 */
export const joinPiecesModule = (): Uint8Array =>
  moduleOf(parameters.length, { i32: ints.length, v128: 0 }, [
    ...wasm.block(
      wasm.loop(
        wasm.brIf(1, wasm.eqz(v.rows.get)),
        v.rows.set(wasm.sub(v.rows.get, i32(1))),
        wasm.store16(v.out.get, v.separator.get),
        forward(v.out, v.separatorBytes.get),
        v.start.set(v.out.get),
        v.key.set(v.columnsAt.get),
        v.rowEnd.set(wasm.add(v.place.get, wasm.mul(v.columns.get, i32(PLACE_BYTES)))),
        wasm.block(
          wasm.loop(
            wasm.brIf(1, wasm.geU(v.place.get, v.rowEnd.get)),
            v.value.set(v.place.get),
            wasm.when(wasm.eqz(wasm.load32(v.place.get, 4)), v.value.set(wasm.add(v.key.get, i32(PLACE_BYTES)))),
            wasm.when(wasm.load32(v.value.get, 4), copyPiece(v.key), copyPiece(v.value)),
            forward(v.place, i32(PLACE_BYTES)),
            forward(v.key, i32(COLUMN_BYTES)),
            wasm.br(0),
          ),
        ),
        wasm.when(wasm.eq(v.out.get, v.start.get), forward(v.out, i32(1))),
        // In place of the comma before the first member.
        wasm.store8(v.start.get, i32(OPEN)),
        wasm.store8(v.out.get, i32(CLOSE)),
        forward(v.out, i32(1)),
        wasm.br(0),
      ),
    ),
    ...wasm.store32(v.stateAt.get, v.out.get),
  ])
