import { printable } from '../../base/index.ts'
import { cellText, isEmptyValue, printLogfmtPair, valueAt, type RecordBatch, type Value } from '../../data/index.ts'
import type { OutputFormat } from './format.ts'
import { plain, severityOf, type Paint } from './style.ts'

type Field = readonly [name: string, value: Exclude<Value, null>]

/** Returns the fields of a row that have a value, in column order. */
function fieldsOf({ schema, columns }: RecordBatch, index: number): readonly Field[] {
  return schema.fields.flatMap(({ name }, c): readonly Field[] => {
    const column = columns[c]
    const value = column === undefined ? null : valueAt(column, index)
    return value === null || isEmptyValue(value) ? [] : [[name, value]]
  })
}

function linesOutput(name: string, line: (fields: readonly Field[]) => string): OutputFormat {
  return {
    name,
    written: 'drawn',
    begin: () => '',
    batch: (batch) => {
      let text = ''
      for (let index = 0; index < batch.rowCount; index++) text += `${line(fieldsOf(batch, index))}\n`
      return text
    },
    end: () => '',
  }
}

function logfmtLine(fields: readonly Field[], paint: Paint, isTerminal: boolean): string {
  return fields
    .map(([name, value]) => {
      const text = cellText(value)
      const severity = name === 'level' ? severityOf(text) : undefined
      const exact = printLogfmtPair(name, text)
      const pair = isTerminal ? printable(exact) : exact
      return severity === undefined ? pair : paint(severity, pair)
    })
    .join(' ')
}

/** Writes `name=value` pairs, one row a line. On a terminal control characters are made visible. */
export function logfmtOutput(paint: Paint = plain, isTerminal = false): OutputFormat {
  return linesOutput('logfmt', (fields) => logfmtLine(fields, paint, isTerminal))
}

/**
 * Writes the text field of each row unchanged; a row without this field as logfmt. On a terminal control characters are
 * made visible.
 */
export function rawOutput(textField: string, isTerminal: boolean): OutputFormat {
  return linesOutput('raw', (fields) => {
    const text = fields.find(([name]) => name === textField)
    if (text === undefined) return logfmtLine(fields, plain, isTerminal)
    const raw = cellText(text[1])
    return isTerminal ? printable(raw) : raw
  })
}
