import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { spanOf, type Diagnostic } from '../../../src/base/index.ts'
import { parse } from '../../../src/lang/log/index.ts'
import { parsePromql } from '../../../src/lang/promql/index.ts'

const readme = new URL('../../../src/lang/kit/README.md', import.meta.url)

/** The broken queries of the table in the README, with their languages. */
const broken: readonly (readonly ['log' | 'promql', string])[] = [
  ['log', 'level: | sort by (x | limit 5'],
  ['log', '* | stats by (a b) count() | limit x'],
  ['log', 'in(* | foo bar (x) | fields y) | limt 5'],
  ['log', '(level:error | limit 5'],
  ['log', '{app="x" | top'],
  ['promql', 'sum(a b, c d)'],
  ['promql', 'foo{a=, b="c" d} + bar{e}'],
  ['promql', '1 + (2 * (3 + ) - x{,})'],
  ['promql', 'sum by (a b, c d) (x) + * y'],
  ['promql', 'rate(foo[5m)'],
]

function said({ origin, message }: Diagnostic): string {
  return `${spanOf(origin)?.start ?? '?'}: ${message.replaceAll('|', '\\|')}`
}

function row([language, query]: readonly ['log' | 'promql', string]): string {
  const { diagnostics } = language === 'log' ? parse(query) : parsePromql(query)
  const kinds = language === 'log' ? parse(query).ast.pipes.map(({ kind }) => (kind === 'broken' ? '…' : kind)) : []
  return `| ${language} | \`${query.replaceAll('|', '\\|')}\` | ${diagnostics.map(said).join('<br>')} | ${kinds.join(' \\| ')} |`
}

/** Returns the lines of a table without the spaces that a formatter adds. */
function cellsOf(table: string): readonly string[] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.replaceAll(/ *(?<!\\)\| */g, '|').replaceAll(/-+/g, '-'))
}

test('the table of the README says what recovery does', () => {
  const table = ['| language | query | errors | stages read |', '|---|---|---|---|', ...broken.map(row)].join('\n')
  const place = /(?<=<!-- recovery -->\n)[^]*?(?=\n<!-- end -->)/
  if (process.env['UPDATE_GOLDEN'] === '1')
    writeFileSync(
      readme,
      readFileSync(readme, 'utf8').replace(place, () => table),
    )
  expect(cellsOf(place.exec(readFileSync(readme, 'utf8'))?.[0] ?? '')).toEqual(cellsOf(table))
})

/** Texts within the limit of 64 KiB, and far beyond it. */
const hostile: readonly (readonly [string, string])[] = [
  ['100,000 opening brackets', '('.repeat(100_000)],
  ['32,000 opening brackets', '('.repeat(32_000)],
  ['32,000 pairs', '('.repeat(16_000) + ')'.repeat(16_000)],
  ['brackets of all kinds', '([{'.repeat(10_000)],
  ['a token of 5 MB', 'a'.repeat(5_000_000)],
  ['a token of 60 KB', 'a'.repeat(60_000)],
  ['a quote that never closes', `"${'a'.repeat(60_000)}`],
  ['60,000 stray characters', '\u0001'.repeat(60_000)],
  ['20,000 commas', ','.repeat(20_000)],
  ['20,000 pipes', '| '.repeat(20_000)],
  ['20,000 operators', 'a + '.repeat(15_000)],
  ['lone surrogates', '\udc00'.repeat(20_000)],
]

describe.each([
  ['log', (text: string) => parse(text).diagnostics],
  ['promql', (text: string) => parsePromql(text).diagnostics],
] as const)('hostile texts: %s', (_, diagnosticsOf) => {
  test.each(hostile)('%s', (name, text) => {
    const diagnostics = diagnosticsOf(text)
    // A single long word is a valid query.
    expect(diagnostics.length > 0).toBe(name !== 'a token of 60 KB')
    // The number of diagnostics is limited, and each has a position in the text.
    expect(diagnostics.length).toBeLessThanOrEqual(101)
    for (const { origin } of diagnostics) expect(spanOf(origin)?.end ?? 0).toBeLessThanOrEqual(text.length)
  })
})
