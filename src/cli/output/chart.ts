import { CommandError, formatRfc3339, present, printable } from '../../base/index.ts'
import { cellText, Instant, typedNumber, valueAt, type RecordBatch, type Value } from '../../data/index.ts'
import type { OutputFormat } from './format.ts'
import { plain, type Paint } from './style.ts'
import { displayWidth, fitted, hasWidths, isPlain, loadWidths, padded } from './width.ts'

const GAP = '  '
/** Width of a chart outside a terminal, columns. */
const DEFAULT_COLUMNS = 80
/** Minimum width of the bar column. On a narrow terminal it is half of the width. */
const LEAST_BAR_COLUMNS = 20
/** Block characters by eighths. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']
const FULL = '█'

export interface ChartOptions {
  /** Width of the terminal in columns, or `Infinity`. */
  readonly columns: number
  readonly paint?: Paint
  /** Maximum height of an intermediate chart in lines. Default: unlimited. */
  readonly runningLines?: number | undefined
}

interface ChartColumn {
  readonly name: string
  readonly values: Value[]
}

/** Range of the values, 0 included. */
interface Scale {
  readonly min: number
  readonly max: number
}

function scaleOf(numbers: readonly (number | undefined)[]): Scale {
  let [min, max] = [0, 0]
  for (const number of numbers) {
    if (number === undefined || !Number.isFinite(number)) continue
    min = Math.min(min, number)
    max = Math.max(max, number)
  }
  // If all values are infinite, they still get a bar.
  return {
    min: min === 0 && numbers.includes(-Infinity) ? -1 : min,
    max: max === 0 && numbers.includes(Infinity) ? 1 : max,
  }
}

/** Returns the column of the value 0 within the bars. */
function zeroAt({ min, max }: Scale, columns: number): number {
  if (min === 0) return 0
  if (max === 0) return columns
  // Both numbers are halved, since the difference of two large numbers may overflow to infinity.
  return Math.min(columns - 1, Math.max(1, Math.round((columns * (min / 2)) / (min / 2 - max / 2))))
}

/**
 * Returns the bar of a number, to the right of 0, or to the left for a negative one; empty for 0, NaN and missing
 * values.
 */
function barOf(number: number | undefined, scale: Scale, columns: number): string {
  // Bars to both sides of 0 need two columns.
  if (columns < 2 || number === undefined || Number.isNaN(number) || number === 0) return ''
  const zero = zeroAt(scale, columns)
  // A value other than 0 always has a visible bar.
  if (number < 0) {
    const width = Math.max(1, Math.round(zero * Math.min(1, number / scale.min)))
    return ' '.repeat(zero - width) + FULL.repeat(width)
  }
  const eighths = Math.max(1, Math.round((columns - zero) * 8 * Math.min(1, number / scale.max)))
  return ' '.repeat(zero) + FULL.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '')
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, displayWidth(text)), 0)
}

function numberOf(value: Value): number | undefined {
  const number = typedNumber(value)
  return number === undefined ? undefined : Number(number)
}

/** Returns the last numeric column, whose values become bars. */
function measured(columns: readonly ChartColumn[]): ChartColumn {
  const found = columns.findLast(({ values }) => {
    const given = values.filter((value) => value !== null)
    return given.length > 0 && given.every((value) => typedNumber(value) !== undefined)
  })
  if (found !== undefined) return found
  const names = columns.map(({ name }) => printable(name)).join(', ')
  throw new CommandError(
    `A chart needs a column of numbers, as \`| stats by (_time:5m) count()\` gives; there are ${names}.`,
  )
}

function labelText(value: Value): string {
  return printable(value instanceof Instant ? formatRfc3339(value.ns, true) : cellText(value))
}

/**
 * Writes each row with a bar for its last column of numbers. Holds all rows until the end. Throws CommandError if there
 * is no such column.
 */
export function chartOutput({ columns, paint = plain, runningLines }: ChartOptions): OutputFormat {
  const held = new Map<string, ChartColumn>()
  let rowCount = 0
  const addBatch = (batch: RecordBatch): void => {
    for (const [c, { name }] of batch.schema.fields.entries()) {
      const column = held.get(name) ?? { name, values: Array<Value>(rowCount).fill(null) }
      held.set(name, column)
      for (let index = 0; index < batch.rowCount; index++) column.values.push(valueAt(present(batch.columns[c]), index))
    }
    rowCount += batch.rowCount
    for (const { values } of held.values()) while (values.length < rowCount) values.push(null)
  }
  const render = (texts: ReadonlyMap<string, readonly string[]>): string => {
    const soFar = runningLines === undefined ? '' : ' so far'
    if (rowCount === 0) return `(no rows${soFar})\n`
    const all = [...held.values()].filter(({ values }) => values.some((value) => value !== null))
    const value = measured(all)
    const numbers = value.values.map(numberOf)
    const scale = scaleOf(numbers)
    const width = Number.isFinite(columns) ? columns : DEFAULT_COLUMNS
    const barColumns = Math.min(LEAST_BAR_COLUMNS, Math.ceil(width / 2))
    // Labels get the columns that the bars do not need.
    const valueTexts = present(texts.get(value.name))
    const valueWidth = Math.min(width, widest([printable(value.name), ...valueTexts]))
    const labels = all.filter((column) => column !== value)
    let room = width - barColumns - valueWidth - GAP.length
    const shown = labels.flatMap((column, i) => {
      const cells = present(texts.get(column.name))
      const natural = widest([printable(column.name), ...cells])
      const given = Math.min(natural, Math.floor(room / (labels.length - i)) - GAP.length)
      if (given < 1) return []
      room -= given + GAP.length
      return [{ name: printable(column.name), cells, width: given }]
    })
    const barWidth = Math.max(0, barColumns + room)
    const line = (label: (column: (typeof shown)[number]) => string, number: string, bar: string): string =>
      [
        ...shown.map((each) => padded(fitted(label(each), each.width), each.width)),
        padded(fitted(number, valueWidth), valueWidth, true),
        bar,
      ]
        .join(GAP)
        .trimEnd()
    const shownRows = runningLines === undefined ? rowCount : Math.min(rowCount, Math.max(1, runningLines - 2))
    const lines = [
      paint(
        'heading',
        line(({ name }) => name, printable(value.name), ''),
      ),
    ]
    for (let index = 0; index < shownRows; index++)
      lines.push(
        line(({ cells }) => cells[index] ?? '', valueTexts[index] ?? '', barOf(numbers[index], scale, barWidth)),
      )
    const more = shownRows < rowCount ? `; the first ${shownRows} shown` : ''
    const note = `(${rowCount} ${rowCount === 1 ? 'row' : 'rows'}${soFar}; bars from ${scale.min} to ${scale.max}${more})`
    return `${lines.join('\n')}\n${paint('dim', runningLines === undefined ? note : fitted(note, width))}\n`
  }
  return {
    name: 'chart',
    written: 'drawn',
    begin: () => '',
    batch: (batch) => {
      addBatch(batch)
      return ''
    },
    end: () => {
      const texts = new Map([...held.values()].map(({ name, values }) => [name, values.map(labelText)]))
      const areAllPlain = [...texts].every(([name, cells]) => isPlain(name) && cells.every(isPlain))
      return areAllPlain || hasWidths() ? render(texts) : loadWidths().then(() => render(texts))
    },
  }
}
