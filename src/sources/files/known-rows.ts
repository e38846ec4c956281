import { MAX_KNOWN_TEXTS, type RecordTableDefinition } from '../../plan/index.ts'
import { knownFieldsOf, type Segment } from '../../store/index.ts'

/** Facts about rows that are read part by part: fields, values and counts, without the rows themselves. */
export class KnownRows {
  rows = 0
  readonly #definition: RecordTableDefinition
  readonly #fields = new Map<string, number>()
  /** For each field, the number of rows of each value; `undefined` for a field with too many values. */
  readonly #texts = new Map<string, Map<string, number> | undefined>()
  readonly #withStrayText = new Set<string>()

  constructor(definition: RecordTableDefinition) {
    this.#definition = definition
  }

  add(segments: readonly Segment[]): void {
    const known = knownFieldsOf(segments, this.#definition)
    this.rows += known.rows
    for (const [field, rows] of known.fields()) {
      this.#fields.set(field, (this.#fields.get(field) ?? 0) + rows)
      if (!this.#withStrayText.has(field) && known.hasStrayText?.(field) === true) this.#withStrayText.add(field)
      const texts = this.texts(field)
      if (texts !== undefined) this.#texts.set(field, together(texts, known.texts(field)))
    }
  }

  fields(): ReadonlyMap<string, number> {
    return this.#fields
  }

  texts(field: string): ReadonlyMap<string, number> | undefined {
    const { timeField, textField } = this.#definition
    if (field === timeField || field === textField) return undefined
    return this.#texts.has(field) ? this.#texts.get(field) : new Map()
  }

  hasStrayText(field: string): boolean {
    return this.#withStrayText.has(field)
  }
}

/** Adds the row counts of two parts by value; `undefined` when there are too many values. */
function together(
  texts: ReadonlyMap<string, number>,
  more: ReadonlyMap<string, number> | undefined,
): Map<string, number> | undefined {
  if (more === undefined) return undefined
  const all = new Map(texts)
  for (const [text, rows] of more) all.set(text, (all.get(text) ?? 0) + rows)
  return all.size > MAX_KNOWN_TEXTS ? undefined : all
}
