/** Names of one length up to this many are compared one by one; of more, the piece of text is cut out and looked up. */
const FEW = 8

/** A set of names that are looked for in texts: most of a text is not a name of the set, and is never cut out of it. */
export class NameSet {
  readonly #names: ReadonlySet<string>
  readonly #byLength: readonly (readonly string[] | undefined)[]

  constructor(names: Iterable<string>) {
    this.#names = new Set(names)
    const byLength: string[][] = []
    for (const name of this.#names) (byLength[name.length] ??= []).push(name)
    this.#byLength = byLength
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  /** The name that stands at `[from, to)` of a text; `undefined` when the set does not have it. */
  at(text: string, from: number, to: number): string | undefined {
    const some = this.#byLength[to - from]
    if (some === undefined) return undefined
    if (some.length > FEW) {
      const name = text.slice(from, to)
      return this.#names.has(name) ? name : undefined
    }
    for (const name of some) if (text.startsWith(name, from)) return name
    return undefined
  }
}
