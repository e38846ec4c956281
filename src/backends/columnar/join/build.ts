import type { Join } from '../../../plan/index.ts'
import { Charge } from '../charge.ts'
import type { ExecContext } from '../context.ts'
import { concat, Frame } from '../frame.ts'
import { again, type Operator } from '../operator.ts'
import { frameBytes } from '../operators/collect.ts'
import { BuiltKeys, type KeyReader } from './join-keys.ts'
import { NO_KEY } from './key-table.ts'
import { RightSide } from './right-side.ts'

export interface BuiltJoin {
  readonly right: RightSide
  /** Left frames that were read while it was not known which side is smaller, in their order. */
  readonly leftFrames: Frame[]
  readonly leftKeys: KeyReader
}

/**
 * Reads both sides in turns until one ends: that one is the smaller, and its keys are built. When it is the left one, of
 * the right side only those rows are kept that some left row has the keys of.
 */
export class JoinBuilder {
  readonly #node: Join
  readonly #left: Operator
  readonly #right: Operator
  readonly #want: number
  readonly #charge: Charge
  readonly #keptRight: Frame[] = []
  readonly #numbers: Uint32Array[] = []
  readonly #leftFrames: Frame[] = []
  readonly #keys: BuiltKeys
  #leftRows = 0
  #rightRows = 0
  #state: 'both' | 'right' | 'done' = 'both'
  #rightReader: KeyReader | undefined
  #leftReader: KeyReader | undefined
  #heldBytes = 0

  constructor(node: Join, left: Operator, right: Operator, context: ExecContext) {
    this.#node = node
    this.#left = left
    this.#right = right
    this.#want = context.query.batchRows
    this.#charge = new Charge(context.query.budget)
    this.#keys = new BuiltKeys(node.on.length)
  }

  /** A piece of work; what was built when both sides are known well enough. */
  step(): BuiltJoin | undefined {
    if (this.#state === 'both') this.#stepBoth()
    else if (this.#state === 'right') this.#stepRight()
    return this.#state === 'done' ? this.#finish() : undefined
  }

  /** Gives a left frame's bytes back. */
  release(frame: Frame): void {
    this.#hold(-frameBytes(frame))
  }

  #hold(bytes: number): void {
    this.#heldBytes += bytes
    this.#charge.set(this.#heldBytes)
  }

  #stepBoth(): void {
    if (this.#node.type !== 'cross' && this.#leftRows < this.#rightRows) {
      const frame = this.#left.pull(this.#want)
      if (frame === again) return
      if (frame === undefined) {
        this.#buildLeft()
        return
      }
      this.#leftRows += frame.rowCount
      this.#leftFrames.push(frame)
      this.#hold(frameBytes(frame))
      return
    }
    const frame = this.#right.pull(this.#want)
    if (frame === again) return
    if (frame !== undefined) {
      this.#rightRows += frame.rowCount
      this.#keptRight.push(frame)
      this.#hold(frameBytes(frame))
      return
    }
    const reader = this.#keys.reader(this.#rightNames, true)
    for (const kept of this.#keptRight) this.#numbers.push(reader.numbers(kept))
    this.#leftReader = this.#keys.reader(this.#leftNames, false)
    this.#state = 'done'
  }

  get #leftNames(): readonly string[] {
    return this.#node.on.map((pair) => pair.left)
  }

  get #rightNames(): readonly string[] {
    return this.#node.on.map((pair) => pair.right)
  }

  #buildLeft(): void {
    const reader = this.#keys.reader(this.#leftNames, true)
    for (const frame of this.#leftFrames) reader.numbers(frame)
    this.#leftReader = reader
    this.#rightReader = this.#keys.reader(this.#rightNames, false)
    const before = this.#keptRight.splice(0)
    for (const frame of before) {
      this.#hold(-frameBytes(frame))
      this.#keepRight(frame)
    }
    this.#state = 'right'
  }

  #stepRight(): void {
    const frame = this.#right.pull(this.#want)
    if (frame === again) return
    if (frame === undefined) this.#state = 'done'
    else this.#keepRight(frame)
  }

  /** Keeps the rows that may come out. */
  #keepRight(frame: Frame): void {
    const numbers = this.#rightReader?.numbers(frame) ?? new Uint32Array(0)
    const keepsAll = this.#node.type === 'right' || this.#node.type === 'full'
    let count = 0
    const rows = new Uint32Array(frame.rowCount)
    for (let row = 0; row < numbers.length; row++) if (keepsAll || numbers[row] !== NO_KEY) rows[count++] = row
    if (count === 0) return
    const isWhole = count === frame.rowCount
    const kept = isWhole ? frame : frame.take(rows.slice(0, count))
    this.#keptRight.push(kept)
    this.#numbers.push(isWhole ? numbers : numbers.filter((key) => key !== NO_KEY))
    this.#hold(frameBytes(kept))
  }

  #finish(): BuiltJoin {
    const frame = this.#keptRight.length === 0 ? new Frame(0, new Map()) : concat(this.#keptRight)
    const numbers = new Uint32Array(frame.rowCount)
    let at = 0
    for (const part of this.#numbers) {
      numbers.set(part, at)
      at += part.length
    }
    const leftKeys = this.#leftReader ?? this.#keys.reader(this.#leftNames, false)
    const right = new RightSide(frame, numbers, this.#keys.size)
    this.#hold(this.#keys.memoryBytes + leftKeys.memoryBytes + right.memoryBytes)
    return { right, leftFrames: this.#leftFrames, leftKeys }
  }
}
