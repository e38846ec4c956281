/** A set of names to find in strings. Text whose length no name has is rejected without creating a substring. */
export class NameSet {
  readonly #names: ReadonlySet<string>
  readonly #lengths: ReadonlySet<number>

  constructor(names: Iterable<string>) {
    this.#names = new Set(names)
    this.#lengths = new Set(Array.from(this.#names, ({ length }) => length))
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  /** Returns the name at `[from, to)` of a string; `undefined` if it is not in the set. */
  at(text: string, from: number, to: number): string | undefined {
    if (!this.#lengths.has(to - from)) return undefined
    const name = text.slice(from, to)
    return this.#names.has(name) ? name : undefined
  }
}
