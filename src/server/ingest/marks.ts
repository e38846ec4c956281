/** Short texts, one for each item of a payload. Most are equal, so distinct texts are stored once. */
export interface Marks {
  readonly texts: readonly string[]
  /** Index of each item's text. */
  readonly textIndexes: Uint8Array
}

const MAX_TEXTS = 256
/** Maximum total length of marks, characters. Beyond it, items get the short form. */
const MAX_CHARS = 16 * 2 ** 20

/** Collects marks. Uses the short form once the distinct marks are too many or too long. */
export class InternedStrings {
  readonly #indexes = new Map<string, number>()
  readonly #texts: string[] = []
  #marks = new Uint8Array(1024)
  #count = 0
  #chars = 0

  /** `plain` is the short form and must be one of a few fixed texts. */
  add(text: string, plain: string): void {
    const mark = this.#chars + text.length <= MAX_CHARS ? text : plain
    this.#chars += mark.length
    let index = this.#indexes.get(mark)
    if (index === undefined && this.#texts.length < MAX_TEXTS / 2) index = this.#indexOf(mark)
    index ??= this.#indexes.get(plain) ?? this.#indexOf(plain)
    if (this.#count === this.#marks.length) {
      const larger = new Uint8Array(this.#marks.length * 2)
      larger.set(this.#marks)
      this.#marks = larger
    }
    this.#marks[this.#count++] = index
  }

  #indexOf(text: string): number {
    const index = this.#texts.push(text) - 1
    this.#indexes.set(text, index)
    return index
  }

  finish(): Marks {
    return { texts: this.#texts, textIndexes: this.#marks.slice(0, this.#count) }
  }
}
