import { describe, expect, test } from 'vitest'
import { collect, interval, parseRfc3339, type Interval } from '../../../../src/base/index.ts'
import { rowToJson } from '../../../../src/data/index.ts'
import { createEngine, readRows } from '../../../../src/engine/index.ts'
import {
  canon,
  parse,
  parseFilter,
  withExtraFilter,
  withTimeRange,
  withoutPipes,
  type Query,
} from '../../../../src/lang/log/index.ts'
import type { Dialect } from '../../../../src/plan/index.ts'
import { minuteNs, mixedRows, rowsOver, startNs } from '../../../engine/data.ts'

function read(text: string, dialect: Dialect): Query {
  const { ast, diagnostics } = parse(text, { dialect })
  expect(diagnostics).toEqual([])
  return ast
}

const day: Interval = interval(parseRfc3339('2026-01-02T00:00:00Z') ?? 0n, parseRfc3339('2026-01-03T00:00:00Z') ?? 0n)
const DAY = '_time:[2026-01-02T00:00:00.000000000Z,2026-01-02T23:59:59.999999999Z]'

/** Returns the text of a query and expects that parsing and printing it again gives the same text. */
function printed(query: Query, dialect: Dialect): string {
  const text = canon(query, dialect)
  expect(canon(read(text, dialect), dialect)).toBe(text)
  return text
}

describe('the range of a request in the text', () => {
  test.each<[Dialect, string, string]>([
    ['native', '*', DAY],
    ['native', '| limit 3', `${DAY} | limit 3`],
    ['native', 'a:1 a:2', `${DAY} AND (a:1 a:2)`],
    ['native', 'a:1 or b:2 | limit 3', `${DAY} AND (a:1 or b:2) | limit 3`],
    ['native', 'a:in(b:1 | fields c)', `${DAY} AND a:in(${DAY} AND b:1 | fields c)`],
    ['native', 'a | join by (x) (b | union (c))', `${DAY} AND a | join by (x) (${DAY} AND b | union (${DAY} AND c))`],
    ['logsql', 'a or b', `${DAY} (a or b)`],
    ['logsql', 'options(ignore_global_time_filter=t) a', 'options(ignore_global_time_filter=true) a'],
    [
      'native',
      'options(ignore_global_time_filter=true) a | union (options(ignore_global_time_filter=false) b) | union (c)',
      `options(ignore_global_time_filter=true) a | union (options(ignore_global_time_filter=false) ${DAY} AND b) | union (c)`,
    ],
  ])('%s %s', (dialect, text, expected) => {
    expect(printed(withTimeRange(read(text, dialect), day, dialect), dialect).replaceAll(' and ', ' AND ')).toBe(
      expected,
    )
  })

  test('open ends, and no range at all', () => {
    const query = read('a', 'native')
    expect(printed(withTimeRange(query, { ...day, endNs: 2n ** 63n - 1n }), 'native')).toContain(
      '_time:>=2026-01-02T00:00:00.000000000Z',
    )
    expect(printed(withTimeRange(query, { ...day, startNs: -(2n ** 63n) }), 'native')).toContain(
      '_time:<2026-01-03T00:00:00.000000000Z',
    )
    expect(withTimeRange(query, { startNs: -(2n ** 63n), endNs: 2n ** 63n - 1n })).toBe(query)
  })

  test('answers what the range beside the text answers', async () => {
    const engine = createEngine({ backends: [rowsOver(mixedRows(200))], lint: 'off' })
    const range = interval(startNs + 3n * minuteNs, startNs + 40n * minuteNs)
    const answer = async (text: string, options = {}): Promise<readonly string[]> =>
      (await collect(readRows(engine.query(text, options).batches()))).map((row) => rowToJson(row))
    for (const text of [
      '*',
      'level:error level:warn',
      'pod:in(level:error | fields pod) | stats by (pod) count() as n',
      'level:error | union (options(ignore_global_time_filter=true) level:warn) | stats by (level) count() as n',
    ]) {
      const expected = await answer(text, { range })
      expect(expected).not.toEqual(await answer(text))
      expect(await answer(canon(withTimeRange(read(text, 'native'), range)))).toEqual(expected)
    }
  })
})

describe('filters that a caller adds', () => {
  test.each<[Dialect, string, string, string]>([
    ['native', '*', 'tenant:="1"', 'tenant:=1'],
    ['native', 'a:1 a:2', 'a:3', 'a:3 and (a:1 a:2)'],
    ['native', 'a:1', 'b:1 or c:2', '(b:1 or c:2) and a:1'],
    ['native', 'x:in(a:1 | fields x) | union (b)', 't:1', 't:1 and x:in(t:1 and a:1 | fields x) | union (t:1 and b)'],
    ['logsql', 'a b', 't:=1', 't:=1 a b'],
    [
      'logsql',
      'a | count() if (x:in(y | fields x)) n',
      't:=1',
      't:=1 a | stats count(*) if (x:in(t:=1 y | fields x)) as n',
    ],
  ])('%s %s with %s', (dialect, text, extra, expected) => {
    const filter = parseFilter(extra, { dialect }).ast
    if (filter === undefined) throw new Error(extra)
    expect(printed(withExtraFilter(read(text, dialect), filter), dialect)).toBe(expected)
  })
})

describe('parts of a query', () => {
  test.each([
    ['a b | filter c:1 | stats count()', 'a b c:1'],
    ['a | limit 5 | filter c:1', 'a'],
    ['* | top 5 by (x)', '*'],
  ])('%s reads the rows of %s', (text, expected) => {
    expect(printed(withoutPipes(read(text, 'logsql')), 'logsql')).toBe(expected)
  })
})
