import { present, printable } from '../../base/index.ts'
import { cellText, Instant, typedNumber, valueAt, type RecordBatch, type Value } from '../../data/index.ts'
import type { OutputFormat } from './format.ts'
import { plain, severityOf, type Paint } from './style.ts'
import { displayWidth, fitted, hasWidths, isPlain, loadWidths, padded } from './width.ts'

const GAP = 2
/** Minimum width of a string column. */
const NARROWEST = 12
/** Minimum width of the column with log lines. On a narrow terminal it is half of the width. */
const NARROWEST_TEXT = 40
/** In tables with more columns than this, empty columns are left out. */
const MOST_WITH_EMPTY = 12

export interface TableOptions {
  /** Width of the terminal in columns; with `Infinity` nothing is cut. */
  readonly columns: number
  readonly paint?: Paint
  /** Field with the level of a row, which decides the colour. */
  readonly levelField?: string
  /** Field with the text of a log line: shown beside times and levels even if other columns do not fit. */
  readonly textField?: string
  /** Maximum height of an intermediate table in lines. */
  readonly runningLines?: number | undefined
}

interface TableColumn {
  readonly name: string
  readonly cells: string[]
  /** Numbers are right-aligned and never cut. */
  isNumeric: boolean
  /** Times are never cut. */
  isTime: boolean
  hasValue: boolean
}

/** Width of a column. */
interface Extent {
  /** Full width and minimum width of the column. */
  readonly natural: number
  readonly least: number
  /** Columns of lower rank are placed first. */
  readonly rank: number
}

/** Ranks of the columns for log line, time, level and others. */
const RANKS = [0, 1, 2, 3]

/** Selects the columns that fit at their minimum width, in order of rank. The first one is always shown. */
function placed(extents: readonly Extent[], available: number): readonly boolean[] {
  const has = extents.map(() => false)
  let used = -GAP
  for (const wanted of RANKS) {
    for (const [i, { least, rank }] of extents.entries()) {
      if (rank !== wanted) continue
      if (used >= 0 && used + GAP + least > available) break
      used += GAP + least
      has[i] = true
    }
  }
  return has
}

/** Shrinks the widest columns to fit `available`, down to their minimum widths. */
function shared(extents: readonly Extent[], available: number): readonly number[] {
  const widths = extents.map(({ natural }) => natural)
  for (let over = widths.reduce((sum, width) => sum + width + GAP, -GAP) - available; over > 0;) {
    const open = extents.map((_, i) => i).filter((i) => present(widths[i]) > present(extents[i]).least)
    if (open.length === 0) break
    const widest = Math.max(...open.map((i) => present(widths[i])))
    const all = open.filter((i) => widths[i] === widest)
    // Shrink the widest columns to the next smaller width, or to their minimum.
    const floor = Math.max(
      ...all.map((i) => present(extents[i]).least),
      ...open.filter((i) => widths[i] !== widest).map((i) => present(widths[i])),
    )
    const each = Math.max(1, Math.min(widest - floor, Math.floor(over / all.length)))
    for (const i of all.slice(0, over)) widths[i] = widest - each
    over -= each * Math.min(all.length, over)
  }
  return widths
}

function isNumber(value: Value): boolean {
  return typedNumber(value) !== undefined
}

