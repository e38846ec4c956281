import { always } from '../../src/base/index.ts'
import { describe, expect, test } from 'vitest'
import { bind } from '../../src/analyze/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { lower, parse } from '../../src/lang/log/index.ts'
import { isBounded, optimize, scanPlanNotes, scanPlans, type ScanPlan } from '../../src/optimize/index.ts'
import { comparisonsOf, type LogicalPlan } from '../../src/plan/index.ts'
import { defineTable, tableSet } from '../../src/store/index.ts'

const { tables, catalog } = tableSet([
  defineTable({
    name: 't',
    timeField: 'at',
    textField: 'msg',
    grade: (filter) =>
      comparisonsOf(filter) === undefined ? 'none' : JSON.stringify(filter).includes('"n"') ? 'exact' : 'superset',
    scan: () => [],
  }),
])

function planOf(text: string): LogicalPlan {
  const { plan } = bind(lower(parse(text).ast, { nowNs: 0n, table: 't', textField: 'msg' }), {
    catalog,
    functions: standardFunctions,
  })
  const timeFieldOf = () => 'at'
  return optimize(plan, { context: { functions: standardFunctions, timeFieldOf, textFieldOf: () => 'msg' } })
}

function scanPlansOf(text: string): readonly ScanPlan[] {
  return [...scanPlans(planOf(text), tables, standardFunctions).values()]
}

describe('what a plan asks of its tables', () => {
  test.each<[string, readonly string[]]>([
    ['*', ['reads all fields', 'newest first is requested']],
    ['* | limit 5', ['reads all fields', 'newest first is requested', 'at most 5 rows are requested']],
    [
      '* | fields a | limit 5 | offset 2',
      ['reads only a, at', 'newest first is requested', 'at most 5 rows are requested'],
    ],
    [
      'n:>4 | limit 5',
      [
        'reads all fields',
        'the table decides: n in (4, +Inf] (exact)',
        'newest first is requested',
        'at most 5 rows are requested',
      ],
    ],
    [
      'n:>4 m:>4 error | fields a | limit 5',
      [
        'reads only a, at, n, m, msg',
        'the table decides: n in (4, +Inf] (exact)',
        'the table leaves out rows, and they are tested again: m in (4, +Inf] (superset)',
        'tested above the table: msg phrase i:"error"',
        'newest first is requested',
      ],
    ],
    ['* | stats count()', ['reads only no field', 'counted without a scan when the table knows its number of rows']],
    ['* | stats by (a) max(b)', ['reads only a, b']],
    ['* | stats by (a) row_any(b)', ['reads only a, b, at', 'newest first is requested']],
    ['* | sort by (a) | limit 3 | fields a', ['reads only a, at', 'newest first is requested']],
    [
      '_time:2026-01-01 | stats count()',
      ['reads only at', 'times requested: [2026-01-01T00:00:00Z, 2026-01-02T00:00:00Z)'],
    ],
    [
      'n:>4 | fields a | sample 3',
      ['reads all fields', 'the table decides: n in (4, +Inf] (exact)', 'newest first is requested'],
    ],
    ['n:>4 | stats by (a) count() as n | sample 3', ['reads only a, n', 'the table decides: n in (4, +Inf] (exact)']],
  ])('%s', (text, notes) => {
    expect(scanPlansOf(text).map((each) => scanPlanNotes(each))).toEqual([notes])
  })

  test.each<[string, ScanPlan['holds']]>([
    ['*', 'all'],
    ['* | sort by (a)', 'all'],
    ['* | limit 5 | offset 2', { keys: [], rows: 5 }],
    ['* | math n * 2 as m | limit 5', { keys: [], rows: 5 }],
    ['* | limit 5 | filter a:x', { keys: [], rows: 5 }],
    ['* | limit 20000', 'all'],
    ['* | unpack_json from a | stats by (b) count() c, max(n) m', 'none'],
    ['* | stats by (a) count() c | sort by (c) | limit 3', 'none'],
    ['* | uniq by (a)', 'none'],
    ['* | stats by (a) median(n)', 'all'],
    ['* | stats by (a) row_any(b)', 'all'],
    ['* | math n * 2 as m | sort by (m) limit 5', 'all'],
    ['* | sort by (a) partition by (b) limit 5', 'all'],
    ['* | sample 5', 'all'],
    ['* | limit 5 | stats count()', { keys: [], rows: 5 }],
  ])('what it holds of the rows: %s', (text, holds) => {
    expect(scanPlansOf(text).map((each) => each.holds)).toEqual([holds])
  })

  test('a sort with a limit holds the first rows by its keys', () => {
    const [found] = scanPlansOf('error | sort by (a desc, b) offset 2 limit 3')
    expect(found?.holds).toMatchObject({ rows: 5, keys: [{ direction: 'desc' }, { direction: 'asc' }] })
  })

  test('a guard takes the bound away, and what it reads is read', () => {
    const plan = planOf('n:>4 | fields a | limit 5')
    const guard = planOf('team:x')
    const predicate = guard.kind === 'scan' ? guard.predicate : undefined
    const guarded = (node: LogicalPlan): LogicalPlan =>
      node.kind === 'scan'
        ? { ...node, guard: predicate }
        : 'input' in node
          ? { ...node, input: guarded(node.input) }
          : node
    const [found] = scanPlans(guarded(plan), tables, standardFunctions).values()
    expect(found?.limitRows).toBeUndefined()
    expect(found?.columns).toEqual(['a', 'at', 'n', 'team'])
  })

  test.each([
    ['level:x | sort by (n desc) | limit 10', ['n', 'level', 'at']],
    ['* | limit 10', ['at']],
    ['* | sort by (n desc) | limit 20000', undefined],
    ['* | sort by (n desc) | limit 10 | fields a', undefined],
    ['*:x | limit 10', undefined],
    ['* | offset 5 | limit 10', undefined],
  ])('few whole rows are found by their fields: %s', (text, fields) => {
    expect(scanPlansOf(text)[0]?.findsBy).toEqual(fields)
  })

  test('scans of joins and subqueries ask each for its own', () => {
    const found = scanPlansOf('id:in(n:>1 | fields id) | join by (id) (m:<3 | fields id, x) | fields id, x')
    expect(found.map(({ columns }) => columns)).toEqual([
      ['id', 'x', 'at'],
      ['id', 'at', 'n'],
      ['id', 'x', 'at', 'm'],
    ])
  })
})

test('a range is bounded by either end', () => {
  expect([always, { ...always, startNs: 0n }, { ...always, endNs: 0n }].map(isBounded)).toEqual([false, true, true])
})
