/** Counts how many queries contained each form of a language, and each pair of forms. */
export class Coverage {
  readonly #forms: readonly string[]
  readonly #single = new Map<string, number>()
  readonly #pairs = new Map<string, number>()

  /** `forms` are all forms that can be drawn. */
  constructor(forms: Iterable<string>) {
    this.#forms = [...new Set(forms)].toSorted()
    for (const form of this.#forms) this.#single.set(form, 0)
  }

  add(found: Iterable<string>): void {
    const known = [...new Set(found)].filter((form) => this.#single.has(form)).toSorted()
    for (const [i, form] of known.entries()) {
      this.#single.set(form, (this.#single.get(form) ?? 0) + 1)
      for (const other of known.slice(i + 1)) {
        const key = `${form} + ${other}`
        this.#pairs.set(key, (this.#pairs.get(key) ?? 0) + 1)
      }
    }
  }

  /** Forms that no query has contained. */
  get missing(): readonly string[] {
    return this.#forms.filter((form) => this.#single.get(form) === 0)
  }

  /** `held` is the number of pairs that queries have contained, `all` the number of possible pairs. */
  get pairs(): { readonly held: number; readonly all: number } {
    const { length } = this.#forms
    return { held: this.#pairs.size, all: (length * (length - 1)) / 2 }
  }

  /**
   * Yields a line for each kind of pair (such as `filter + pipe`): the number of covered pairs, the number of all
   * pairs, and the median number of queries per pair.
   */
  *summary(): Generator<string> {
    const kinds = new Map<string, number[]>()
    for (const [i, form] of this.#forms.entries()) {
      for (const other of this.#forms.slice(i + 1)) {
        const kind = [form, other].map((name) => name.split(' ')[0]).join(' + ')
        const counts = kinds.get(kind) ?? []
        kinds.set(kind, counts)
        counts.push(this.#pairs.get(`${form} + ${other}`) ?? 0)
      }
    }
    for (const [kind, counts] of kinds) {
      const sorted = counts.toSorted((a, b) => a - b)
      const held = sorted.filter((count) => count > 0).length
      yield `${kind}: ${held} of ${sorted.length} pairs, ${sorted[sorted.length >> 1]} queries in the median`
    }
  }
}
