import { present, sortedBy } from '../../../base/index.ts'
import {
  Instant,
  JsonText,
  columnOfValues,
  compareGroupKeys,
  compareNumbers,
  compareSortKey,
  compareText,
  field,
  float,
  integer,
  isEmptyValue,
  quoteNonNumbers,
  type Column,
  type Field,
  type RecordBatch,
  type Value,
} from '../../../data/index.ts'
import { matchesField } from '../../../plan/index.ts'
import { assemble } from './assembled.ts'
import type { CompiledForeign, ForeignOutputField, Ranking } from './compile.ts'
import type { ForeignBatch, ForeignValue } from './engine.ts'
import { memberTexts } from './member-texts.ts'

type Columns = ForeignBatch['columns']

/** Parses a JSON string to a value. A list or object becomes a JsonText with the unchanged string. */
function jsonValue(text: string): Value {
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed === 'object' && parsed !== null) return new JsonText(text)
  return typeof parsed === 'number' ? float(parsed) : (parsed as Value)
}

function valueOf(
  given: ForeignValue,
  form: (ForeignOutputField & { kind: 'value' })['form'],
  isDigits: boolean,
): Value {
  if (given === null) return null
  if (isDigits) return integer(BigInt(given))
  switch (form) {
    case 'number':
      return typeof given === 'bigint' ? integer(given) : float(given as number)
    case 'time':
      return new Instant(given as bigint)
    case 'any':
      return jsonValue(given as string)
    default:
      return given
  }
}

function valuesOf(columns: Columns, output: ForeignOutputField, rowCount: number): readonly Value[] {
  if (output.kind === 'value') {
    const { form, isDigits, at } = output
    return present(columns[at]).map((given) => valueOf(given, form, isDigits))
  }
  const parts = output.at.map((part) => present(columns[part]))
  return assemble(output.of, parts, rowCount)
}

function columnOf(columns: Columns, output: ForeignOutputField, rowCount: number): Column {
  const values = valuesOf(columns, output, rowCount)
  return columnOfValues(output.isJsonText ? values.map(asListOrObject) : values)
}

function asListOrObject(value: Value): Value {
  return typeof value === 'string' && /^[[{]/.test(value) ? new JsonText(quoteNonNumbers(value)) : value
}

/**
 * Returns a column for each undeclared field, in code point order of the names. If several columns of a row contain a
 * name, the first non-empty value is used.
 */
function restColumns(
  { rowCount, columns }: ForeignBatch,
  { rest, schema }: CompiledForeign,
): readonly { readonly field: Field; readonly column: Column }[] {
  if (rest === undefined) return []
  const declared = new Set(schema.fields.map((each) => each.name))
  const byName = new Map<string, Value[]>()
  for (const { at, attribute } of rest.parts) {
    for (const [row, text] of present(columns[at]).entries()) {
      if (typeof text !== 'string') continue
      let texts: ReadonlyMap<string, string> | undefined
      for (const [member, given] of Object.entries(JSON.parse(text) as Record<string, unknown>)) {
        const name = attribute.prefix + member
        if (declared.has(name) || rest.hidden.some((pattern) => matchesField(pattern, name))) continue
        let values = byName.get(name)
        if (values === undefined) {
          values = Array.from({ length: rowCount }, () => null)
          byName.set(name, values)
        }
        if (!isEmptyValue(values[row] ?? null)) continue
        if (typeof given === 'object' && given !== null)
          values[row] = new JsonText(present((texts ??= memberTexts(text)).get(member)))
        else values[row] = typeof given === 'number' ? float(given) : (given as Value)
      }
    }
  }
  return [...byName]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, values]) => ({ field: field(name, 'any', 'dynamic'), column: columnOfValues(values) }))
}

export function decodeForeign(batch: ForeignBatch, compiled: CompiledForeign): RecordBatch {
  const { schema, fields } = compiled
  const declared = fields.map((output) => columnOf(batch.columns, output, batch.rowCount))
  const others = restColumns(batch, compiled)
  return {
    schema: others.length === 0 ? schema : { ...schema, fields: [...schema.fields, ...others.map((o) => o.field)] },
    rowCount: batch.rowCount,
    columns: others.length === 0 ? declared : [...declared, ...others.map((o) => o.column)],
  }
}

function comparePlain(a: ForeignValue, b: ForeignValue): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  if (typeof a === 'boolean' || typeof b === 'boolean') return Number(a) - Number(b)
  return compareNumbers(a as number | bigint, b as number | bigint)
}

function compareTerm(a: ForeignValue, b: ForeignValue, { direction, ranks }: Ranking['terms'][number]): number {
  if (ranks === 'flag') return 0
  if (ranks === 'values') return compareSortKey(a, b, direction)
  if (ranks === 'groups') return compareGroupKeys(a, b)
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return direction === 'asc' ? comparePlain(a, b) : comparePlain(b, a)
}

/**
 * True if a statement with a limit has certainly returned the right rows. SQL has sorted strings by characters, so a
 * returned string that Sluice sorts as a number or time may be in the wrong position.
 */
export function isCutRight({ columns }: ForeignBatch, { terms }: Ranking): boolean {
  return terms.every(({ at, ranks }) => ranks !== 'flag' || !present(columns[at]).includes(true))
}

/**
 * Sorts the rows of a batch in the order that the statement could not express. Returns their positions in the batch,
 * after offset and limit.
 */
export function ranked({ rowCount, columns }: ForeignBatch, { terms, limit, offset }: Ranking): number[] {
  const rows = Array.from({ length: rowCount }, (_, row) => row)
  const sorted = sortedBy(rows, (a, b) => {
    for (const term of terms) {
      const values = present(columns[term.at])
      const order = compareTerm(values[a] ?? null, values[b] ?? null, term)
      if (order !== 0) return order
    }
    return a - b
  })
  return sorted.slice(offset, limit === undefined ? undefined : offset + limit)
}

/** Returns a batch with the rows at these positions, in this order. */
export function rowsAt({ columns }: ForeignBatch, rows: readonly number[]): ForeignBatch {
  return { rowCount: rows.length, columns: columns.map((values) => rows.map((row) => values[row] ?? null)) }
}
