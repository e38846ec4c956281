import { BACKSLASH, Bytes, CARRIAGE_RETURN, LINE_FEED, QUOTE, parseRfc3339 } from '../base/index.ts'
import { utf8 } from '../data/index.ts'
import { FORMAT_SAMPLE_LINES, MAX_CSV_NAME_CHARS, MAX_TITLES } from './tuning.ts'

/** The characters that may separate the cells of a record. */
export const separators = [',', '\t', ';', '|'] as const
export type Separator = (typeof separators)[number]

/** Deviations of a table from RFC 4180. Templates read only tables without them. */
export interface TableQuirks {
  /** True if a backslash in a quoted cell escapes the next character, such as a quote. */
  readonly hasBackslashes: boolean
  /** True if numbers are written as `1.250,5`. */
  readonly hasDecimalCommas: boolean
  /** The number of one-cell records above the column names. */
  readonly titles: number
}

export const plainTable: TableQuirks = { hasBackslashes: false, hasDecimalCommas: false, titles: 0 }

/**
 * The complete records of a text, and the offset `restAt` of the first incomplete one. `restAt` is the length of the
 * text if all records are complete.
 */
export interface ReadCells {
  readonly records: readonly (readonly string[])[]
  readonly restAt: number
}

/** The settings for reading the cells of a text. */
interface ReadCell {
  /** True if the text is the whole input, so that its end completes the last record. */
  readonly isWhole: boolean
  /** True if backslashes escape, as in `TableQuirks.hasBackslashes`. */
  readonly hasBackslashes: boolean
}

/** Returns the offset after a cell and its quotes; -1 when the end is not in these bytes. */
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

/** Returns the offset after the line end of the record at `start`; -1 when the end is not in these bytes. */
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
 * Reads records of cells as RFC 4180 defines them: quoted cells may contain separators, line ends and doubled quotes.
 * It also accepts other separators, any line ends, and quotes inside unquoted cells. Blank lines are skipped.
 */
export function readCells(bytes: Bytes, separator: Separator, { isWhole, hasBackslashes }: ReadCell): ReadCells {
  const records: (readonly string[])[] = []
  const byte = separator.charCodeAt(0)
  let restAt = 0
  while (restAt < bytes.length) {
    const end = recordEnd(bytes, restAt, bytes.length, byte, hasBackslashes)
    // The record may continue in the next bytes, or they may begin with the line feed of its CR LF.
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

/** Returns the value of a cell without quotes and escapes. Text after the closing quote belongs to the value. */
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

/** Returns the offset of the next quote, or the length of the text. With backslashes, escaped quotes are skipped. */
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

/**
 * True if the cells of the first record are column names: no cell is empty, most cells differ, and no cell is a number
 * or a time.
 */
export function isHeader(cells: readonly string[]): boolean {
  return (
    new Set(cells).size * 2 > cells.length &&
    cells.every((cell) => cell.trim() !== '' && cell.length <= MAX_CSV_NAME_CHARS && !isNumberOrTime(cell))
  )
}

/** Returns the first name that occurs more than once; `undefined` if there is none. */
export function doubledName(cells: readonly string[]): string | undefined {
  const names = cells.map((cell) => cell.trim())
  return names.find((name, i) => names.indexOf(name) < i)
}

/**
 * Returns the column names without duplicates. The second occurrence of a name gets the suffix `_2` or the next free
 * number.
 */
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

/** Column names as programs write them. The pattern rejects sentences with commas, which are not headers. */
const WRITTEN_NAME = /^[\p{L}_@$#][\p{L}\p{N}_.@:/()%#-]*( [\p{L}\p{N}_.@:/()%#-]+)*$/u

/** A label with its value, as in every line of LTSV. */
const LABELLED = /^[\w.-]+:./

/** Returns the first complete records of a text. */
function sampleOf(text: string, separator: Separator, isWhole: boolean): ReadCells['records'] {
  const { records } = readCells(Bytes.from(text), separator, { isWhole, hasBackslashes: hasBackslashes(text) })
  return records.slice(0, FORMAT_SAMPLE_LINES)
}

/**
 * True if the text escapes quotes with backslashes: a quote after a backslash does not end its cell, because a closing
 * quote is followed by a separator, a line end or another quote.
 */
function hasBackslashes(text: string): boolean {
  return /\\"(?!["\t\r\n,;|]|$)/.test(text)
}

/** Returns the number of one-cell records above the header. All later records must have the same number of cells. */
function titlesOf(records: readonly (readonly string[])[]): number {
  const first = records.findIndex(({ length }) => length > 1)
  if (first <= 0 || first > MAX_TITLES || records.length < first + 2) return 0
  const width = records[first]?.length
  return records.slice(first).every(({ length }) => length === width) ? first : 0
}

const COMMA_NUMBER = /^[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+$/
const POINT_NUMBER = /^[+-]?\d+\.(?!\d{3}$)\d+$/

/** Detects the quirks of a table from its first text. */
export function tableQuirks(text: string, separator: Separator): TableQuirks {
  const records = sampleOf(text, separator, false)
  const cells = separator === ';' ? records.flat() : []
  return {
    hasBackslashes: hasBackslashes(text),
    hasDecimalCommas: cells.some((cell) => COMMA_NUMBER.test(cell)) && !cells.some((cell) => POINT_NUMBER.test(cell)),
    titles: titlesOf(records),
  }
}

/** Returns a cell with a decimal comma as a number with a point; other cells unchanged. */
export function withPoint(cell: string): string {
  return COMMA_NUMBER.test(cell) ? cell.replaceAll('.', '').replace(',', '.') : cell
}

/** Returns the separator of a text that is known to be a table: the one with the most columns in every record. */
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
 * Returns the separator of a text that looks like a table, else `undefined`. A table has a header of at least three
 * names (two with tabs) and records with the same number of cells.
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
