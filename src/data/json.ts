import { checkArgument, MAX_CACHED, budgetDiagnostic, nowhere, present, SluiceError } from '../base/index.ts'
import type { RecordBatch } from './batch.ts'
import { JsonCells, type JsonCell } from './json-cells.ts'
import type { JsonDialect } from './json-dialect.ts'
import { jsonPieces, MOST_ROWS, type PieceColumn, type RowSeparator } from './json-pieces.ts'
import type { Row } from './row.ts'
import { valueToJson } from './value-to-json.ts'
import { toText, type Value } from './value.ts'

/** Writes one value as JSON under the `logsql` rules; `undefined` if the value is omitted. */
function valueToLogsqlJson(value: Value): string | undefined {
  const text = toText(value)
  return text === '' ? undefined : JSON.stringify(text)
}

/** Maximum length of the JSON of a row in UTF-16 units, well below the longest string that the runtime supports. */
const MAX_ROW_CHARS = 64 * 2 ** 20

/**
 * Throws if a row is too long. Must be called before the string is used: until then the runtime holds only references
 * to its parts.
 */
function checkRow(text: string): void {
  if (text.length > MAX_ROW_CHARS)
    throw new SluiceError([budgetDiagnostic('row-length', { limitChars: MAX_ROW_CHARS }, nowhere)])
}

/** One member of the JSON objects. */
interface CellColumn extends PieceColumn {
  readonly cell: JsonCell
}

function rowText(columns: readonly CellColumn[], index: number): string {
  let text = '{'
  for (const { key, cell, isNamed } of columns) {
    const json = cell.textAt(index)
    if (json !== undefined) {
      text += text.length === 1 ? key.slice(1) + json : key + json
      checkRow(text)
    } else if (isNamed) text += text.length === 1 ? `${key.slice(1)}null` : `${key}null`
  }
  return `${text}}`
}

/** The row numbers of the group that is being written. */
const rowNumbers = new Uint32Array(MOST_ROWS)

/**
 * Adds at most `count` rows from `from` on and returns the number of rows that fit; 0 if the first row does not fit.
 */
function placeRows(columns: readonly CellColumn[], from: number, count: number): number {
  const pieces = jsonPieces()
  let placed = Math.min(count, pieces.begin(columns))
  for (let i = 0; i < placed; i++) rowNumbers[i] = from + i
  for (const [c, { cell }] of columns.entries()) placed = cell.place(rowNumbers, placed, pieces, c)
  return placed
}

const encoder = new TextEncoder()

/** Writes rows as JSON objects, one string each. Escaped field names are cached. Throws `budget/row-length`. */
export class RowWriter {
  readonly dialect: JsonDialect
  readonly #keys = new Map<string, string>()
  readonly #cells: JsonCells

  constructor(dialect: JsonDialect = 'native') {
    this.dialect = dialect
    this.#cells = new JsonCells(dialect, dialect === 'native' ? valueToJson : valueToLogsqlJson)
  }

  /** Returns `{"name":value,…}` with members in row order. `null` is written, because only named columns have it. */
  row(row: Row): string {
    let text = ''
    for (const [name, value] of row) text = this.#append(text, name, value)
    return `{${text}}`
  }

  /** Yields the rows of a batch in order. A missing value of a dynamic field is left out. */
  *batch(batch: RecordBatch): Generator<string> {
    const columns = this.#columns(batch)
    for (let index = 0; index < batch.rowCount; index++) yield rowText(columns, index)
  }

  /**
   * Yields the first `count` rows of a batch as UTF-8, each preceded by `separator`. The JSON is the same as that of
   * `batch`, without creating strings. Each chunk has up to 256 rows and is valid only until this thread writes other
   * rows, so it must be used before yielding to the event loop. Throws `budget/row-length`.
   */
  *bytes(batch: RecordBatch, separator: RowSeparator, count = batch.rowCount): Generator<Uint8Array> {
    const columns = this.#columns(batch)
    for (let row = 0; row < count;) {
      const placed = placeRows(columns, row, count - row)
      if (placed > 0) yield jsonPieces().joined(placed, separator)
      else yield encoder.encode(separator + rowText(columns, row))
      row += Math.max(placed, 1)
    }
  }

  #columns(batch: RecordBatch): readonly CellColumn[] {
    return batch.schema.fields.map(({ name, presence }, c) => ({
      key: `,${this.#key(name)}`,
      cell: this.#cells.of(present(batch.columns[c])),
      isNamed: this.dialect === 'native' && presence === 'named',
    }))
  }

  #append(text: string, name: string, value: Value): string {
    const json = this.dialect === 'native' ? valueToJson(value) : valueToLogsqlJson(value)
    if (json === undefined) return text
    const longer = text === '' ? `${this.#key(name)}${json}` : `${text},${this.#key(name)}${json}`
    checkRow(longer)
    return longer
  }

  #key(name: string): string {
    const known = this.#keys.get(name)
    if (known !== undefined) return known
    if (this.#keys.size >= MAX_CACHED) this.#keys.clear()
    const key = `${JSON.stringify(name)}:`
    this.#keys.set(name, key)
    return key
  }
}

/** Writes a row as one JSON object. */
export function rowToJson(row: Row, dialect: JsonDialect = 'native'): string {
  checkArgument(row instanceof Map, row, 'a row that `rowsOf` gives', 'rowToJson(row)')
  return new RowWriter(dialect).row(row)
}
