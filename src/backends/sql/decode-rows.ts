import { present } from '../../base/index.ts'
import {
  Instant,
  columnOfValues,
  field,
  integer,
  type Column,
  type Field,
  type RecordBatch,
  type Value,
} from '../../data/index.ts'
import { compareText } from '../../data/index.ts'
import { matchesField } from '../../plan/index.ts'
import { decodeValue, restFields, type SqlValue } from '../../store/sqlite/index.ts'
import type { OutputField, Statement } from './compile.ts'
import { nativeValue } from './host/foreign-values.ts'

/** A batch of result rows, column by column, as the database returned them. */
export interface RawBatch {
  readonly rowCount: number
  readonly columns: readonly (readonly SqlValue[])[]
}

function decodeField(raw: RawBatch, { form, at }: OutputField): Column {
  const values = present(raw.columns[at])
  switch (form) {
    case 'text':
    case 'number':
      // The statement returned integers unchanged, so there is nothing to decode.
      return columnOfValues(
        values.some((value) => typeof value === 'bigint')
          ? values.map((value) => (typeof value === 'bigint' ? integer(value) : (value as Value)))
          : (values as readonly Value[]),
      )
    case 'bool':
      return columnOfValues(values.map((value) => Number(value) !== 0))
    case 'time': {
      const low = present(raw.columns[at + 1])
      return columnOfValues(
        values.map((high, i) =>
          high === null ? null : new Instant(BigInt(Number(high)) * 4294967296n + BigInt(Number(low[i]))),
        ),
      )
    }
    case 'ns':
      return columnOfValues(values.map((ns) => (typeof ns === 'bigint' ? new Instant(ns) : null)))
    case 'native':
      return columnOfValues(values.map((value) => decodeValue(nativeValue(value))))
    case 'any':
      return columnOfValues(values.map(decodeValue))
  }
}

/**
 * Decodes the undeclared fields of all rows of the batch. Returns a column for each field, in code point order of the
 * names.
 */
function decodeRest(
  raw: RawBatch,
  statement: Statement,
): readonly { readonly field: Field; readonly column: Column }[] {
  if (statement.rest === undefined) return []
  const { at, hidden } = statement.rest
  const declared = new Set(statement.schema.fields.map((f) => f.name))
  const byName = new Map<string, Value[]>()
  for (const [i, rest] of present(raw.columns[at]).entries()) {
    if (typeof rest !== 'string') continue
    for (const [name, value] of restFields(rest)) {
      if (declared.has(name) || hidden.some((pattern) => matchesField(pattern, name))) continue
      let values = byName.get(name)
      if (values === undefined) {
        values = Array.from({ length: raw.rowCount }, () => null)
        byName.set(name, values)
      }
      values[i] = value
    }
  }
  return [...byName]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, values]) => ({ field: field(name, 'any', 'dynamic'), column: columnOfValues(values) }))
}

export function decodeBatch(raw: RawBatch, statement: Statement): RecordBatch {
  const declared = statement.fields.map((output) => decodeField(raw, output))
  const others = decodeRest(raw, statement)
  const { schema } = statement
  return {
    schema: others.length === 0 ? schema : { ...schema, fields: [...schema.fields, ...others.map((o) => o.field)] },
    rowCount: raw.rowCount,
    columns: others.length === 0 ? declared : [...declared, ...others.map((o) => o.column)],
  }
}
