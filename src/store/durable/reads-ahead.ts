import fs from 'node:fs'

/** So many requests wait at once in a thread, each of so many bytes: all columns of some twenty rows. */
const MOST_REQUESTS = 256
const MOST_BYTES = 256 * 1024
/** A read of bytes that the system has takes less, milliseconds, and so much more for each byte; one from a disk takes twice that and more. */
const HELD_MS = 0.03
const HELD_MS_EACH_BYTE = 5e-7
/** One request in so many is left out: the read behind it tells whether reads wait. */
const PROBED = 64
/** After so many of these in a row that did not wait nothing is asked for ahead. */
const MOST_HELD = 3
/** Until so many reads in a row waited: a single one may be a thread that had no core. */
const LEAST_WAITED = 2

interface Place {
  readonly descriptor: number
  readonly at: number
}

/** Has bytes of a file read, to be thrown away; calls back when it is done, whatever came of it. */
export type ReadAway = (descriptor: number, at: number, length: number, done: () => void) => void

/**
 * What a thread has the system read ahead of its reads. To ask costs as much as a read of bytes that the system has already, so it asks only while
 * reads wait for a disk.
 */
export class ReadsAhead {
  readonly #read: ReadAway
  #isOn = false
  #requests = 0
  /** Asked for since the last probe. */
  #sinceProbe = 0
  #probe: Place | undefined
  /** Reads that went against what it does. */
  #againstInTurn = 0
  readonly #done = (): void => void this.#requests--

  constructor(read: ReadAway) {
    this.#read = read
  }

  /** Whether `took` wants to know of a read. */
  watches(descriptor: number, at: number): boolean {
    return !this.#isOn || (this.#probe?.at === at && this.#probe.descriptor === descriptor)
  }

  /** Notes a read that nothing was asked ahead of. */
  took(milliseconds: number, bytes: number): void {
    this.#probe = undefined
    const hasWaited = milliseconds > HELD_MS + bytes * HELD_MS_EACH_BYTE
    this.#againstInTurn = hasWaited === this.#isOn ? 0 : this.#againstInTurn + 1
    if (this.#againstInTurn < (this.#isOn ? MOST_HELD : LEAST_WAITED)) return
    this.#isOn = !this.#isOn
    this.#againstInTurn = 0
  }

  ask(descriptor: number, at: number, length: number): void {
    if (!this.#isOn || this.#requests >= MOST_REQUESTS) return
    if (++this.#sinceProbe >= PROBED) {
      this.#sinceProbe = 0
      this.#probe = { descriptor, at }
      return
    }
    this.#requests++
    this.#read(descriptor, at, Math.min(length, MOST_BYTES), this.#done)
  }
}

/** Nobody looks at what comes here: that the system has read it is all. */
let into: Buffer | undefined

/** Those of this thread. */
export const readsAhead = new ReadsAhead((descriptor, at, length, done) => {
  into ??= Buffer.allocUnsafeSlow(MOST_BYTES)
  fs.read(descriptor, into, 0, length, at, done)
})
