import type { Join } from '../../../plan/index.ts'
import { MemoryReservation } from '../memory-reservation.ts'
import type { ExecContext } from '../context.ts'
import { concat, Frame } from '../frame.ts'
import { again, type Operator } from '../operator.ts'
import { BATCHES_AT_ONCE } from '../tuning.ts'
import { BuiltKeys, type KeyReader } from './join-keys.ts'
import { NO_KEY } from '../keys/key-table.ts'
import { RightSide } from './right-side.ts'

export interface BuiltJoin {
  readonly right: RightSide
  /** The left frames that were read before the smaller side was known, in order. */
  readonly leftFrames: Frame[]
  readonly leftKeys: KeyReader
  /** A note for `explain`: which side was read into memory first, and why. */
  readonly note: string
}

/**
 * Prepares a join: finds the smaller side and numbers its keys. If the scans do not tell the sizes, it reads both sides
 * alternately until one ends. If the left side is smaller, only right rows that match a left key are held.
 */
export class JoinBuilder {
  readonly #node: Join
  readonly #left: Operator
  readonly #right: Operator
  readonly #want: number
  readonly #charge: MemoryReservation
  readonly #keptRight: Frame[] = []
  readonly #numbers: Uint32Array[] = []
  readonly #leftFrames: Frame[] = []
  #keys = new BuiltKeys(0)
  #leftRows = 0
  #rightRows = 0
  #note = ''
  #state: 'start' | 'both' | 'right' | 'done' = 'start'
  /** The side to read completely first; `undefined` while sizes are unknown. */
  #first: 'left' | 'right' | undefined
  #rightReader: KeyReader | undefined
  #leftReader: KeyReader | undefined
  #heldBytes = 0
  #keyBytes = 0

  constructor(node: Join, left: Operator, right: Operator, context: ExecContext) {
    this.#node = node
    this.#left = left
    this.#right = right
    this.#want = context.query.batchRows * BATCHES_AT_ONCE
    this.#charge = new MemoryReservation(context.query.budget)
  }

  /**
   * Does a limited amount of work; returns the result when the smaller side has been read and its keys are numbered.
   */
  step(): BuiltJoin | undefined {
    if (this.#state === 'start') this.#start()
    else if (this.#state === 'both') this.#stepBoth()
    else if (this.#state === 'right') this.#stepRight()
    return this.#state === 'done' ? this.#finish() : undefined
  }

  /** Releases the charged memory of a left frame that has been used. */
  release(frame: Frame): void {
    this.#hold(-frame.memoryBytes)
  }

  #hold(bytes: number): void {
    this.#heldBytes += bytes
    this.#charge.set(this.#heldBytes)
  }

  /** Chooses the side to read first if the row bounds of both scans are known in advance. */
  #start(): void {
    const left = this.#left.rowsOf
    const right = this.#right.rowsOf
    if (this.#node.type === 'cross') this.#first = 'right'
    else if (left !== undefined && right !== undefined) {
      if (left.isPlain && right.rowBound <= left.rowBound) this.#first = 'right'
      else if (right.isPlain && left.rowBound < right.rowBound) this.#first = 'left'
    }
    this.#state = 'both'
  }

  get #isLeftNext(): boolean {
    return this.#first === undefined ? this.#leftRows < this.#rightRows : this.#first === 'left'
  }

  #stepBoth(): void {
    if (this.#isLeftNext) {
      const frame = this.#left.pull(this.#want)
      if (frame === again) return
      if (frame === undefined) {
        this.#buildLeft()
        return
      }
      this.#leftRows += frame.rowCount
      this.#leftFrames.push(frame)
      this.#hold(frame.memoryBytes)
      return
    }
    const frame = this.#right.pull(this.#want)
    if (frame === again) return
    if (frame !== undefined) {
      this.#rightRows += frame.rowCount
      this.#keptRight.push(frame)
      this.#hold(frame.memoryBytes)
      return
    }
    this.#note = this.#noteOf('right', this.#rightRows)
    this.#keys = new BuiltKeys(this.#node.on.length)
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

  get #keepsAllRight(): boolean {
    return this.#node.type === 'right' || this.#node.type === 'full'
  }

  #noteOf(side: 'left' | 'right', rows: number): string {
    if (this.#node.type === 'cross') return `all pairs: the right side is held, ${rows} rows`
    const why = this.#first === undefined ? 'it was the first to end' : 'its scan has no more rows'
    return `builds the ${side} side, ${rows} rows: ${why}`
  }

  #buildLeft(): void {
    this.#note = this.#noteOf('left', this.#leftRows)
    this.#keys = new BuiltKeys(this.#node.on.length)
    const reader = this.#keys.reader(this.#leftNames, true)
    for (const frame of this.#leftFrames) reader.numbers(frame)
    this.#leftReader = reader
    this.#rightReader = this.#keys.reader(this.#rightNames, false)
    const before = this.#keptRight.splice(0)
    for (const frame of before) {
      this.#hold(-frame.memoryBytes)
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

  /** Holds the right rows that may be in the result. */
  #keepRight(frame: Frame): void {
    const numbers = this.#rightReader?.numbers(frame) ?? new Uint32Array(0)
    const keepsAll = this.#keepsAllRight
    let count = 0
    const rows = new Uint32Array(frame.rowCount)
    for (let row = 0; row < numbers.length; row++) if (keepsAll || numbers[row] !== NO_KEY) rows[count++] = row
    if (count === 0) return
    const isWhole = count === frame.rowCount
    const kept = isWhole ? frame : frame.take(rows.slice(0, count))
    this.#keptRight.push(kept)
    this.#numbers.push(isWhole ? numbers : numbers.filter((key) => key !== NO_KEY))
    this.#hold(kept.memoryBytes)
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
    const right = new RightSide(frame, numbers, this.#keys.size, this.#keepsAllRight)
    this.#leftReader = leftKeys
    this.#hold(right.memoryBytes)
    this.recharge()
    return { right, leftFrames: this.#leftFrames, leftKeys, note: this.#note }
  }

  /** Updates the charged memory of the keys. */
  recharge(): void {
    const bytes = this.#keys.memoryBytes + (this.#leftReader?.memoryBytes ?? 0)
    this.#hold(bytes - this.#keyBytes)
    this.#keyBytes = bytes
  }
}
