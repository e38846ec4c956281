import { CARRIAGE_RETURN, LINE_FEED, QUOTE, parseRfc3339 } from '../base/index.ts'
import { FORMAT_SAMPLE_LINES, MAX_CSV_NAME_CHARS, MAX_LINE_BYTES } from './tuning.ts'

/** What stands between the cells of a record. */
export const separators = [',', '\t', ';', '|'] as const
export type Separator = (typeof separators)[number]

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

  constructor(separator: Separator, onBad: OnBadRecord) {
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

  /** Reads the cells of a record; gives where the next begins, `undefined` when its end has not come yet. */
  #record(text: string, from: number, isEnd: boolean): number | undefined {
    let at = from
    this.#isQuoteOpen = false
    for (;;) {
      let cell = ''
      if (text.charCodeAt(at) === QUOTE) {
        let start = at + 1
        for (;;) {
          const close = text.indexOf('"', start)
          if (close === -1 || (close === text.length - 1 && !isEnd)) {
            this.#isQuoteOpen = close === -1
            return undefined
          }
          cell += text.slice(start, close)
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
  const reader = new CsvRecords(separator, () => {})
  const records = reader.push(text)
  return [...records, ...(isWhole ? reader.end() : [])].slice(0, FORMAT_SAMPLE_LINES)
}

/** What separates the cells of a text that is known to be a table: the one with the most columns in every record. */
export function separatorOf(text: string): Separator {
  let best: Separator = ','
  let most = 1
  for (const separator of separators) {
    const records = sampleOf(text, separator, true)
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
    const [header, ...records] = sampleOf(text, separator, isWhole)
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
