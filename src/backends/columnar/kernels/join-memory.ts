import type { Bitmap, Codes } from '../../../data/index.ts'
import { KernelMemory, type Kernels } from '../../../kernels/index.ts'
import { segmentRows } from '../../../store/index.ts'

/** Pairs that are made at once. */
const PAIRS_AT_ONCE = 65_536
/** Lists of rows have room for one more, that is written to and not kept. */
const LIST_BYTES = (segmentRows + 16) * 4

const STATE_AT = 0
const MASK_AT = 64
const CODES_AT = MASK_AT + segmentRows / 8
const ROWS_AT = CODES_AT + segmentRows * 4
const KEYS_AT = ROWS_AT + LIST_BYTES
const WITHOUT_AT = KEYS_AT + LIST_BYTES
const LEFTS_AT = WITHOUT_AT + LIST_BYTES
const RIGHTS_AT = LEFTS_AT + PAIRS_AT_ONCE * 4
const TABLES_AT = RIGHTS_AT + PAIRS_AT_ONCE * 4

/** Memories are of sizes that the next join may have, too. */
const STEP_BYTES = 2 ** 20
/** Addresses are numbers of 32 bits. */
export const MOST_BYTES = 2 ** 31
/** The last one that was not larger waits for the next join: its pages are there already. */
const KEPT_BYTES = 16 * STEP_BYTES

/** What pairs are made by. */
export interface JoinTables {
  /** By left code: from 2 on the number of a key and two more; there is a row with each of these keys. */
  readonly known: Uint32Array
  /** By key: its first right row, and how many more there are. */
  readonly heads: Int32Array
  /** Where the rows of a key begin in `rows`; empty where no key has several. */
  readonly starts: Uint32Array
  readonly rows: Uint32Array
}

function bytesOf({ known, heads, starts, rows }: JoinTables): number {
  return TABLES_AT + known.byteLength + heads.byteLength + starts.byteLength + rows.byteLength
}

class Piece {
  readonly bytes: number
  readonly memory: KernelMemory
  readonly words: Uint32Array

  constructor(bytes: number) {
    this.bytes = bytes
    this.memory = new KernelMemory(bytes)
    this.words = new Uint32Array(this.memory.buffer)
  }
}

let spare: Piece | undefined

function pieceOf(bytes: number): Piece | undefined {
  const kept = spare
  if (kept !== undefined && kept.bytes >= bytes) {
    spare = undefined
    return kept
  }
  try {
    return new Piece(bytes)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return undefined
  }
}

/** Memory of one join for kernels: what pairs are made by, the codes of some left rows, and the pairs. */
export class JoinMemory {
  #piece: Piece | undefined
  readonly #kernels: Kernels
  readonly #at: { readonly [K in keyof JoinTables]: number }
  /** Rows with a key, and the first of them whose pairs are not all there. */
  #keysEnd = KEYS_AT
  #key = KEYS_AT
  /** Pairs of that one that are. */
  #done = 0
  #withoutEnd = WITHOUT_AT

  private constructor(piece: Piece, tables: JoinTables) {
    this.#piece = piece
    this.#kernels = piece.memory.kernels
    let at = TABLES_AT
    const placed = (table: Uint32Array | Int32Array): number => {
      const from = at
      piece.words.set(table, from / 4)
      at += table.byteLength
      return from
    }
    const { known, heads, starts, rows } = tables
    this.#at = { known: placed(known), heads: placed(heads), starts: placed(starts), rows: placed(rows) }
  }

  /** Bytes that a memory for these tables takes. */
  static bytesFor(tables: JoinTables): number {
    return Math.ceil(bytesOf(tables) / STEP_BYTES) * STEP_BYTES
  }

  /** `undefined` when the runtime has no memory to give. */
  static of(tables: JoinTables): JoinMemory | undefined {
    const piece = pieceOf(JoinMemory.bytesFor(tables))
    return piece && new JoinMemory(piece, tables)
  }

  get #words(): Uint32Array {
    if (this.#piece === undefined) throw new Error('the memory of a join is used after its end')
    return this.#piece.words
  }

  /** Looks at the rows `[from, to)` of a segment whose bit is set; all codes are below the length of `known`. */
  open(codes: Codes, mask: Bitmap, from: number, to: number): void {
    const words = this.#words
    const [firstWord, endWord] = [from >>> 5, (to + 31) >>> 5]
    const firstRow = firstWord << 5
    words.set(mask.subarray(firstWord, endWord), MASK_AT / 4)
    words.set(codes.subarray(firstRow, to), CODES_AT / 4)
    const rowsEnd = this.#kernels.keyedRows(
      MASK_AT,
      MASK_AT + (endWord - firstWord) * 4,
      CODES_AT,
      firstRow,
      this.#at.known,
      ROWS_AT,
      KEYS_AT,
      WITHOUT_AT,
      STATE_AT,
    )
    this.#keysEnd = KEYS_AT + rowsEnd - ROWS_AT
    this.#withoutEnd = words[STATE_AT / 4]
    this.#key = KEYS_AT
    this.#done = 0
  }

  /** Rows without a partner, in their order. */
  get without(): Uint32Array {
    return this.#words.subarray(WITHOUT_AT / 4, this.#withoutEnd / 4)
  }

  get isDone(): boolean {
    return this.#key === this.#keysEnd
  }

  /** The next pairs, `want` of them at most, until the next are asked for. */
  next(want: number): { readonly left: Uint32Array; readonly right: Uint32Array } {
    const words = this.#words
    const key = this.#key
    const rights = RIGHTS_AT + Math.min(want, PAIRS_AT_ONCE) * 4
    const { heads, starts, rows } = this.#at
    const row = ROWS_AT + key - KEYS_AT
    this.#kernels.rowPairs(
      row,
      key,
      this.#keysEnd,
      heads,
      starts,
      rows,
      LEFTS_AT,
      RIGHTS_AT,
      rights,
      this.#done,
      STATE_AT,
    )
    this.#key = words[STATE_AT / 4]
    const count = (words[STATE_AT / 4 + 1] - RIGHTS_AT) / 4
    this.#done = words[STATE_AT / 4 + 2]
    return {
      left: words.subarray(LEFTS_AT / 4, LEFTS_AT / 4 + count),
      right: words.subarray(RIGHTS_AT / 4, RIGHTS_AT / 4 + count),
    }
  }

  /** Nothing of it may be used from now on. */
  release(): void {
    const piece = this.#piece
    this.#piece = undefined
    if (piece !== undefined && piece.bytes <= KEPT_BYTES) spare = piece
  }
}
