import type { ShownRow } from '../../ask/requests.ts'

/** A line of a chart: a value for each time, or `null`. */
export interface ResultSeries {
  readonly name: string
  readonly values: readonly (number | null)[]
}

/** Data of a chart. */
export interface ChartData {
  /** Unix ms if the rows have times; otherwise `names` has the groups. */
  readonly timesMs: readonly number[] | undefined
  readonly names: readonly string[]
  readonly series: readonly ResultSeries[]
}

/** Maximum number of series in a chart; more cannot be told apart. */
export const MAX_SERIES = 20

function numberOf(text: string | undefined): number | null {
  if (text === undefined || text === '') return null
  const number = Number(text)
  return Number.isFinite(number) ? number : null
}

/** Columns of an answer by role: time, numbers, and group names. */
export interface Columns {
  readonly time: string | undefined
  readonly numbers: readonly string[]
  readonly keys: readonly string[]
}

/**
 * True for a number, also as a string: LogsQL returns numbers as strings, and JSON cannot represent NaN and infinities.
 */
function isNumeric({ type, text }: ShownRow[number]): boolean {
  return type === 'number' || (type === 'text' && (numberOf(text) !== null || /^(?:NaN|[+-]?Inf)$/.test(text)))
}

/**
 * Determines the role of each column of grouped rows. If `computed` is known, only these columns are numbers: rows may
 * be grouped by a number such as a status.
 */
export function columnsOf(rows: readonly ShownRow[], computed: readonly string[]): Columns {
  const names = [...new Set(rows.flatMap((row) => row.map(({ name }) => name)))]
  const valuesOf = (name: string): ShownRow =>
    rows.flatMap((row) => row.filter((each) => each.name === name && each.type !== 'null'))
  const time = names.find((name) => name === '_time')
  const numbers = names.filter((name) => {
    const values = valuesOf(name)
    if (name === time || values.length === 0) return false
    return computed.length === 0
      ? values.every(({ type }) => type === 'number')
      : computed.includes(name) && values.every(isNumeric)
  })
  return { time, numbers, keys: names.filter((name) => name !== time && !numbers.includes(name)) }
}

function keyText(row: ShownRow, keys: readonly string[]): string {
  return keys.map((key) => row.find(({ name }) => name === key)?.text ?? '').join(' · ')
}

/** Returns the chart data of grouped rows: over time if the rows have times, otherwise over the groups. */
export function chartOf(rows: readonly ShownRow[], computed: readonly string[]): ChartData {
  const { time, numbers, keys } = columnsOf(rows, computed)
  const valueOf = (row: ShownRow, column: string): number | null =>
    numberOf(row.find(({ name }) => name === column)?.text)
  if (time === undefined) {
    const names = rows.map((row) => keyText(row, keys))
    const series = numbers.map((name) => ({ name, values: rows.map((row) => valueOf(row, name)) }))
    return { timesMs: undefined, names, series }
  }
  const at = (row: ShownRow): number => Date.parse(row.find(({ name }) => name === time)?.text ?? '')
  const timesMs = [...new Set(rows.map(at))].filter((ms) => !Number.isNaN(ms)).toSorted((a, b) => a - b)
  const indexes = new Map(timesMs.map((ms, i) => [ms, i]))
  const series = new Map<string, (number | null)[]>()
  for (const row of rows) {
    const index = indexes.get(at(row))
    if (index === undefined) continue
    const group = keyText(row, keys)
    for (const column of numbers) {
      const name = [group, numbers.length > 1 || group === '' ? column : ''].filter((part) => part !== '').join(' ')
      const values = series.get(name) ?? timesMs.map(() => null)
      series.set(name, values)
      values[index] = valueOf(row, column)
    }
  }
  const sumOf = (values: readonly (number | null)[]): number =>
    values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
  const largest = [...series].toSorted(([, a], [, b]) => sumOf(b) - sumOf(a)).slice(0, MAX_SERIES)
  return { timesMs, names: [], series: largest.map(([name, values]) => ({ name, values })) }
}
