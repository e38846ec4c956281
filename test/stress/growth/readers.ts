import { SluiceError, compileRegexp, isError } from '../../../src/base/index.ts'
import { exampleContext, leadingTime, readTime } from '../../../src/data/index.ts'
import { TextRecords, plainText } from '../../../src/ingest/index.ts'
import { canon, parse } from '../../../src/lang/log/index.ts'
import { readMonitor } from '../../../src/resources/index.ts'

export interface Reader {
  readonly name: string
  /** Length of the shorter input, in characters. */
  readonly length: number
  readonly read: (length: number) => unknown
}

interface Form {
  readonly start?: string
  readonly fill: string
  readonly end?: string
}

function written({ start = '', fill, end = '' }: Form, length: number): string {
  return start + fill.repeat(Math.ceil(length / fill.length)) + end
}

const queries: Readonly<Record<string, Form>> = {
  'open parentheses': { fill: '(' },
  'open subqueries': { fill: 'x:in(' },
  bars: { fill: '|' },
  quotes: { fill: '"' },
  escapes: { start: '"', fill: '\\', end: '"' },
  colons: { fill: 'a:' },
  stars: { fill: 'a*' },
  negations: { fill: '-', end: 'a' },
  words: { fill: 'a ' },
  alternatives: { fill: 'a or ', end: 'a' },
  values: { start: 'x:in(', fill: 'a,', end: 'b)' },
  fields: { start: '* | fields ', fill: 'a,', end: 'b' },
  'a sum': { start: '* | math ', fill: 'a+', end: 'b as c' },
  comments: { fill: '#\n' },
  surrogates: { fill: '\ud800' },
  rows: { start: '* | union rows(', fill: '{"a":"b"},', end: '{})' },
}

function readQuery(text: string): void {
  for (const dialect of ['native', 'logsql'] as const) {
    const { ast, diagnostics } = parse(text, { dialect })
    if (!diagnostics.some(isError)) canon(ast, dialect)
  }
}

const lines: readonly string[] = [
  '2025-11-30T10:11:12Z ',
  '10.0.0.1 - - [30/Nov/2025:10:11:12 +0000] "GET ',
  '<13>1 2025-11-30T10:11:12Z host app - - [',
  'Nov 30 10:11:12 lb haproxy[1]: 1.2.3.4:5 [30/Nov/2025:10:11:12.345] a b/c 1/2/3/4/5 ',
  'Started GET "',
  '#Fields: ',
  'panic: ',
  '{"log":"',
  'a="',
]
const fills = ['"', '\\', ' ', '[', '"" ', ', client: "', 'a=', '\0', '1', '\t']

function readLine(line: string): void {
  const records = new TextRecords({ nowNs: exampleContext.nowNs })
  records.push(line)
  records.flush()
  plainText({ nowNs: exampleContext.nowNs }).decode(line)
}

const times = ['2006-01-02T15:04:05.', '1', '2006-01-02 ', ' ', '[', 'Jan ', 'Jan  2 2006, ', 'Mon, ', '/Date(1', 'é']

const monitors: Readonly<Record<string, Form>> = {
  brackets: { fill: '[' },
  braces: { fill: '{a: ' },
  dashes: { start: 'x:\n', fill: '- ' },
  'question marks': { fill: '? ' },
  'JSON brackets': { start: '{"x":', fill: '[' },
  'many values': { start: '{"x":[', fill: '1,', end: '1]}' },
}

function readBody(text: string): void {
  try {
    readMonitor(new TextEncoder().encode(text), false)
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
  }
}

const patterns = ['(a+)+$', '(a|a)*b', '(.*)*x', '(?:a?){30}a{30}b', '(\\w+\\s?)*!']

export const readers: readonly Reader[] = [
  ...Object.entries(queries).map(([name, form]): Reader => ({
    name: `log query, ${name}`,
    length: 15_000,
    read: (length) => readQuery(written(form, length)),
  })),
  ...lines.map((start): Reader => ({
    name: `log line ${JSON.stringify(start)}`,
    length: 250_000,
    read: (length) => {
      for (const fill of fills) readLine(written({ start, fill }, length))
    },
  })),
  ...times.map((start): Reader => ({
    name: `time ${JSON.stringify(start)}`,
    length: 250_000,
    read: (length) => {
      for (const fill of [start, '1', ' ']) {
        readTime(written({ start, fill }, length), exampleContext)
        leadingTime(written({ start, fill }, length), exampleContext)
      }
    },
  })),
  ...Object.entries(monitors).map(([name, form]): Reader => ({
    name: `monitor, ${name}`,
    length: 30_000,
    read: (length) => readBody(written(form, length)),
  })),
  ...patterns.map((pattern): Reader => {
    const regexp = compileRegexp(pattern, false)
    return {
      name: `pattern ${pattern}`,
      length: 5000,
      read: (length) => regexp.test(written({ fill: 'a', end: '?' }, length)),
    }
  }),
]
