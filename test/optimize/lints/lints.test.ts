import { describe, expect, test } from 'vitest'
import { always, applyFix, interval, present, spanOf, type Diagnostic } from '../../../src/base/index.ts'
import { createEngine } from '../../../src/engine/index.ts'
import { lints } from '../../../src/optimize/index.ts'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'
import { rowsOver } from '../../engine/data.ts'

// Without data, lints report the cost of a query on a large store.
const engine = createEngine({
  clock: { nowMs: () => 0, nowNs: () => 1_767_225_600_000_000_000n },
})
const day = interval(1_767_139_200_000_000_000n, 1_767_225_600_000_000_000n)

function check(text: string, name: string, range = day): readonly Diagnostic[] {
  return engine.check(text, { range }).filter((d) => d.code === `lint/${name}`)
}

/** Expects that a lint reports the span between «» and that its fix gives the text `fixed`. */
function expectMarked(marked: string, name: string, fixed: string | undefined, range = day): Diagnostic {
  const start = marked.indexOf('«')
  const end = marked.indexOf('»') - 1
  const text = marked.replace('«', '').replace('»', '')
  const found = check(text, name, range)
  expect(found.map((d) => spanOf(d.origin))).toEqual([{ start, end }])
  const [diagnostic] = found
  const [fix] = present(diagnostic).fixes
  expect(fix === undefined ? undefined : applyFix(text, fix)).toBe(fixed)
  if (fixed !== undefined) expect(check(fixed, name, range)).toEqual([])
  return present(diagnostic)
}

test('names are unique', () => {
  expect(new Set(lints.map((lint) => lint.name)).size).toBe(lints.length)
})

describe('leading-wildcard', () => {
  test.each([
    ['«*timeout*» | limit 5', 'timeout | limit 5'],
    ['«content:*timeout*» | limit 5', 'timeout | limit 5'],
    ['«pod:*api*» | limit 5', 'pod:api* | limit 5'],
    ['«pod:*api» | limit 5', undefined],
    ['«*:*api*» | limit 5', undefined],
    ['-«pod:*-db*» | limit 5', '-pod:"-db"* | limit 5'],
    ['* | stats by (level) count() if («pod:*api*») as n', '* | stats by (level) count() if (pod:api*) as n'],
  ])('%s', (marked, fixed) => {
    expectMarked(marked ?? '', 'leading-wildcard', fixed)
  })
  test('what it costs and what to write instead', () => {
    const found = expectMarked('«*refused*» | limit 5', 'leading-wildcard', 'refused | limit 5')
    expect(found.message).toBe('`*refused*` begins with a star, so every value of `content` in the range is read.')
    expect(found.notes).toEqual([
      'No index finds the middle of a value, but words and beginnings are indexed: `refused`.',
    ])
  })
  test.each([
    'pod:api* | limit 5',
    'pod:a*b | limit 5',
    'timeout | limit 5',
    '* | limit 5',
    'pod:* | limit 5',
    'pod:"*api*" | limit 5',
  ])('not %s', (text) => {
    expect(check(text, 'leading-wildcard')).toEqual([])
  })
})

describe('no-limit', () => {
  test.each([
    ['«level:error»', 'level:error | limit 100'],
    ['level:error | «fields pod»  # a comment', 'level:error | fields pod | limit 100  # a comment'],
    ['level:error | «sort by (pod)»', 'level:error | sort by (pod) | limit 100'],
    ['level:error | «offset 5»', 'level:error | offset 5 | limit 100'],
  ])('%s', (marked, fixed) => {
    expectMarked(marked, 'no-limit', fixed)
  })
  test.each([
    '* | limit 5',
    '* | stats by (pod) count() as n',
    '* | uniq by (pod)',
    '* | sort by (pod) | limit 5 | fields pod',
  ])('not %s', (text) => {
    expect(check(text, 'no-limit')).toEqual([])
  })
})

describe('limit-before-offset', () => {
  test('a page cut in the wrong order', () => {
    const found = expectMarked(
      '* | sort by (pod) | limit 10 | «offset 5»',
      'limit-before-offset',
      '* | sort by (pod) | offset 5 | limit 10',
    )
    expect(found.message).toBe('`offset 5` skips rows of the 10 that the `limit` before it leaves.')
  })
  test('not the other way round', () => {
    expect(check('* | sort by (pod) | offset 5 | limit 10', 'limit-before-offset')).toEqual([])
  })
})

describe('unstable-page', () => {
  test('an offset without a sort', () => {
    expectMarked(
      'level:error | «offset 20» | limit 10',
      'unstable-page',
      'level:error | sort by (_time desc) | offset 20 | limit 10',
    )
  })
  test.each([
    '* | sort by (pod) | offset 5 | limit 5',
    '* | stats by (pod) count() | offset 5',
    '* | offset 0 | limit 5',
  ])('not %s', (text) => {
    expect(check(text, 'unstable-page')).toEqual([])
  })
})

describe('level-order', () => {
  test.each([
    ['«level:>=warn» | limit 5', 'level:in(warn, error, critical, alert, emergency, fatal, panic) | limit 5'],
    ['«level:>ERROR» | limit 5', 'level:in(critical, alert, emergency, fatal, panic) | limit 5'],
    ['«level:<info» | limit 5', 'level:in(trace, verbose, debug) | limit 5'],
    ['-«level:<=debug» | limit 5', '-level:in(trace, verbose, debug) | limit 5'],
  ])('%s', (marked, fixed) => {
    expectMarked(marked, 'level-order', fixed)
  })
  test.each(['level:>m', 'pod:>=warn', 'level:in(warn, error)', 'level:warn'])('not %s', (text) => {
    expect(check(text, 'level-order')).toEqual([])
  })
})

