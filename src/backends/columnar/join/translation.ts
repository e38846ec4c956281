import type { Dictionary } from '../../../data/index.ts'

/** In place of a code: nobody has asked yet; there is no such entry. */
export const NOT_ASKED = 0
export const NOT_THERE = 0xffffffff

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
  lookUp(from: Dictionary, entries: Uint32Array): void {
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
    this.#to.codesOfEntries(from, asked.subarray(0, count), found)
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