/** Writes a table with columns as wide as their cells, or as the terminal allows. Holds all rows until the end. */
export function tableOutput({
  columns: terminalColumns,
  paint = plain,
  levelField = 'level',
  textField,
  runningLines,
}: TableOptions): OutputFormat {
  const columns = new Map<string, TableColumn>()
  let rowCount = 0
  let areAllPlain = true
  const addBatch = (batch: RecordBatch): void => {
    batch.schema.fields.forEach(({ name }, c) => {
      let column = columns.get(name)
      if (column === undefined) {
        const cells = Array<string>(rowCount).fill('')
        column = { name, cells, isNumeric: true, isTime: true, hasValue: false }
        columns.set(name, column)
        areAllPlain &&= isPlain(name)
      }
      for (let index = 0; index < batch.rowCount; index++) {
        const value = valueAt(present(batch.columns[c]), index)
        if (value !== null) {
          column.hasValue = true
          if (!isNumber(value)) column.isNumeric = false
          if (!(value instanceof Instant)) column.isTime = false
        }
        const cell = printable(cellText(value))
        areAllPlain &&= isPlain(cell)
        column.cells.push(cell)
      }
    })
    rowCount += batch.rowCount
    for (const column of columns.values()) while (column.cells.length < rowCount) column.cells.push('')
  }
  const render = (): string => {
    const all = [...columns.values()].filter(
      ({ cells, hasValue }) => columns.size <= MOST_WITH_EMPTY || (hasValue && cells.some((cell) => cell !== '')),
    )
    if (rowCount === 0 || all.length === 0) return runningLines === undefined ? '(no rows)\n' : '(no rows so far)\n'
    const extents = all.map(({ name, cells, isNumeric, isTime }): Extent => {
      const natural = cells.reduce((most, cell) => Math.max(most, displayWidth(cell)), displayWidth(printable(name)))
      const isText = name === textField
      const narrowest =
        isNumeric || isTime
          ? natural
          : Math.min(natural, isText ? Math.min(NARROWEST_TEXT, Math.floor(terminalColumns / 2)) : NARROWEST)
      const rank = isText ? 0 : isTime ? 1 : name === levelField ? 2 : 3
      return { natural, least: Math.max(1, Math.min(narrowest, terminalColumns)), rank }
    })
    const isShown = placed(extents, terminalColumns)
    const shown = all.filter((_, i) => isShown[i])
    const leftOut = all.filter((_, i) => isShown[i] !== true).map(({ name }) => printable(name))
    const widths = shared(
      extents.filter((_, i) => isShown[i]),
      terminalColumns,
    )
    const isRight = (i: number): boolean => shown[i]?.isNumeric === true
    const line = (
      cell: (column: TableColumn, i: number) => string,
      color: (column: TableColumn, text: string) => string,
    ): string =>
      shown
        .map((column, i) => {
          const width = present(widths[i])
          const text = fitted(cell(column, i), width)
          const blanks = padded('', width - displayWidth(text))
          const painted = color(column, text)
          if (isRight(i)) return blanks + painted
          return i === shown.length - 1 ? painted : painted + blanks
        })
        .join(' '.repeat(GAP))
        .trimEnd()
    const lines = [
      line(
        ({ name }) => printable(name),
        (_, text) => paint('heading', text),
      ),
      line(
        (_, i) => '-'.repeat(present(widths[i])),
        (_, text) => paint('dim', text),
      ),
    ]
    const colorCell = (column: TableColumn, text: string): string => {
      if (text === '') return text
      if (column.isTime) return paint('time', text)
      const severity = column.name === levelField ? severityOf(text) : undefined
      return severity === undefined ? text : paint(severity, text)
    }
    const shownRows = runningLines === undefined ? rowCount : Math.min(rowCount, Math.max(1, runningLines - 3))
    for (let index = 0; index < shownRows; index++) lines.push(line(({ cells }) => cells[index] ?? '', colorCell))
    const notes = [`${rowCount} ${rowCount === 1 ? 'row' : 'rows'}${runningLines === undefined ? '' : ' so far'}`]
    if (shownRows < rowCount) notes.push(`the first ${shownRows} shown`)
    if (leftOut.length > 0) notes.push(`no room for ${leftOut.join(', ')}`)
    const note = `(${notes.join('; ')})`
    return `${lines.join('\n')}\n${paint('dim', runningLines === undefined ? note : fitted(note, terminalColumns))}\n`
  }
  return {
    name: 'table',
    written: 'drawn',
    begin: () => '',
    batch: (batch) => {
      addBatch(batch)
      return ''
    },
    end: () => (areAllPlain || hasWidths() ? render() : loadWidths().then(render)),
  }
}
