import { work } from '../../../base/index.ts'
import type { Dictionary } from '../../../data/index.ts'
import type { ExecContext } from '../context.ts'
import { Charge } from '../charge.ts'
import type { Frame } from '../frame.ts'
import { JoinMemory, MOST_BYTES } from '../kernels/join-memory.ts'
import type { Narrowing } from '../operator.ts'
import type { SegmentRange } from '../segments/segment-range.ts'
import type { KeyReader } from './join-keys.ts'
import type { PairsOfFrame } from './pairs.ts'
import type { RightSide } from './right-side.ts'

/** The share of the memory that the query has left which tables may take once more, for kernels. */
const LEFT_SHARE = 4
/** Rows whose codes cost one unit of `work`. */
const CODES_A_UNIT = 32

/** The rows of a piece of the left scan, apart by whether they have a partner; good until the next piece is opened. */
export interface OpenPiece extends PairsOfFrame {
  readonly without: Uint32Array
}

/**
 * Makes the pairs of whole pieces of a left scan by kernels, where the keys are codes of one dictionary and all of its entries have been looked up: from the codes
 * as they are stored to pairs, without a list in between. Kernels are compiled before they run, where our loops are interpreted for a while in a first join.
 */
export class PiecePairs {
  readonly #narrowing: Narrowing
  readonly #keys: KeyReader
  readonly #right: RightSide
  readonly #context: ExecContext
  readonly #charge: Charge
  #memory: JoinMemory | undefined
  /** What the memory was made for, or could not. */
  #dictionary: Dictionary | undefined

  constructor(narrowing: Narrowing, keys: KeyReader, right: RightSide, context: ExecContext) {
    this.#narrowing = narrowing
    this.#keys = keys
    this.#right = right
    this.#context = context
    this.#charge = new Charge(context.query.budget)
  }

  /** `undefined` where rows are to be joined frame by frame; `canJoin` is asked of the frame of the segment. */
  open(range: SegmentRange, canJoin: (frame: Frame) => boolean): OpenPiece | undefined {
    const frame = this.#narrowing.frame(range.segment)
    const column = this.#keys.onlyCodes(frame)
    if (column === undefined || !canJoin(frame)) return undefined
    const memory = this.#memoryFor(column.dictionary)
    if (memory === undefined) return undefined
    work((range.to - range.from) / CODES_A_UNIT)
    memory.open(column.codes, this.#narrowing.source.mask(range), range.from, range.to)
    return {
      frame,
      without: memory.without,
      get isDone() {
        return memory.isDone
      },
      next: (want) => memory.next(want),
    }
  }

  #memoryFor(dictionary: Dictionary): JoinMemory | undefined {
    if (this.#dictionary !== undefined) return this.#dictionary === dictionary ? this.#memory : undefined
    this.#dictionary = dictionary
    const known = this.#keys.knownCodes(dictionary)
    const { budget } = this.#context.query
    const { heads, starts, rows } = this.#right
    if (known === undefined || !this.#right.hasAllKeys) return undefined
    const tables = { known, heads, starts, rows }
    const bytes = JoinMemory.bytesFor(tables)
    if (bytes > MOST_BYTES || bytes * LEFT_SHARE > budget.limits.memoryBytes - budget.usedBytes) return undefined
    this.#charge.charge(bytes)
    this.#memory = JoinMemory.of(tables)
    if (this.#memory === undefined) this.#charge.release()
    else this.#context.end.add(() => this.#memory?.release())
    return this.#memory
  }
}
