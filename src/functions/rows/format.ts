import { formatDurationNs, formatRfc3339, parseDurationNs } from '../../base/index.ts'
import {
  fold,
  formatIpv4,
  formatNumber,
  isFormatOption,
  readTextPattern,
  type FormatOption,
  type MutableRow,
} from '../../data/index.ts'
import {
  base64Decode,
  base64Encode,
  hexDecode,
  hexEncode,
  hexNumDecode,
  hexNumEncode,
  urlDecode,
  urlEncode,
} from '../text/encode.ts'
import { defineRowFunction } from './define.ts'
import { textAt, writeResult, type Overwriting } from './shared.ts'

interface Params extends Overwriting {
  readonly pattern: string
  readonly into: string
}

const INTEGER = /^-?\d{1,19}$/

/** What `<option:field>` does to a text; a text it cannot read stays as it is. */
const options: Readonly<Record<FormatOption, (text: string) => string>> = {
  q: JSON.stringify,
  uc: (text) => text.toUpperCase(),
  lc: fold,
  time: (text) => (INTEGER.test(text) ? formatRfc3339(BigInt(text), true) : text),
  duration: (text) => (INTEGER.test(text) ? formatDurationNs(BigInt(text)) : text),
  duration_seconds: (text) => {
    const ns = parseDurationNs(text)
    return ns === undefined ? text : formatNumber(Number(ns) / 1e9)
  },
  ipv4: (text) => (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 32 ? formatIpv4(Number(text)) : text),
  urlencode: urlEncode,
  urldecode: urlDecode,
  hexencode: hexEncode,
  hexdecode: hexDecode,
  hexnumencode: hexNumEncode,
  hexnumdecode: hexNumDecode,
  base64encode: base64Encode,
  base64decode: base64Decode,
}

type Piece = (row: MutableRow) => string

export const format = defineRowFunction<Params>({
  name: 'format',
  compile: (params) => {
    const parsed = readTextPattern(params.pattern)
    const pieces: Piece[] = []
    for (const { prefix, field, option } of typeof parsed === 'string' ? [] : parsed) {
      if (prefix !== '') pieces.push(() => prefix)
      if (field === undefined || field === '') continue
      const change = isFormatOption(option) ? options[option] : undefined
      pieces.push(change === undefined ? (row) => textAt(row, field) : (row) => change(textAt(row, field)))
    }
    return (row) => {
      writeResult(row, params.into, pieces.map((piece) => piece(row)).join(''), params)
      return row
    }
  },
  doc: {
    summary: 'Makes a text of literal text and fields: `<field>`, or `<option:field>` in another form.',
    parameters: [
      { name: 'pattern', text: 'the text' },
      { name: 'as', text: 'field that gets it' },
    ],
    examples: [{ query: '* | format "<uc:level> <workload>: <content>" as line | fields line | limit 3' }],
  },
})
