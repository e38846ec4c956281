import {
  columnOfValues,
  valueAt,
  type Column,
  type DictionaryColumn,
  type Float64Column,
  type TimeColumn,
  type Value,
} from '../../../data/index.ts'

/** Single rows of several columns: row `i` is row `rows[i]` of `parts[partOf[i]]`. */
interface Places {
  readonly partOf: Uint32Array
  readonly rows: Uint32Array
}

/**
 * The values at these places as one column. Codes of one dictionary, plain numbers and times are copied as they are stored: a loop
 * that does nothing else waits for many places of the memory at once, and values are made once, by who reads them.
 */
export function columnOfPlaces(parts: readonly Column[], places: Places): Column {
  const [first] = parts
  if (first?.kind === 'dictionary' && areCodesOf(parts, first)) return codesAt(parts, first, places)
  if (areNumbers(parts)) return numbersAt(parts, places)
  if (areTimes(parts)) return timesAt(parts, places) ?? valuesAt(parts, places)
  return valuesAt(parts, places)
}

function valuesAt(parts: readonly Column[], { partOf, rows }: Places): Column {
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
  { partOf, rows }: Places,
): Column {
  const { length } = rows
  const codes = new Uint32Array(length)
  for (let i = 0; i < length; i++) codes[i] = parts[partOf[i]].codes[rows[i]]
  return { kind: 'dictionary', length, codes, dictionary }
}

function areNumbers(parts: readonly Column[]): parts is readonly Float64Column[] {
  return parts.every((part) => part.kind === 'float64' && part.validity === undefined)
}

function numbersAt(parts: readonly Float64Column[], { partOf, rows }: Places): Column {
  const { length } = rows
  const values = new Float64Array(length)
  for (let i = 0; i < length; i++) values[i] = parts[partOf[i]].values[rows[i]]
  return { kind: 'float64', length, values, validity: undefined }
}

function areTimes(parts: readonly Column[]): parts is readonly TimeColumn[] {
  return parts.every((part) => part.kind === 'time' && part.validity === undefined)
}

/** `undefined` where the times lie too far apart. */
function timesAt(parts: readonly TimeColumn[], { partOf, rows }: Places): Column | undefined {
  const { length } = rows
  const baseNs = parts.reduce((least, part) => (part.baseNs < least ? part.baseNs : least), parts[0].baseNs)
  const ahead = Float64Array.from(parts, (part) => Number(part.baseNs - baseNs))
  const deltas = new Float64Array(length)
  let most = 0
  for (let i = 0; i < length; i++) {
    const part = partOf[i]
    deltas[i] = parts[part].deltas[rows[i]] + ahead[part]
    if (deltas[i] > most) most = deltas[i]
  }
  return most <= Number.MAX_SAFE_INTEGER ? { kind: 'time', length, baseNs, deltas, validity: undefined } : undefined
}
