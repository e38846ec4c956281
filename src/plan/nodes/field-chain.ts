import type { Field } from '../../data/index.ts'

interface Link {
  readonly field: Field
  before: Link | undefined
  after: Link | undefined
}

/** An ordered list of fields with constant-time search, insertion and removal. */
export class FieldChain {
  readonly #links = new Map<string, Link>()
  #first: Link | undefined
  #last: Link | undefined

  constructor(fields: readonly Field[]) {
    for (const field of fields) this.#insert(field, this.#last)
  }

  /**
   * Applies one step of a rename or copy between plain names. A renamed field keeps the position of the source; a copy
   * is placed directly after it.
   */
  rename(from: string, to: string, isCopy: boolean): void {
    if (from === to) return
    const source = this.#links.get(from)
    const old = this.#links.get(to)
    if (old !== undefined) this.#remove(old)
    if (source === undefined) {
      this.#insert({ name: to, type: 'any', presence: 'named' }, this.#last)
      return
    }
    this.#insert({ ...source.field, name: to, presence: 'named' }, source)
    if (!isCopy) this.#remove(source)
  }

  list(): readonly Field[] {
    const fields: Field[] = []
    for (let link = this.#first; link !== undefined; link = link.after) fields.push(link.field)
    return fields
  }

  #insert(field: Field, before: Link | undefined): void {
    const after = before === undefined ? this.#first : before.after
    const link: Link = { field, before, after }
    if (before === undefined) this.#first = link
    else before.after = link
    if (after === undefined) this.#last = link
    else after.before = link
    this.#links.set(field.name, link)
  }

  #remove(link: Link): void {
    const { before, after, field } = link
    if (before === undefined) this.#first = after
    else before.after = after
    if (after === undefined) this.#last = before
    else after.before = before
    this.#links.delete(field.name)
  }
}
