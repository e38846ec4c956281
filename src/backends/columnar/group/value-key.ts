import { work } from '../../../base/index.ts'
import { columnOfValues, type Column } from '../../../data/index.ts'
import type { Evaluate } from '../expr/compile.ts'
import { KeyEncoder, type PartialKeys } from '../keys/group-keys.ts'
import type { Slice } from '../segments/source.ts'
import { orderOfKeys } from '../keys/key-order.ts'
import type { NumberedKey } from './numbered-key.ts'

/** A group key over an expression of any type. */
export class ValueKey implements NumberedKey {
  readonly isFixed = false
  readonly #evaluate: Evaluate
  readonly #encoder = new KeyEncoder()

  constructor(evaluate: Evaluate) {
    this.#evaluate = evaluate
  }

  get size(): number {
    return this.#encoder.size
  }

  get memoryBytes(): number {
    return this.#encoder.memoryBytes
  }

  fill(slice: Slice, into: Uint32Array): void {
    const { frame, from, to, rows } = slice
    const some = rows === undefined ? frame.slice(from, to) : frame.take(rows)
    into.set(this.#encoder.encode(this.#evaluate(some)))
  }

  values(ids: Uint32Array): Column {
    return columnOfValues(
      Array.from(ids, (id) => {
        work(10)
        return this.#encoder.valueOf(id)
      }),
    )
  }

  keys(): PartialKeys | undefined {
    return this.#encoder.exportKeys()
  }

  numbersOf(keys: PartialKeys): Uint32Array {
    return this.#encoder.mergePartial(keys)
  }

  ranks(): Uint32Array {
    const order = orderOfKeys(this.#encoder.size, (id) => this.#encoder.valueOf(id))
    const ranks = new Uint32Array(order.length)
    for (let rank = 0; rank < order.length; rank++) ranks[order[rank]] = rank
    return ranks
  }
}
