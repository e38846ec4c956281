import { MAX_NS, MIN_NS, formatDurationNs, formatRfc3339, parseDurationNs, parseUnixTime } from '../../base/index.ts'
import {
  fold,
  formatIpv4,
  formatNumber,
  isFormatOption,
  parseCanonicalInteger,
  readTextPattern,
  upperCase,
  type FormatOption,
  type MutableRow,
} from '../../data/index.ts'
import type { CompileRow, RowFunction } from '../definition.ts'
import {
  base64Decode,
  base64Encode,
  eachChunk,
  hexDecode,
  hexEncode,
  hexNumDecode,
  hexNumEncode,
  urlDecode,
  urlEncode,
} from '../text/encode.ts'
import { TextBuilder } from '../text/text-builder.ts'
import { textAt, writeResult, type Overwriting } from './shared.ts'

interface Params extends Overwriting {
  readonly pattern: string
  readonly into: string
}

const quoted = (text: string): string => JSON.stringify(text)

/** Functions for the options of `<option:field>`. A string that cannot be converted stays unchanged. */
const options: Readonly<Record<FormatOption, (text: string) => string>> = {
  q: (text) => `"${eachChunk(text, (chunk) => quoted(chunk).slice(1, -1))}"`,
  uc: (text) => eachChunk(text, upperCase),
  lc: (text) => eachChunk(text, fold),
  time: (text) => {
    const time = parseUnixTime(text.replaceAll(/^\+(?=\d)|(?<=\d)_(?=\d)/g, ''))
    return time === undefined ? text : formatRfc3339(time.ns, true)
  },
  duration: (text) => {
    const ns = parseCanonicalInteger(text)
    return ns === undefined || ns < MIN_NS || ns > MAX_NS ? text : formatDurationNs(ns)
  },
  duration_seconds: (text) => {
    const ns = parseDurationNs(text)
    return ns === undefined ? text : formatNumber(Number(ns) / 1e9)
  },
  ipv4: (text) => {
    const address = parseCanonicalInteger(text)
    return address === undefined || address < 0n || address >= 2n ** 32n ? text : formatIpv4(Number(address))
  },
  urlencode: urlEncode,
  urldecode: urlDecode,
  hexencode: hexEncode,
  hexdecode: hexDecode,
  hexnumencode: hexNumEncode,
  hexnumdecode: hexNumDecode,
  base64encode: base64Encode,
  base64decode: base64Decode,
}

/** Maximum factor by which an option lengthens a string. Options that are not listed have factor 1. */
const growth: Partial<Readonly<Record<FormatOption, number>>> = {
  q: 6,
  urlencode: 9,
  hexencode: 6,
  base64encode: 4,
}

type RowWriter = (row: MutableRow) => string

export const format: RowFunction = {
  name: 'format',
  doc: {
    summary: 'Makes a text of literal text and fields: `<field>`, or `<option:field>` in another form.',
    parameters: [
      { name: 'pattern', text: 'the text' },
      { name: 'as', text: 'field that gets it' },
    ],
    examples: [{ query: '* | format "<uc:level> <workload>: <content>" as line | fields line | limit 3' }],
  },
}

export const compileFormat: CompileRow<Params> = (params, { meter }) => {
  const parsed = readTextPattern(params.pattern)
  const writers: RowWriter[] = []
  for (const { prefix, field, option } of typeof parsed === 'string' ? [] : parsed) {
    if (prefix !== '') writers.push(() => prefix)
    if (field === undefined || field === '') continue
    if (!isFormatOption(option)) writers.push((row) => textAt(row, field))
    else {
      const change = options[option]
      const most = growth[option] ?? 1
      writers.push((row) => {
        const text = textAt(row, field)
        meter.room(text.length * most)
        return change(text)
      })
    }
  }
  return (row) => {
    const text = new TextBuilder(meter, 'format')
    for (const writer of writers) text.add(writer(row))
    writeResult(row, params.into, text.text(), params)
    return row
  }
}
