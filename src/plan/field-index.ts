import type { Field, Schema } from '../data/index.ts'

const indexes = new WeakMap<Schema, ReadonlyMap<string, Field>>()

/** Returns the declared field with a name. Takes constant time, even with thousands of fields. */
export function declaredField(schema: Schema, name: string): Field | undefined {
  let index = indexes.get(schema)
  if (index === undefined) {
    index = new Map(schema.fields.toReversed().map((each) => [each.name, each]))
    indexes.set(schema, index)
  }
  return index.get(name)
}

/**
 * A schema to which fields are added one by one. A new field is appended; a field with a known name is removed first.
 */
export class GrowingSchema implements Schema {
  readonly isOpen: boolean
  readonly #fields: Map<string, Field>
  #listed: readonly Field[] | undefined

  constructor(schema: Schema) {
    this.isOpen = schema.isOpen
    this.#fields = new Map(schema.fields.map((each) => [each.name, each]))
    indexes.set(this, this.#fields)
  }

  get fields(): readonly Field[] {
    this.#listed ??= [...this.#fields.values()]
    return this.#listed
  }

  add(field: Field): void {
    this.#fields.delete(field.name)
    this.#fields.set(field.name, field)
    this.#listed = undefined
  }
}
