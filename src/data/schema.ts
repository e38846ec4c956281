/**
 * The type of a column that is known before its values are read. Dynamic fields are `any`. With any other type, every
 * non-missing value has this type.
 */
export type DataType = 'any' | 'string' | 'number' | 'integer' | 'bool' | 'time' | 'json'

/** A column of a table or answer. */
export interface Field {
  readonly name: string
  readonly type: DataType
  /**
   * `named`: the query requests the field by name (`fields`, `stats`, an alias), so every answer row has it, `null`
   * when missing. `dynamic`: the field comes with whole rows, and an answer row omits it when missing.
   */
  readonly presence: 'named' | 'dynamic'
}

/** The columns of a node or batch, in answer order. Rows of an open schema may have other fields. */
export interface Schema {
  readonly fields: readonly Field[]
  readonly isOpen: boolean
}

export function field(name: string, type: DataType = 'any', presence: Field['presence'] = 'named'): Field {
  return { name, type, presence }
}

export function fieldNamed(schema: Schema, name: string): Field | undefined {
  return schema.fields.find((candidate) => candidate.name === name)
}

/** Returns whether both schemas have the same columns, types, order and openness. */
export function isSameSchema(a: Schema, b: Schema): boolean {
  return (
    a.isOpen === b.isOpen &&
    a.fields.length === b.fields.length &&
    a.fields.every(({ name, type, presence }, i) => {
      const other = b.fields[i]
      return name === other?.name && type === other.type && presence === other.presence
    })
  )
}
