import type { JsonDialect } from '../../data/index.ts'
import type { Terminal } from '../terminal.ts'
import { chartOutput } from './chart.ts'
import { csvOutput } from './csv.ts'
import type { OutputFormat } from './format.ts'
import { jsonOutput, ndjsonOutput } from './json.ts'
import { logfmtOutput, rawOutput } from './lines.ts'
import { paintFor, type ColorWord } from './style.ts'
import { tableOutput } from './table.ts'
import { inZone } from './zone.ts'

export { textOf, type OutputFormat } from './format.ts'
export { colorWords, paintFor, type ColorWord, type Paint } from './style.ts'
export { canRedraw, RunningAnswer } from './running.ts'
export { ParquetLines } from './parquet-lines.ts'
export { ndjsonOutput } from './json.ts'
export { tableOutput } from './table.ts'
export { zoneNamed } from './zone.ts'

export const outputNames = ['table', 'chart', 'json', 'ndjson', 'csv', 'logfmt', 'raw'] as const
export type OutputName = (typeof outputNames)[number]

export interface OutputOptions {
  readonly dialect: JsonDialect
  /** Field with the text of a log line. */
  readonly textField: string
  readonly color?: ColorWord | undefined
  /** Zone in which times are shown. Default: UTC. */
  readonly zone?: string | undefined
  /** True if a spreadsheet must not run CSV cells as formulas. */
  readonly isForSpreadsheet?: boolean | undefined
  /** True for an intermediate answer, which is cut to the height of the terminal. */
  readonly isRunning?: boolean
}

/** Returns the width of a table: that of the terminal or of COLUMNS; elsewhere unlimited. */
export function tableColumns({ isOutputTty, columns, env }: Terminal): number {
  if (isOutputTty) return columns
  const asked = Number(env['COLUMNS'] ?? '')
  return Number.isInteger(asked) && asked > 0 ? asked : Infinity
}

export function outputNamed(name: OutputName, options: OutputOptions, terminal: Terminal): OutputFormat {
  const output = outputInUtc(name, options, terminal)
  const { zone } = options
  return zone === undefined ? output : { ...output, batch: (batch) => output.batch(inZone(batch, zone)) }
}

function outputInUtc(name: OutputName, options: OutputOptions, terminal: Terminal): OutputFormat {
  const paint = paintFor(terminal, options.color)
  const runningLines = options.isRunning === true ? terminal.rows - 1 : undefined
  switch (name) {
    case 'table':
      return tableOutput({
        columns: tableColumns(terminal),
        paint,
        textField: options.textField,
        runningLines,
      })
    case 'chart':
      return chartOutput({ columns: tableColumns(terminal), paint, runningLines })
    case 'json':
      return jsonOutput(options.dialect)
    case 'ndjson':
      return ndjsonOutput(options.dialect)
    case 'csv':
      return csvOutput(options.isForSpreadsheet)
    case 'logfmt':
      return logfmtOutput(paint, terminal.isOutputTty)
    case 'raw':
      return rawOutput(options.textField, terminal.isOutputTty)
  }
}
