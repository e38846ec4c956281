import { Bytes, LINE_FEED, QUOTE } from '../../base/index.ts'
import { utf8, type MutableRow, type Width } from '../../data/index.ts'
import type { GeneralReader, RecordFormat, RecordSink, RecordTemplate, TemplateMember } from '../../store/index.ts'
import {
  cellEnd,
  distinctNames,
  doubledName,
  isHeader,
  plainTable,
  readCells,
  recordEnd,
  withPoint,
  type Separator,
  type TableQuirks,
} from '../csv.ts'

/** The names of the columns. Columns beyond the given names are called `column5` and so on. */
class Columns {
  names: readonly string[] | undefined
  /** The number of title records above the column names that have not been read yet. */
  titles: number

  constructor(names: readonly string[] | undefined, titles = 0) {
    this.names = names
    this.titles = titles
  }

  name(i: number): string {
    return this.names?.[i] ?? `column${i + 1}`
  }

  /**
   * Returns whether a record has more or fewer cells than there are names. Empty cells after the last name do not
   * count.
   */
  width(count: number, lastFilled: number): Width | undefined {
    const named = this.names?.length ?? 0
    if (named === 0) return undefined
    return lastFilled >= named ? 'wider' : count < named ? 'narrower' : undefined
  }

  /** True if this record is the first one and contains the column names. */
  takesHeader(cells: readonly string[]): boolean {
    if (this.names !== undefined) return false
    const hasHeader = isHeader(cells)
    this.names = hasHeader ? distinctNames(cells) : []
    return hasHeader
  }
}

function csvTemplate(
  bytes: Bytes,
  start: number,
  end: number,
  separator: number,
  columns: Columns,
): RecordTemplate | undefined {
  if (columns.names === undefined) return undefined
  const members: TemplateMember[] = []
  const names = new Set<string>()
  let literalFrom = start
  let count = 0
  let lastFilled = -1
  let at = start
  for (; ; at++) {
    const to = cellEnd(bytes, at, end, separator)
    const isEmpty = to === at || (to === at + 2 && bytes[at] === QUOTE)
    if (!isEmpty) {
      const name = columns.name(count)
      if (names.has(name)) return undefined
      names.add(name)
      members.push({
        name,
        literal: Bytes.from(bytes.subarray(literalFrom, at)),
        syntax: { kind: 'csv', separator },
      })
      literalFrom = to
      lastFilled = count
    }
    count++
    at = to
    if (at >= end || bytes[at] !== separator) break
  }
  // A record of another width is left to the general reader, which counts it.
  if (columns.width(count, lastFilled) !== undefined) return undefined
  // A record of one cell may be a blank line.
  return count === 1 || members.length === 0 ? undefined : { members, end: Bytes.from(bytes.subarray(literalFrom, at)) }
}

class CsvReader implements GeneralReader {
  readonly #sink: RecordSink
  readonly #separator: Separator
  readonly #columns: Columns
  readonly #quirks: TableQuirks
  readonly isOpen = false
  readonly readsAll = false

  constructor(sink: RecordSink, separator: Separator, columns: Columns, quirks: TableQuirks) {
    this.#quirks = quirks
    this.#sink = sink
    this.#separator = separator
    this.#columns = columns
  }

  read(bytes: Bytes, start: number, end: number): void {
    const sink = this.#sink
    const { hasBackslashes, hasDecimalCommas } = this.#quirks
    const { records, restAt } = readCells(bytes.subarray(start, end), this.#separator, {
      isWhole: true,
      hasBackslashes,
    })
    for (const cells of records) {
      if (this.#columns.titles > 0) {
        this.#columns.titles--
        sink.reject('a title above the names of the columns', cells.join(this.#separator))
        continue
      }
      if (this.#columns.takesHeader(cells)) {
        const doubled = doubledName(cells)
        if (doubled !== undefined) sink.tellDoubledColumn(doubled)
        continue
      }
      const row: MutableRow = new Map()
      // An empty cell is a missing value.
      for (const [i, cell] of cells.entries()) {
        if (cell !== '') row.set(this.#columns.name(i), hasDecimalCommas ? withPoint(cell) : cell)
      }
      if (row.size === 0) continue
      const width = this.#columns.width(
        cells.length,
        cells.findLastIndex((cell) => cell !== ''),
      )
      if (width !== undefined) sink.countWidth(width)
      sink.record(row, '')
    }
    if (start + restAt < end) {
      const rest = utf8(bytes, start + restAt, end)
      const lines = rest.split('\n').length
      const lost = lines === 1 ? '' : `; the ${lines} lines from here to the end are lost`
      sink.reject(`a quote is not closed${lost}`, rest)
    }
    sink.lines += lineEnds(bytes, start, end)
  }

  begins(): boolean {
    return true
  }

  flush(): void {}
}

/** Returns the number of line ends in a record, at least 1. */
function lineEnds(bytes: Bytes, start: number, end: number): number {
  let count = 0
  for (let at = start; at < end; at++) if (bytes[at] === LINE_FEED) count++
  return Math.max(1, count)
}

/**
 * Returns the format of records of cells. The first record contains the column names if it looks like a header, unless
 * names are given.
 */
export function csvRecords(
  separator: Separator,
  names?: readonly string[],
  quirks: TableQuirks = plainTable,
): RecordFormat {
  const columns = new Columns(names, quirks.titles)
  const { hasBackslashes, hasDecimalCommas } = quirks
  const isPlain = !hasBackslashes && !hasDecimalCommas
  const byte = separator.charCodeAt(0)
  return {
    joins: false,
    recordEnd: (bytes, start, end) => recordEnd(bytes, start, end, byte, hasBackslashes),
    templateOf: (bytes, start, end) => (isPlain ? csvTemplate(bytes, start, end, byte, columns) : undefined),
    // This is a guess, since a line inside a quoted cell may look like a record. A wrong guess is detected because the
    // previous record does not end.
    beginsAt: (bytes, _, start, end) => csvTemplate(bytes, start, end, byte, columns) !== undefined,
    reader: (sink) => new CsvReader(sink, separator, columns, quirks),
  }
}

/**
 * Reads the header of a table: the column names, the offset where the records begin, and whether a name occurs twice.
 * There are no names if the first record is not a header.
 */
export function csvHeader(
  head: Uint8Array,
  separator: Separator,
): { readonly names: readonly string[]; readonly from: number; readonly isDoubled: boolean } {
  const bytes = Bytes.from(head.buffer, head.byteOffset, head.byteLength)
  const start = utf8(bytes, 0, 3) === '\uFEFF' ? 3 : 0
  const end = recordEnd(bytes, start, bytes.length, separator.charCodeAt(0))
  const columns = new Columns(undefined)
  const first = bytes.subarray(start, end === -1 ? start : end)
  const { records } = readCells(first, separator, { isWhole: true, hasBackslashes: false })
  const [cells] = records
  const hasHeader = cells !== undefined && columns.takesHeader(cells)
  const isDoubled = hasHeader && doubledName(cells) !== undefined
  return { names: columns.names ?? [], from: hasHeader ? end : start, isDoubled }
}
