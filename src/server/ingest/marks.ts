/** Short texts, one for each item of a payload. Most are equal, so distinct texts are stored once. */
export interface Marks {
  readonly texts: readonly string[]
  /** Index of each item's text. */
  readonly places: Uint8Array
}

const MAX_TEXTS = 256
/** Maximum total length of marks, characters. Then items get the short form. */
const MAX_CHARS = 16 * 2 ** 20

/** Collects marks. If there are too many distinct ones, or too long ones, the short form is used. */
export class InternedStrings {
  readonly #places = new Map<string, number>()
  readonly #texts: string[] = []
  #marks = new Uint8Array(1024)
  #count = 0
  #chars = 0

  /** `plain` is the short form and must be one of a few fixed texts. */
  add(text: string, plain: string): void {
    const mark = this.#chars + text.length <= MAX_CHARS ? text : plain
    this.#chars += mark.length
    let place = this.#places.get(mark)
    if (place === undefined && this.#texts.length < MAX_TEXTS / 2) place = this.#placeOf(mark)
    place ??= this.#places.get(plain) ?? this.#placeOf(plain)
    if (this.#count === this.#marks.length) {
      const larger = new Uint8Array(this.#marks.length * 2)
      larger.set(this.#marks)
      this.#marks = larger
    }
    this.#marks[this.#count++] = place
  }

  #placeOf(text: string): number {
    const place = this.#texts.push(text) - 1
    this.#places.set(text, place)
    return place
  }

  finish(): Marks {
    return { texts: this.#texts, places: this.#marks.slice(0, this.#count) }
  }
}
