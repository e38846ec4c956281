import { BACKSLASH, Bytes, CARRIAGE_RETURN, LINE_FEED, QUOTE, parseRfc3339 } from '../base/index.ts'
import { utf8 } from '../data/index.ts'
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

/** Records of cells, and where one begins whose end is not there: the number of bytes for none. */
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

/** Where a cell with its quotes ends; -1 where that is not known. */
export function cellEnd(bytes: Bytes, start: number, end: number, separator: number, hasBackslashes = false): number {
  let at = start
  if (bytes[at] === QUOTE) {
    for (at++; ; at++) {
      if (at >= end) return -1
      if (hasBackslashes && bytes[at] === BACKSLASH) {
        at++
        continue
      }
      if (bytes[at] !== QUOTE) continue
      if (bytes[at + 1] !== QUOTE || at + 1 >= end) break
      at++
    }
    at++
  }
  while (at < end && bytes[at] !== separator && bytes[at] !== LINE_FEED && bytes[at] !== CARRIAGE_RETURN) at++
  return at
}

/** Where the record that begins there ends, behind its line end; -1 where that is not known. */
export function recordEnd(bytes: Bytes, start: number, end: number, separator: number, hasBackslashes = false): number {
  for (let at = start; ; at++) {
    at = cellEnd(bytes, at, end, separator, hasBackslashes)
    if (at === -1) return -1
    if (at >= end) return end
    if (bytes[at] === LINE_FEED) return at + 1
    if (bytes[at] === CARRIAGE_RETURN) return bytes[at + 1] === LINE_FEED && at + 1 < end ? at + 2 : at + 1
  }
}

/**
 * Records of cells as RFC 4180 has them: cells in quotes may hold separators, line ends and, doubled, quotes. Taken as well: other
 * separators, any line ends, quotes within a cell that has none around it. Blank lines are passed over.
 */
export function readCells(bytes: Bytes, separator: Separator, { isWhole, hasBackslashes }: CellReading): ReadCells {
  const records: (readonly string[])[] = []
  const byte = separator.charCodeAt(0)
  let restAt = 0
  while (restAt < bytes.length) {
    const end = recordEnd(bytes, restAt, bytes.length, byte, hasBackslashes)
    // More of the last record may come, and a line feed behind a carriage return.
    if (end === -1 || (end === bytes.length && !isWhole && bytes[end - 1] !== LINE_FEED)) break
    const cells: string[] = []
    for (let at = restAt; ; at++) {
      const to = cellEnd(bytes, at, end, byte, hasBackslashes)
      cells.push(cellText(utf8(bytes, at, to), hasBackslashes))
      at = to
      if (at >= end || bytes[at] !== byte) break
    }
    restAt = end
    const [only = ''] = cells
    if (cells.length > 1 || only.trim() !== '') records.push(cells)
  }
  return { records, restAt }
}

/** A cell as it is meant: what stands behind its closing quote belongs to it. */
function cellText(cell: string, hasBackslashes: boolean): string {
  if (cell.charCodeAt(0) !== QUOTE) return cell
  let value = ''
  for (let start = 1; ;) {
    const close = closingQuote(cell, start, hasBackslashes)
    const part = cell.slice(start, close)
    value += hasBackslashes ? part.replaceAll(/\\([^])/g, '$1') : part
    if (cell.charCodeAt(close + 1) !== QUOTE) return value + cell.slice(close + 1)
    value += '"'
    start = close + 2
  }
}

/** The next quote, with backslashes the next one without a backslash before it; the length of the text for none. */
function closingQuote(text: string, from: number, hasBackslashes: boolean): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) !== QUOTE)
    at += hasBackslashes && text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
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
  const { records } = readCells(Bytes.from(text), separator, { isWhole, hasBackslashes: hasBackslashes(text) })
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
