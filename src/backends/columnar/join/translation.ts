import type { Dictionary } from '../../../data/index.ts'

/** In place of a code: nobody has asked yet; there is no such entry. */
const NOT_ASKED = 0
const NOT_THERE = 0xffffffff

/** Text entries of one dictionary as codes of another; what was looked up once is remembered. */
class Translation {
  readonly #to: Dictionary
  readonly #from: WeakRef<Dictionary>
  #codes = new Uint32Array(0)
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

  /** The code of entry `code` of `from`, the dictionary that this is from; 0 when there is none. */
  codeOf(from: Dictionary, code: number): number {
    if (this.#toSize !== this.#to.size) this.#forgetMissing()
    if (code >= this.#codes.length) this.#grow(from.size)
    const known = this.#codes[code]
    if (known !== NOT_ASKED) return known === NOT_THERE ? 0 : known
    const found = this.#to.codeOfEntry(from, code)
    this.#codes[code] = found === 0 ? NOT_THERE : found
    return found
  }

  /** An entry that was not there may be by now. */
  #forgetMissing(): void {
    const codes = this.#codes
    for (let i = 0; i < codes.length; i++) {
      if (codes[i] === NOT_THERE) codes[i] = NOT_ASKED
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
