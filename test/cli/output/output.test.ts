import { beforeAll, describe, expect, test } from 'vitest'
import { displayWidth, loadWidths } from '../../../src/cli/output/width.ts'
import { Instant, batchOfRows, field, type Value } from '../../../src/data/index.ts'
import { textOf } from '../../../src/cli/output/format.ts'
import { logfmtOutput, rawOutput } from '../../../src/cli/output/lines.ts'
import { chartOutput } from '../../../src/cli/output/chart.ts'
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

describe('a chart', () => {
  const chart = (rows: Rows, columns = 40): readonly string[] => written(chartOutput({ columns }), rows).split('\n')

  test('has a bar for the last number of each row', () => {
    expect(
      chart([
        { status: 200, level: 'info', n: 8 },
        { status: 503, level: 'error', n: 4 },
        { status: null, level: '', n: 1 },
      ]),
    ).toEqual([
      'status  level  n',
      '200     info   8  ██████████████████████',
      '503     error  4  ███████████',
      '               1  ██▊',
      '(3 rows; bars from 0 to 8)',
      '',
    ])
  })

  test('has bars on both sides of 0, and none for 0, NaN and what is missing', () => {
    const rows = [10, -5, 0, null, NaN, 0.001].map((n, i) => ({ a: `r${i}`, n }))
    expect(chart(rows, 32)).toEqual([
      'a       n',
      'r0     10         ██████████████',
      'r1     -5  ███████',
      'r2      0',
      'r3',
      'r4    NaN',
      'r5  0.001         ▏',
      '(6 rows; bars from -5 to 10)',
      '',
    ])
    expect(
      chart(
        [
          { a: 'x', n: -1 },
          { a: 'y', n: -2 },
        ],
        23,
      ).slice(1, 3),
    ).toEqual(['x  -1          ████████', 'y  -2  ████████████████'])
  })

  test('has times without zeros of nanoseconds, and integers of 64 bits', () => {
    const lines = chart([{ _time: new Instant(1_773_140_400_000_000_000n), n: 9_007_199_254_740_993n }], 60)
    expect(lines[1]).toBe('2026-03-10T11:00:00Z  9007199254740993  ████████████████████')
  })

  test('of infinite numbers has bars over the whole', () => {
    expect(chart([{ n: Infinity }, { n: 1 }], 30).slice(1, 3)).toEqual([
      '+Inf  ████████████████████████',
      '   1  ████████████████████████',
    ])
    expect(chart([{ n: -Infinity }], 30)[1]).toMatch(/^-Inf +█+$/)
  })

  test('is never wider than the terminal', () => {
    const row = { first: 'x'.repeat(50), other: '日本語'.repeat(9), n: 123456789 }
    for (let columns = 1; columns < 150; columns++)
      for (const line of chart([row, { ...row, n: -3 }], columns).slice(0, 3))
        expect(displayWidth(line), String(columns)).toBeLessThanOrEqual(columns)
    expect(written(chartOutput({ columns: Infinity }), [{ n: 1 }]).split('\n')[1]).toHaveLength(80)
  })

  test('of a growing answer is no higher than the terminal', () => {
    const rows = Array.from({ length: 50 }, (_, n) => ({ n }))
    const lines = written(chartOutput({ columns: 60, runningLines: 10 }), rows).split('\n')
    expect(lines).toHaveLength(11)
    expect(lines[9]).toBe('(50 rows so far; bars from 0 to 49; the first 8 shown)')
  })

  test('without a number is refused, without rows empty', () => {
    expect(() => chart([{ a: 'x', 'b\u001b': 'y' }])).toThrow(
      'A chart needs a column of numbers, as `| stats by (_time:5m) count()` gives; there are a, b\\x1b.',
    )
    expect(() => chart([{ n: 1 }, { n: 'x' }])).toThrow('there are n.')
    expect(chart([])).toEqual(['(no rows)', ''])
  })

  test('shows what would steer the terminal', () => {
    expect(
      chart([{ a: '\u001b[31m', '\u001b[2J': 1 }], 60)
        .slice(0, 2)
        .join('\n'),
    ).not.toContain('\u001b')
  })
})

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
