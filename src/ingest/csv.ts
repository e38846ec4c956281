import { BACKSLASH, CARRIAGE_RETURN, LINE_FEED, QUOTE, parseRfc3339 } from '../base/index.ts'
import { FORMAT_SAMPLE_LINES, MAX_CSV_NAME_CHARS, MAX_TITLES } from './tuning.ts'

/** What stands between the cells of a record. */
export const separators = [',', '\t', ';', '|'] as const
export type Separator = (typeof separators)[number]

/** What a table has that others have not; templates read tables without any of it. */
export interface TableQuirks {
  /** A backslash in a quoted cell stands before a quote, or any other character, that is meant as it is. */
  readonly hasBackslashes: boolean
  /** Numbers are written as `1.250,5`. */
  readonly hasDecimalCommas: boolean
  /** Records of one cell above the names of the columns. */
  readonly titles: number
}

export const plainTable: TableQuirks = { hasBackslashes: false, hasDecimalCommas: false, titles: 0 }

/** Records of cells, and where one begins whose end is not there: the length of the text for none. */
export interface ReadCells {
  readonly records: readonly (readonly string[])[]
  readonly restAt: number
}

/** How the cells of a text are read. */
interface CellReading {
  /** Whether the text ends with its last record. */
  readonly isWhole: boolean
  /** As `TableQuirks.hasBackslashes`. */
  readonly hasBackslashes: boolean
}

/**
 * Records of cells as RFC 4180 has them: cells in quotes may hold separators, line ends and, doubled, quotes. Taken as well: other
 * separators, any line ends, quotes within a cell that has none around it. Blank lines are passed over.
 */
export function readCells(text: string, separator: Separator, reading: CellReading): ReadCells {
  const records: (readonly string[])[] = []
  let restAt = 0
  while (restAt < text.length) {
    const record = recordAt(text, restAt, separator.charCodeAt(0), reading)
    if (record === undefined) break
    restAt = record.end
    const [only = ''] = record.cells
    if (record.cells.length > 1 || only.trim() !== '') records.push(record.cells)
  }
  return { records, restAt }
}

/** The cells of the record that begins at an offset, and where the next begins; `undefined` when its end has not come yet. */
function recordAt(
  text: string,
  from: number,
  separator: number,
  reading: CellReading,
): { readonly cells: readonly string[]; readonly end: number } | undefined {
  const cells: string[] = []
  let at = from
  for (;;) {
    let cell = ''
    if (text.charCodeAt(at) === QUOTE) {
      const quoted = quotedAt(text, at + 1, reading)
      if (quoted === undefined) return undefined
      cell = quoted.value
      at = quoted.end
    }
    let end = at
    let code = text.charCodeAt(end)
    while (end < text.length && code !== separator && code !== LINE_FEED && code !== CARRIAGE_RETURN)
      code = text.charCodeAt(++end)
    if (end === text.length && !reading.isWhole) return undefined
    cells.push(end > at ? cell + text.slice(at, end) : cell)
    if (end === text.length || code === LINE_FEED) return { cells, end: Math.min(text.length, end + 1) }
    if (code === separator) {
      at = end + 1
      continue
    }
    // A carriage return alone ends a record too; whether a line feed follows it must be known.
    if (end + 1 === text.length && !reading.isWhole) return undefined
    return { cells, end: text.charCodeAt(end + 1) === LINE_FEED ? end + 2 : end + 1 }
  }
}

/** A cell from after its opening quote on, and where its closing quote ends; `undefined` when that has not come yet. */
function quotedAt(
  text: string,
  from: number,
  { isWhole, hasBackslashes }: CellReading,
): { readonly value: string; readonly end: number } | undefined {
  const written = (part: string): string => (hasBackslashes ? part.replaceAll(/\\([^])/g, '$1') : part)
  let value = ''
  for (let start = from; ;) {
    const close = closingQuote(text, start, hasBackslashes)
    if (close === -1 || (close === text.length - 1 && !isWhole)) return undefined
    value += written(text.slice(start, close))
    if (text.charCodeAt(close + 1) !== QUOTE) return { value, end: close + 1 }
    value += '"'
    start = close + 2
  }
}

/** The next quote, with backslashes the next one without a backslash before it; -1 for none. */
function closingQuote(text: string, from: number, hasBackslashes: boolean): number {
  if (!hasBackslashes) return text.indexOf('"', from)
  let at = from
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at < text.length ? at : -1
}

function isNumberOrTime(cell: string): boolean {
  const text = cell.trim()
  return (
    (text !== '' && Number.isFinite(Number(text))) || parseRfc3339(text) !== undefined || /^\d{4}-\d\d-\d\d/.test(text)
  )
}

