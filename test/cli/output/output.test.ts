import { beforeAll, describe, expect, test } from 'vitest'
import { loadWidths } from '../../../src/cli/output/width.ts'
import { batchOfRows, field, type Value } from '../../../src/data/index.ts'
import { textOf } from '../../../src/cli/output/format.ts'
import { logfmtOutput, rawOutput } from '../../../src/cli/output/lines.ts'
import type { OutputFormat } from '../../../src/cli/output/index.ts'
import { paintFor, plain, severityOf, type Paint } from '../../../src/cli/output/style.ts'
import { tableOutput, type TableOptions } from '../../../src/cli/output/table.ts'

type Rows = readonly Readonly<Record<string, Value>>[]

beforeAll(loadWidths)

function written(output: OutputFormat, rows: Rows): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const schema = { fields: names.map((name) => field(name, 'any', 'named')), isOpen: false }
  const batch = batchOfRows(
    schema,
    rows.map((row) => new Map(Object.entries(row))),
  )
  const text = output.begin(schema) + textOf(output.batch(batch))
  const end = output.end()
  if (typeof end !== 'string') throw new Error('widths are loaded')
  return text + end
}

const table = (rows: Rows, options: Partial<TableOptions> = {}): readonly string[] =>
  written(tableOutput({ columns: Infinity, ...options }), rows).split('\n')

const named: Paint = (part, text) => `<${part} ${text}>`

describe('a table', () => {
  test('is as wide as its cells where there is room, wide characters counted', () => {
    expect(
      table([
        { a: '日本語', n: 1 },
        { a: 'x', n: 22 },
      ]),
    ).toEqual(['a        n', '------  --', '日本語   1', 'x       22', '(2 rows)', ''])
  })

  test('never is wider than the terminal, and says what it leaves out', () => {
    const row = { first: 'x'.repeat(50), content: 'y'.repeat(90), last: 'z'.repeat(50), n: 123456789 }
    for (let columns = 1; columns < 220; columns++) {
      const lines = table([row], { columns, textField: 'content' })
      for (const line of lines.slice(0, 3)) expect(line.length).toBeLessThanOrEqual(columns)
      const told = (lines[3] ?? '').split('no room for ')[1]?.replace(')', '').split(', ') ?? []
      const header = lines[0]?.trim().split(/ +/) ?? []
      expect(header.length + told.length).toBe(4)
    }
  })

  test('keeps the log line when other columns have no room', () => {
    const rows = [{ a: 'x'.repeat(12), b: 'x'.repeat(12), content: 'disk full' }]
    expect(table(rows, { columns: 24, textField: 'content' }).slice(0, 4)).toEqual([
      'a             content',
      '------------  ---------',
      'xxxxxxxxxxxx  disk full',
      '(1 row; no room for b)',
    ])
  })

  test('cuts texts, not numbers', () => {
    expect(table([{ text: 'a'.repeat(30), n: 1234567890123 }], { columns: 27 })[2]).toBe('aaaaaaaaaaa…  1234567890123')
  })

  test('shows what would steer the terminal', () => {
    expect(table([{ a: '\u001b[31m\u202e\n' }])[2]).toBe('\\x1b[31m\\u202e⏎')
    expect(table([{ '\u001b]0;title\u0007': 1 }])[0]).toBe('\\x1b]0;title\\x07')
  })

  test('colours levels', () => {
    expect(table([{ level: 'ERROR' }, { level: 'odd' }], { paint: named })).toEqual([
      '<heading level>',
      '<dim ----->',
      '<error ERROR>',
      'odd',
      '<dim (2 rows)>',
      '',
    ])
  })
})

describe('lines', () => {
  const rows = [
    { level: 'warn', content: 'disk "full"\u0007', n: 1, gone: null },
    { level: 'info', content: '', n: 2 },
  ]

  test('logfmt reads back', () => {
    expect(written(logfmtOutput(), rows)).toBe('level=warn content="disk \\"full\\"\\u0007" n=1\nlevel=info n=2\n')
    expect(written(logfmtOutput(named), rows).split('\n')[1]).toBe('<info level=info> n=2')
  })

  test('raw is the text as it came, and shown safely on a terminal', () => {
    expect(written(rawOutput('content', false), rows)).toBe('disk "full"\u0007\nlevel=info n=2\n')
    expect(written(rawOutput('content', true), rows).split('\n')[0]).toBe('disk "full"\\x07')
  })
})

describe('colours', () => {
  const tty = { isOutputTty: true, env: {} }
  const isColored = (...args: Parameters<typeof paintFor>): boolean => paintFor(...args) !== plain

  test.each([
    ['a terminal', tty, undefined, true],
    ['a pipe', { isOutputTty: false, env: {} }, undefined, false],
    ['a pipe that wants them', { isOutputTty: false, env: {} }, 'always', true],
    ['a terminal that does not', tty, 'never', false],
    ['NO_COLOR', { isOutputTty: true, env: { NO_COLOR: '1' } }, undefined, false],
    ['an empty NO_COLOR', { isOutputTty: true, env: { NO_COLOR: '' } }, undefined, true],
    ['the option before NO_COLOR', { isOutputTty: true, env: { NO_COLOR: '1' } }, 'always', true],
    ['FORCE_COLOR', { isOutputTty: false, env: { FORCE_COLOR: '1' } }, undefined, true],
    ['a dumb terminal', { isOutputTty: true, env: { TERM: 'dumb' } }, undefined, false],
  ] as const)('%s', (_, terminal, option, expected) => expect(isColored(terminal, option)).toBe(expected))

  test('levels by their names in any case', () => {
    expect(['Error', 'WARNING', 'notice', 'TRACE', 'panic', 'x'].map(severityOf)).toEqual([
      'error',
      'warn',
      'info',
      'debug',
      'fatal',
      undefined,
    ])
  })
})
