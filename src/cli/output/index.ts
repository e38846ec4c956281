import type { JsonDialect } from '../../data/index.ts'
import { csvOutput } from './csv.ts'
import type { OutputFormat } from './format.ts'
import { jsonOutput, ndjsonOutput } from './json.ts'
import { tableOutput } from './table.ts'

export type { OutputFormat } from './format.ts'

export const outputNames = ['table', 'json', 'ndjson', 'csv'] as const
export type OutputName = (typeof outputNames)[number]

export function outputNamed(name: OutputName, dialect: JsonDialect, terminalColumns: number): OutputFormat {
  switch (name) {
    case 'table':
      return tableOutput(terminalColumns)
    case 'json':
      return jsonOutput(dialect)
    case 'ndjson':
      return ndjsonOutput(dialect)
    case 'csv':
      return csvOutput()
  }
}