/** Whether the cells of the first record are names of columns: all there, most of them different, neither numbers nor times. */
export function isHeader(cells: readonly string[]): boolean {
  return (
    new Set(cells).size * 2 > cells.length &&
    cells.every((cell) => cell.trim() !== '' && cell.length <= MAX_CSV_NAME_CHARS && !isNumberOrTime(cell))
  )
}

/** The first name that several columns have. */
export function doubledName(cells: readonly string[]): string | undefined {
  const names = cells.map((cell) => cell.trim())
  return names.find((name, i) => names.indexOf(name) < i)
}

/** The names of the columns, each once: the second of a name gets `_2` behind it, or the next number that is free. */
export function distinctNames(cells: readonly string[]): readonly string[] {
  const given = new Set(cells.map((cell) => cell.trim()))
  const taken = new Set<string>()
  return cells.map((cell) => {
    const name = cell.trim()
    let distinct = name
    for (let number = 2; taken.has(distinct) || (distinct !== name && given.has(distinct)); number++)
      distinct = `${name}_${number}`
    taken.add(distinct)
    return distinct
  })
}

/** Names of columns as programs write them, so that a sentence with commas is not taken for a header. */
const WRITTEN_NAME = /^[\p{L}_@$#][\p{L}\p{N}_.@:/()%#-]*( [\p{L}\p{N}_.@:/()%#-]+)*$/u

/** A label with its value, as every line of LTSV has them. */
const LABELLED = /^[\w.-]+:./

/** The first whole records of a text. */
function sampleOf(text: string, separator: Separator, isWhole: boolean): ReadCells['records'] {
  const { records } = readCells(text, separator, { isWhole, hasBackslashes: hasBackslashes(text) })
  return records.slice(0, FORMAT_SAMPLE_LINES)
}

/** Whether a quote behind a backslash goes on with its cell: behind others a separator, an end or another quote comes. */
function hasBackslashes(text: string): boolean {
  return /\\"(?!["\t\r\n,;|]|$)/.test(text)
}

/** How many records of one cell stand above those of a table, which have as many cells as each other. */
function titlesOf(records: readonly (readonly string[])[]): number {
  const first = records.findIndex(({ length }) => length > 1)
  if (first <= 0 || first > MAX_TITLES || records.length < first + 2) return 0
  const width = records[first]?.length
  return records.slice(first).every(({ length }) => length === width) ? first : 0
}

const COMMA_NUMBER = /^[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+$/
const POINT_NUMBER = /^[+-]?\d+\.(?!\d{3}$)\d+$/

/** What a table that begins so has that others have not. */
export function tableQuirks(text: string, separator: Separator): TableQuirks {
  const records = sampleOf(text, separator, false)
  const cells = separator === ';' ? records.flat() : []
  return {
    hasBackslashes: hasBackslashes(text),
    hasDecimalCommas: cells.some((cell) => COMMA_NUMBER.test(cell)) && !cells.some((cell) => POINT_NUMBER.test(cell)),
    titles: titlesOf(records),
  }
}

/** A cell with a decimal comma as the number that it is; others as they are. */
export function withPoint(cell: string): string {
  return COMMA_NUMBER.test(cell) ? cell.replaceAll('.', '').replace(',', '.') : cell
}

/** What separates the cells of a text that is known to be a table: the one with the most columns in every record. */
export function separatorOf(text: string): Separator {
  let best: Separator = ','
  let most = 1
  for (const separator of separators) {
    const all = sampleOf(text, separator, true)
    const records = all.slice(titlesOf(all))
    const least = records.reduce((min, { length }) => Math.min(min, length), Infinity)
    if (records.length > 0 && least > most) {
      most = least
      best = separator
    }
  }
  return best
}

/**
 * The separator of a text that looks like a table: a header of at least three names, two for tabs, and records of just as
 * many cells. `undefined` when it does not.
 */
export function tableSeparator(text: string, isWhole: boolean): Separator | undefined {
  return separators.find((separator) => {
    const all = sampleOf(text, separator, isWhole)
    const [header, ...records] = all.slice(titlesOf(all))
    if (header === undefined || records.length === 0) return false
    return (
      header.length >= (separator === '\t' ? 2 : 3) &&
      isHeader(header) &&
      !(separator === '\t' && header.every((cell) => LABELLED.test(cell))) &&
      header.every((cell) => WRITTEN_NAME.test(cell)) &&
      records.every(({ length }) => length === header.length)
    )
  })
}
