import { foldByte } from '../../../store/index.ts'

/** Relative frequency of bytes in log text, so that a search looks for a needle's rarest byte. */
const commonness = new Uint8Array(256).fill(1)
'etaoinsrhldcum fpgwybvk0123456789./-:=_,"'.split('').forEach((character, index) => {
  commonness[character.charCodeAt(0)] = 250 - index * 4
})

/**
 * Finds an ASCII literal in bytes, with or without regard to ASCII case. The bytes must be ASCII too for a folded search
 * to be right: a few wide characters fold to ASCII ones.
 */
export class LiteralSearch {
  readonly length: number
  readonly #needle: Uint8Array
  readonly #isFolded: boolean
  readonly #probe: number
  readonly #rare: number
  readonly #rareUpper: number

  /** `text` is not empty, ASCII, and folded already when the search is. */
  constructor(text: string, isFolded: boolean) {
    this.#needle = Buffer.from(text, 'latin1')
    this.length = this.#needle.length
    this.#isFolded = isFolded
    let probe = 0
    for (let i = 1; i < this.length; i++) {
      if (commonness[this.#needle[i]] < commonness[this.#needle[probe]]) probe = i
    }
    this.#probe = probe
    this.#rare = this.#needle[probe]
    const isLetter = this.#rare >= 97 && this.#rare <= 122
    this.#rareUpper = isFolded && isLetter ? this.#rare - 32 : this.#rare
  }

  /** The first place at or after `from` where the literal lies before `end`; -1 when there is none. */
  find(bytes: Uint8Array, from: number, end: number): number {
    const last = end - this.length + this.#probe
    for (let i = from + this.#probe; i <= last; i++) {
      const byte = bytes[i]
      if ((byte === this.#rare || byte === this.#rareUpper) && this.isAt(bytes, i - this.#probe)) return i - this.#probe
    }
    return -1
  }

  /** Whether the literal stands at `at`; the caller knows that it fits. */
  isAt(bytes: Uint8Array, at: number): boolean {
    const needle = this.#needle
    if (this.#isFolded) {
      for (let i = 0; i < needle.length; i++) if (foldByte[bytes[at + i]] !== needle[i]) return false
    } else {
      for (let i = 0; i < needle.length; i++) if (bytes[at + i] !== needle[i]) return false
    }
    return true
  }
}
