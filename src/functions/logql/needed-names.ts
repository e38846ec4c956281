/** Tracks which of the needed labels have been found in the current line. */
export class NeededNames {
  readonly #names: ReadonlySet<string>
  readonly #found = new Set<string>()

  constructor(names: readonly string[]) {
    this.#names = new Set(names)
  }

  /** Starts a new line. */
  begin(): this {
    this.#found.clear()
    return this
  }

  /** Marks a label as found. Returns true if the label is needed. */
  take(name: string): boolean {
    if (!this.#names.has(name)) return false
    this.#found.add(name)
    return true
  }

  get isDone(): boolean {
    return this.#found.size === this.#names.size
  }
}
