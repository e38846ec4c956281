import { BACKSLASH, CARRIAGE_RETURN, LINE_FEED, QUOTE, parseRfc3339 } from '../base/index.ts'
import { FORMAT_SAMPLE_LINES, MAX_CSV_NAME_CHARS, MAX_LINE_BYTES, MAX_TITLES } from './tuning.ts'

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

/** Told of a record that could not be read, with the number of its first line. */
export type OnBadRecord = (reason: string, lineNumber: number, excerpt: string) => void

/**
 * Records of cells as RFC 4180 has them: cells in quotes may hold separators, line ends and, doubled, quotes. Taken as well:
 * other separators, any line ends, quotes within a cell that has none around it. Blank lines are passed over. Text comes
 * in pieces of any length.
 */
export class CsvRecords {
  readonly #separator: number
  readonly #onBad: OnBadRecord
  #text = ''
  /** Where the record that is being read begins in the text. */
  #start = 0
  #cells: string[] = []
  #firstLine = 1
  /** Number of the line that is being read. */
  lineNumber = 1
  #skipsLine = false
  /** Whether the record goes on until another quote comes. */
  #isQuoteOpen = false

  readonly #hasBackslashes: boolean

  constructor(separator: Separator, onBad: OnBadRecord, hasBackslashes = false) {
    this.#hasBackslashes = hasBackslashes
    this.#separator = separator.charCodeAt(0)
    this.#onBad = onBad
  }

  /** The records that end in this piece. */
  push(piece: string): string[][] {
    this.#text = this.#start === 0 ? this.#text + piece : this.#text.slice(this.#start) + piece
    this.#start = 0
    const records = this.#isQuoteOpen && !piece.includes('"') ? [] : this.#read(false)
    if (this.#text.length - this.#start > MAX_LINE_BYTES) {
      this.#onBad(
        `longer than ${MAX_LINE_BYTES} characters; is a quote not closed?`,
        this.#firstLine,
        this.#text.slice(this.#start, this.#start + 120),
      )
      // What follows the next line end is read as if no quote were open.
      this.lineNumber += lineEnds(this.#text, this.#start)
      this.#text = ''
      this.#start = 0
      this.#isQuoteOpen = false
      this.#skipsLine = true
    }
    return records
  }

  /** The last record, when no line end follows it. */
  end(): string[][] {
    const records = this.#read(true)
    const rest = this.#text.slice(this.#start)
    this.#text = ''
    this.#start = 0
    if (rest !== '') {
      const lines = lineEnds(rest, 0)
      const lost = lines === 0 ? '' : `; the ${lines + 1} lines from here to the end are lost`
      this.#onBad(`a quote is not closed${lost}`, this.#firstLine, rest.slice(0, 120))
    }
    return records
  }

  #read(isEnd: boolean): string[][] {
    const text = this.#text
    const records: string[][] = []
    if (this.#skipsLine) {
      const end = text.indexOf('\n')
      this.#start = end === -1 ? text.length : end + 1
      if (end !== -1) {
        this.#skipsLine = false
        this.lineNumber++
      }
    }
    while (this.#start < text.length) {
      this.#cells = []
      this.#firstLine = this.lineNumber
      const next = this.#record(text, this.#start, isEnd)
      if (next === undefined) break
      this.lineNumber += lineEnds(text, this.#start, next)
      this.#start = next
      const [only] = this.#cells
      if (this.#cells.length > 1 || (only !== undefined && only.trim() !== '')) records.push(this.#cells)
    }
    return records
  }

  /** The next quote without a backslash before it; -1 for none. */
  #closing(text: string, from: number): number {
    if (!this.#hasBackslashes) return text.indexOf('"', from)
    let at = from
    while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
    return at < text.length ? at : -1
  }

  #quoted(text: string): string {
    return this.#hasBackslashes ? text.replaceAll(/\\([^])/g, '$1') : text
  }

  /** Reads the cells of a record; gives where the next begins, `undefined` when its end has not come yet. */
  #record(text: string, from: number, isEnd: boolean): number | undefined {
    let at = from
    this.#isQuoteOpen = false
    for (;;) {
      let cell = ''
      if (text.charCodeAt(at) === QUOTE) {
        let start = at + 1
        for (;;) {
          const close = this.#closing(text, start)
          if (close === -1 || (close === text.length - 1 && !isEnd)) {
            this.#isQuoteOpen = close === -1
            return undefined
          }
          cell += this.#quoted(text.slice(start, close))
          at = close + 1
          if (text.charCodeAt(at) !== QUOTE) break
          cell += '"'
          start = at + 1
        }
      }
      let end = at
      let code = text.charCodeAt(end)
      while (end < text.length && code !== this.#separator && code !== LINE_FEED && code !== CARRIAGE_RETURN)
        code = text.charCodeAt(++end)
      if (end === text.length && !isEnd) return undefined
      if (end > at) cell += text.slice(at, end)
      this.#cells.push(cell)
      if (end === text.length) return end
      if (code === this.#separator) {
        at = end + 1
        continue
      }
      if (code === LINE_FEED) return end + 1
      // A carriage return alone ends a record too; whether a line feed follows it must be known.
      if (end + 1 === text.length && !isEnd) return undefined
      return text.charCodeAt(end + 1) === LINE_FEED ? end + 2 : end + 1
    }
  }
}

function lineEnds(text: string, from: number, to = text.length): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}

function isNumberOrTime(cell: string): boolean {
  const text = cell.trim()
  return (
    (text !== '' && Number.isFinite(Number(text))) || parseRfc3339(text) !== undefined || /^\d{4}-\d\d-\d\d/.test(text)
  )
}

/** Whether the cells of the first record are names of columns: all there, all different, neither numbers nor times. */
export function isHeader(cells: readonly string[]): boolean {
  return (
    new Set(cells).size === cells.length &&
    cells.every((cell) => cell.trim() !== '' && cell.length <= MAX_CSV_NAME_CHARS && !isNumberOrTime(cell))
  )
}

/** Names of columns as programs write them, so that a sentence with commas is not taken for a header. */
const WRITTEN_NAME = /^[\p{L}_@$#][\p{L}\p{N}_.@:/()%#-]*( [\p{L}\p{N}_.@:/()%#-]+)*$/u

/** A label with its value, as every line of LTSV has them. */
const LABELLED = /^[\w.-]+:./

/** The first whole records of a text. */
function sampleOf(text: string, separator: Separator, isWhole: boolean): readonly string[][] {
  const reader = new CsvRecords(separator, () => {}, hasBackslashes(text))
  const records = reader.push(text)
  return [...records, ...(isWhole ? reader.end() : [])].slice(0, FORMAT_SAMPLE_LINES)
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
