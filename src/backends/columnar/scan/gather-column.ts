import {
  columnOfValues,
  valueAt,
  type Column,
  type DictionaryColumn,
  type Float64Column,
  type Value,
} from '../../../data/index.ts'

/** Rows selected from several columns: result row `i` is row `rows[i]` of column `parts[partOf[i]]`. */
interface SelectedRows {
  readonly partOf: Uint32Array
  readonly rows: Uint32Array
}

/**
 * Gathers the selected rows of several columns into one column. Plain numbers, and codes of a dictionary that all
 * columns share, are copied in their stored form.
 */
export function gatherColumn(parts: readonly Column[], selected: SelectedRows): Column {
  const [first] = parts
  if (first?.kind === 'dictionary' && areCodesOf(parts, first)) return codesAt(parts, first, selected)
  if (areNumbers(parts)) return numbersAt(parts, selected)
  return valuesAt(parts, selected)
}

function valuesAt(parts: readonly Column[], { partOf, rows }: SelectedRows): Column {
  const values: Value[] = []
  for (let i = 0; i < rows.length; i++) values.push(valueAt(parts[partOf[i]], rows[i]))
  return columnOfValues(values)
}

function areCodesOf(parts: readonly Column[], { dictionary }: DictionaryColumn): parts is readonly DictionaryColumn[] {
  return parts.every((part) => part.kind === 'dictionary' && part.dictionary === dictionary)
}

function codesAt(
  parts: readonly DictionaryColumn[],
  { dictionary }: DictionaryColumn,
  { partOf, rows }: SelectedRows,
): Column {
  const { length } = rows
  const codes = new Uint32Array(length)
  for (let i = 0; i < length; i++) codes[i] = parts[partOf[i]].codes[rows[i]]
  return { kind: 'dictionary', length, codes, dictionary }
}

function areNumbers(parts: readonly Column[]): parts is readonly Float64Column[] {
  return parts.every((part) => part.kind === 'float64' && part.validity === undefined)
}

function numbersAt(parts: readonly Float64Column[], { partOf, rows }: SelectedRows): Column {
  const { length } = rows
  const values = new Float64Array(length)
  for (let i = 0; i < length; i++) values[i] = parts[partOf[i]].values[rows[i]]
  return { kind: 'float64', length, values, validity: undefined }
}
