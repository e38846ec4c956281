import { present } from '../../base/index.ts'
import { valueAt, type RecordBatch } from '../../data/index.ts'
import { cellText } from './cell.ts'
import type { OutputFormat } from './format.ts'

const WIDEST_CELL = 60

interface TableColumn {
  readonly name: string
  readonly cells: string[]
  isNumeric: boolean
}

// oxlint-disable-next-line no-control-regex -- a log line must not steer the terminal
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g

/** Control characters are shown, not sent to the terminal. */
function printable(text: string): string {
  return text.replaceAll(CONTROL, (character) =>
    character === '\n' ? '⏎' : character === '\t' ? ' ' : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}

/** Columns wide enough for their cells; the last text column takes what the terminal has left. */
export function tableOutput(terminalColumns: number): OutputFormat {
  const columns = new Map<string, TableColumn>()
  let rowCount = 0
  const addBatch = (batch: RecordBatch): void => {
    batch.schema.fields.forEach((f, c) => {
      let column = columns.get(f.name)
      if (column === undefined) {
        column = { name: f.name, cells: Array<string>(rowCount).fill(''), isNumeric: true }
        columns.set(f.name, column)
      }
      for (let index = 0; index < batch.rowCount; index++) {
        const value = valueAt(present(batch.columns[c]), index)
        if (value !== null && typeof value !== 'number' && typeof value !== 'bigint') column.isNumeric = false
        column.cells.push(printable(cellText(value)))
      }
    })
    rowCount += batch.rowCount
    for (const column of columns.values()) while (column.cells.length < rowCount) column.cells.push('')
  }
  const render = (): string => {
    const shown = [...columns.values()].filter((c) => c.cells.some((cell) => cell !== '') || columns.size <= 12)
    if (rowCount === 0 || shown.length === 0) return '(no rows)\n'
    const lastIndex = shown.length - 1
    const natural = shown.map((c) => Math.max(c.name.length, ...sampleWidths(c.cells)))
    const widths = natural.map((width, i) => (i < lastIndex ? Math.min(width, WIDEST_CELL) : width))
    const before = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0)
    widths[lastIndex] = Math.min(widths[lastIndex] ?? 0, Math.max(20, terminalColumns - before))
    const line = (cells: readonly string[]): string =>
      cells
        .map((cell, i) => {
          const width = widths[i] ?? 0
          const cut = cell.length > width ? `${cell.slice(0, width - 1)}…` : cell
          return shown[i]?.isNumeric === true ? cut.padStart(width) : i === lastIndex ? cut : cut.padEnd(width)
        })
        .join('  ')
        .trimEnd()
    const lines = [line(shown.map((c) => c.name)), line(widths.map((width) => '-'.repeat(width)))]
    for (let index = 0; index < rowCount; index++) lines.push(line(shown.map((c) => c.cells[index] ?? '')))
    return `${lines.join('\n')}\n(${rowCount} ${rowCount === 1 ? 'row' : 'rows'})\n`
  }
  return {
    name: 'table',
    begin: () => '',
    batch: (batch) => {
      addBatch(batch)
      return ''
    },
    end: render,
  }
}

function sampleWidths(cells: readonly string[]): number[] {
  return [cells.reduce((widest, cell) => Math.max(widest, cell.length), 0)]
}
