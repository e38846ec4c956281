import { jsonRecords, type RecordFormat, type RecordOptions } from '../../store/index.ts'
import type { FormatName, InputFormat } from '../formats.ts'
import { jsonLines } from '../json-lines.ts'
import { envelopes } from '../unfold.ts'
import { csvRecords } from './csv-records.ts'
import { lineRecords, textRecords } from './line-records.ts'

/** Returns how the records of an input are delimited and decoded. `name` is the format that the user gave. */
export function recordFormat(input: InputFormat, name: FormatName, options: RecordOptions | undefined): RecordFormat {
  switch (input.kind) {
    case 'json-lines':
      return jsonRecords(envelopes, name === 'json' ? undefined : textRecords(jsonLines, options))
    case 'json-documents':
    case 'journal':
      return jsonRecords(envelopes)
    case 'table':
      return csvRecords(input.separator, undefined, input.quirks)
    case 'lines':
      return name === 'logfmt' ? lineRecords(input.format) : textRecords(input.format, options)
  }
}

export { csvHeader, csvRecords } from './csv-records.ts'
export { textRecords } from './line-records.ts'