describe('rate-per-second', () => {
  const open = interval(day.startNs, always.endNs)
  test.each(['* | «stats rate()»', 'level:error | «stats by (pod) rate_sum(duration_ms) as busy» | limit 5'])(
    'a range without an end: %s',
    (text) => {
      const { message } = expectMarked(text, 'rate-per-second', undefined, open)
      expect(message).toContain('divides by one second')
    },
  )
  test('a range of the request', () => {
    expect(check('* | stats rate()', 'rate-per-second')).toEqual([])
  })
  test.each(['_time:1h | stats rate()', '* | stats by (_time:5m) rate()', '* | stats count()'])('not %s', (text) => {
    expect(check(text, 'rate-per-second', open)).toEqual([])
  })
})

describe('contradiction', () => {
  test.each([
    'level:error AND «level:warn» | limit 5',
    'level:error | filter «level:warn» | limit 5',
    'status:>500 «status:<400» | limit 5',
    'level:error «-level:error» | limit 5',
    'level:"" «-level:""» | limit 5',
  ])('%s', (marked) => {
    expectMarked(marked, 'contradiction', undefined)
  })
  test.each([
    'level:error level:warn | limit 5',
    'level:error -pod:x | limit 5',
    'status:>400 status:<500 | limit 5',
    'status:500 AND status:500.0 | limit 5',
  ])('not %s', (text) => {
    expect(check(text, 'contradiction')).toEqual([])
  })
})

describe('useless-pipe', () => {
  test.each([
    ['* | «sort by (pod)» | stats by (level) count() as n', '* | stats by (level) count() as n'],
    ['* | «fields *» | limit 5', '* | limit 5'],
    ['* | stats count() as n | «limit 5»', '* | stats count() as n'],
    ['* | «filter *» | limit 5', '* | limit 5'],
    ['* | stats by (pod) count() as n | «fields pod, n»', '* | stats by (pod) count() as n'],
  ])('%s', (marked, fixed) => {
    expectMarked(marked, 'useless-pipe', fixed)
  })
  test.each([
    '* | sort by (pod) | limit 5',
    '* | sort by (pod) | stats values(level) as v',
    '* | stats by (pod) count() as n | fields n, pod',
    '* | limit 5',
  ])('not %s', (text) => {
    expect(check(text, 'useless-pipe')).toEqual([])
  })
})

describe('wide-time-range', () => {
  test('more than a week', () => {
    const wide = interval(day.startNs - 30n * 86_400_000_000_000n, day.endNs)
    expect(expectMarked('«level:error | limit 5»', 'wide-time-range', undefined, wide).message).toBe(
      'The query reads 31 days of `logs`.',
    )
    expectMarked('«_time:30d» level:error | limit 5', 'wide-time-range', undefined, wide)
    expect(check('_time:1h level:error | limit 5', 'wide-time-range', wide)).toEqual([])
  })
  test('no range is only mentioned', () => {
    const open = engine.check('level:error | limit 5')
    expect(open.map((d) => `${d.severity} ${d.code}`)).toEqual(['info lint/wide-time-range'])
  })
})

describe('unselective-start', () => {
  test.each(['«-level:debug» | limit 5', '«content:~"[0-9]+"» | limit 5'])('%s', (marked) => {
    expectMarked(marked, 'unselective-start', undefined)
  })
  test.each([
    'level:error -debug | limit 5',
    'timeout | limit 5',
    '* | limit 5',
    'status:>500 | limit 5',
    'level:error or timeout | limit 5',
  ])('not %s', (text) => {
    expect(check(text, 'unselective-start')).toEqual([])
  })
})

describe('lints about costs', () => {
  const store = createMemoryStore(standardCatalog)
  const startNs = day.startNs
  store
    .table('logs')
    .writer.appendRows(
      Array.from({ length: 100 }, (_, i) => ({ timeNs: startNs + BigInt(i), row: new Map([['level', 'info']]) })),
    )
  const over = (limits: object, scope?: () => undefined): ((text: string, range?: typeof day) => readonly string[]) => {
    const measured = createEngine({ backends: [columnarBackend(store, standardFunctions)], limits })
    return (text, range) => measured.plan(text, { ...(range && { range }), scope }).diagnostics.map(({ code }) => code)
  }

  test('no-limit speaks of answers that are large', () => {
    expect(over({ manyRows: 99 })('*', day)).toEqual(['lint/no-limit'])
    expect(over({ manyRows: 100 })('*', day)).toEqual([])
    // A filter is assumed to pass a tenth of the rows.
    expect(over({ manyRows: 9 })('level:info', day)).toEqual(['lint/no-limit'])
    expect(over({ manyRows: 10 })('level:info', day)).toEqual([])
    expect(over({ manyRows: 49 })('*', interval(startNs, startNs + 50n))).toEqual(['lint/no-limit'])
    expect(over({ manyRows: 50 })('*', interval(startNs, startNs + 50n))).toEqual([])
  })

  test('wide-time-range speaks of scans that are costly', () => {
    expect(over({ costlyRows: 99 })('* | limit 5')).toEqual(['lint/wide-time-range'])
    expect(over({ costlyRows: 100 })('* | limit 5')).toEqual([])
  })

  test('nothing is said where rows are hidden, or not counted', () => {
    const limits = { manyRows: 0, costlyRows: 0 }
    expect(over(limits, () => undefined)('*')).toEqual([])
    expect(createEngine({ backends: [rowsOver([])], limits }).check('*')).toEqual([])
  })
})
