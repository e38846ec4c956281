import { RowWriter, type JsonDialect } from '../../data/index.ts'
import type { OutputFormat } from './format.ts'

/** One array of objects. */
export function jsonOutput(dialect: JsonDialect): OutputFormat {
  const writer = new RowWriter(dialect)
  let isFirst = true
  return {
    name: 'json',
    begin: () => '[',
    batch: (batch) => {
      if (batch.rowCount === 0) return ''
      const text = (isFirst ? '\n' : ',\n') + [...writer.batch(batch)].join(',\n')
      isFirst = false
      return text
    },
    end: () => (isFirst ? ']\n' : '\n]\n'),
  }
}

/** One object a line. */
export function ndjsonOutput(dialect: JsonDialect): OutputFormat {
  const writer = new RowWriter(dialect)
  return {
    name: 'ndjson',
    begin: () => '',
    batch: (batch) => (batch.rowCount === 0 ? '' : `${[...writer.batch(batch)].join('\n')}\n`),
    end: () => '',
  }
}
