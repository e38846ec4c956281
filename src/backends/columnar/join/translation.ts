import { chargeWork } from '../../../base/index.ts'
import type { Bitmap, Dictionary } from '../../../data/index.ts'

/** In place of a code: nobody has asked yet; there is no such entry. */
export const NOT_ASKED = 0
export const NOT_THERE = 0xffffffff

/** Filters come with the first look-up that they save more than they take; fewer take less time without. */
const FEW_LOOK_UPS = 65_536
const LOOK_UPS_OF_ENTRIES = 4

/** What leaves out most of what a dictionary has not, while many entries are looked up there. */
export class LookUpFilter {
  readonly #to: Dictionary
  readonly #lookUps: number
  #bits: Bitmap | undefined
  #bytes = 0
  /** Entries when it was made: it knows nothing of those that have come since. */
  #size = 0

  constructor(to: Dictionary, lookUps: number) {
    this.#to = to
    this.#lookUps = lookUps
  }

  get bits(): Bitmap | undefined {
    const { size } = this.#to
    if (this.#size > 0) return this.#size === size ? this.#bits : undefined
    if (this.#lookUps < FEW_LOOK_UPS || this.#lookUps * LOOK_UPS_OF_ENTRIES < size) return undefined
    this.#size = size
    this.#bytes = this.#to.hashFilterBytes
    chargeWork(this.#bytes)
    this.#bits = this.#to.hashFilter()
    return this.#bits
  }

  release(): void {
    chargeWork(-this.#bytes)
    this.#bytes = 0
    this.#size = 0
    this.#bits = undefined
  }
}

/** Text entries of one dictionary as codes of another; what was looked up once is remembered. */
class Translation {
  readonly #to: Dictionary
  readonly #from: WeakRef<Dictionary>
  #codes = new Uint32Array(0)
  /** How many codes are known, of what is not there too. */
  #knownCount = 0
  /** Entries of `#to` when what is not there was looked for. */
  #toSize = 0

  constructor(to: Dictionary, from: Dictionary) {
    this.#to = to
    this.#from = new WeakRef(from)
  }

  isFrom(from: Dictionary): boolean {
    return this.#from.deref() === from
  }

  get memoryBytes(): number {
    return this.#codes.byteLength
  }

  /** What is known by now, by code of the dictionary that this is from. */
  get codes(): Uint32Array {
    if (this.#toSize !== this.#to.size) this.#forgetMissing()
    return this.#codes
  }

  /** The code of entry `code` of `from`, the dictionary that this is from; 0 when there is none. */
  codeOf(from: Dictionary, code: number): number {
    if (this.#toSize !== this.#to.size) this.#forgetMissing()
    if (code >= this.#codes.length) this.#grow(from.size)
    const known = this.#codes[code]
    if (known !== NOT_ASKED) return known === NOT_THERE ? 0 : known
    const found = this.#to.codeOfEntry(from, code)
    this.#knownCount++
    this.#codes[code] = found === 0 ? NOT_THERE : found
    return found
  }

  /** Looks up those of these entries of `from` that nobody has asked for yet, all at once. */
  lookUp(from: Dictionary, entries: Uint32Array, filter: LookUpFilter): void {
    if (this.#toSize !== this.#to.size) this.#forgetMissing()
    if (this.#codes.length < from.size) this.#grow(from.size)
    const codes = this.#codes
    // Code 0 is no entry.
    if (this.#knownCount >= from.size - 1) return
    const asked = new Uint32Array(entries.length)
    let count = 0
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i]
      asked[count] = entry
      if (codes[entry] === NOT_ASKED) count++
    }
    if (count === 0) return
    this.#knownCount += count
    const found = new Uint32Array(count)
    this.#to.codesOfEntries(from, asked.subarray(0, count), found, filter.bits)
    for (let i = 0; i < count; i++) codes[asked[i]] = found[i] === 0 ? NOT_THERE : found[i]
  }

  /** An entry that was not there may be by now. */
  #forgetMissing(): void {
    const codes = this.#codes
    for (let i = 0; i < codes.length; i++) {
      if (codes[i] !== NOT_THERE) continue
      codes[i] = NOT_ASKED
      this.#knownCount--
    }
    this.#toSize = this.#to.size
  }

  #grow(size: number): void {
    const codes = new Uint32Array(size)
    codes.set(this.#codes)
    this.#codes = codes
  }
}

/** Dictionaries that one is joined with again and again are few. */
const REMEMBERED = 4
const known = new WeakMap<Dictionary, Translation[]>()

/** Of entries of `from` to codes of `to`: kept from query to query, since entries never change. */
export function translationOf(to: Dictionary, from: Dictionary): Translation {
  let all = known.get(to)
  if (all === undefined) {
    all = []
    known.set(to, all)
  }
  for (const one of all) if (one.isFrom(from)) return one
  const made = new Translation(to, from)
  all.unshift(made)
  all.length = Math.min(all.length, REMEMBERED)
  return made
}

export type { Translation }
