import { describe, expect, test } from 'vitest'
import { applyFix, collect, interval, present, spanOf } from '../../src/base/index.ts'
import { rowToJson } from '../../src/data/index.ts'
import { sqliteStatements } from '../../src/backends/sql/index.ts'
import { createEngine, printExplainTree, readRows } from '../../src/engine/index.ts'
import { printPlan } from '../../src/plan/index.ts'
import { columnarOver, minuteNs, mixedRows, rowsOver, sqliteOver, startNs } from './data.ts'

const rows = mixedRows(300)
const nowNs = startNs + 20n * minuteNs
const engine = createEngine({
  backends: [columnarOver(rows), rowsOver(rows)],
  clock: { nowMs: () => performance.now(), nowNs: () => nowNs },
})

async function answer(text: string, options = {}): Promise<readonly string[]> {
  return (await collect(readRows(engine.query(text, options).batches()))).map((row) => rowToJson(row))
}

describe('query texts', () => {
  test.each([
    '*',
    'level:error',
    'level:error level:warn connection',
    '-level:"" timeout | fields level, content',
    'status:>=500 | stats by (pod) count() as n, count() if (level:error) as e | sort by (n desc)',
    '_time:5m | stats by (_time:1m) count() as n',
    'pod:p* | sort by (duration_ms desc, pod) | offset 5 | limit 10',
    'a:1 | uniq by (a)',
    'pod:in(level:warn | fields pod) | stats by (pod) count() as n',
    '*refused* | rename pod as p | filter p:p1 | limit 3',
    '* | stats quantile(0.5, duration_ms) as p50, avg(status) as s',
  ])('%s: both backends, with and without rules', async (text) => {
    const expected = await answer(text, { backend: 'rows', disabledRules: ['*'] })
    expect(expected.length).toBeGreaterThan(0)
    expect(await answer(text, { backend: 'rows' })).toEqual(expected)
    expect(await answer(text)).toEqual(expected)
    expect(await answer(text, { disabledRules: ['*'], limits: { batchRows: 1 } })).toEqual(expected)
  })

  test('partitions of a sort come one after the other in the dialect that has it so', async () => {
    const text = '* | last 2 by (status, duration_ms) partition by (pod) rank | fields pod, status, duration_ms, rank'
    const expected = await answer(text, { backend: 'rows', disabledRules: ['*'], dialect: 'logsql' })
    const pods = expected.map((row) => String((JSON.parse(row) as { pod?: string }).pod))
    expect(pods.filter((pod, i) => pod !== pods[i - 1])).toHaveLength(new Set(pods).size)
    expect(await answer(text, { dialect: 'logsql' })).toEqual(expected)
    const native = await answer(text)
    expect(native.toSorted()).toEqual(expected.toSorted())
    expect(native).not.toEqual(expected)
  })

  test('counts of names and values have a name that no field of the answer has', async () => {
    for (const [text, fields] of [
      ['* | copy level as hits | field_values hits', ['hits', 'hitss']],
      ['* | field_names as hits', ['hits', 'hitss']],
      ['* | field_values level', ['hits', 'level']],
    ] as const) {
      for (const backend of ['rows', 'columnar']) {
        const [first] = await answer(text, { backend })
        expect(Object.keys(JSON.parse(present(first)) as object).toSorted(), `${text} by ${backend}`).toEqual(fields)
      }
    }
  })

  test('a check says each thing once, and counts its other places', () => {
    const said = (text: string) => engine.check(text, { nowNs }).map(({ message, notes }) => [message, notes.at(-1)])
    const [column, ...more] = said('* | fields pod | filter levl:a | sort by (levl) | stats count() if (levl:b) as n')
    expect(column?.[0]).toMatch(/^There is no column `levl` at this point/)
    expect(column?.[1]).toBe('The same holds at 2 more places.')
    expect(more).toEqual([])
    expect(said('* | math * | math *')).toEqual([
      [expect.stringMatching(/^`\*` does not belong here/), 'The same holds at one more place.'],
    ])
    for (const text of [
      '* | join by level) (*)',
      '* | hash if (a:1)) (content) as out',
      'skip*:)',
      '* | limt 5 | limt 6',
    ]) {
      const messages = said(text).map(([message]) => message)
      expect(messages, text).toEqual([...new Set(messages)])
    }
  })

  test('names and advice are only offered where the text can be read with them', () => {
    const made = (text: string) =>
      engine.check(text, { nowNs }).flatMap(({ fixes }) => fixes.map((fix) => applyFix(text, fix)))
    expect(made('* | rename pod as "the pod" | fields "the pod" | sort by (the_pod)')).not.toContain(
      '* | rename pod as "the pod" | fields "the pod" | sort by (the pod)',
    )
    expect(made('* | uniq by (pod) filter api').filter((text) => text.includes('*|') || /api\*/.test(text))).toEqual([])
  })

  test('filters that are added hold for the query and for those inside of it', async () => {
    const text = 'pod:in(status:>=500 | fields pod) | union (level:warn) | stats by (level, pod) count() as n'
    const all = await answer(text)
    const some = await answer(text, { extraFilters: ['pod:p1 or pod:p2', 'level:warn or level:error'] })
    const written = '(pod:p1 or pod:p2) and (level:warn or level:error)'
    expect(some).toEqual(
      await answer(
        `${written} and pod:in(${written} and status:>=500 | fields pod) | union (${written} and level:warn) | stats by (level, pod) count() as n`,
      ),
    )
    expect(some.length).toBeGreaterThan(0)
    expect(some.length).toBeLessThan(all.length)
    expect(() => engine.query('*', { extraFilters: ['pod:('] })).toThrow()
  })

  test('relative times count from the clock or from what the query is given', async () => {
    const [now] = await answer('_time:5m | stats count() as n')
    const [before] = await answer('_time:5m | stats count() as n', { nowNs: startNs })
    expect(JSON.parse(present(now))).not.toEqual({ n: 0 })
    expect(JSON.parse(present(before))).toEqual({ n: 0 })
  })

  test('the dialect decides what a value means', async () => {
    expect(printPlan(engine.plan('level:Error | limit 5').bound)).toContain('level = i:"Error"')
    expect(printPlan(engine.plan('level:Error | limit 5', { dialect: 'logsql' }).bound)).toContain(
      'level phrase "Error"',
    )
  })

  test('the request’s range and the query’s own both count', async () => {
    const range = interval(startNs, startNs + 10n * minuteNs)
    const { optimized } = engine.plan('_time:[2026-01-01T00:05:00Z, 2026-01-01T00:30:00Z) | limit 5', { range })
    expect(printPlan(optimized)).toContain('scan logs [2026-01-01T00:05:00Z, 2026-01-01T00:10:00Z)')
  })
})

describe('what can be said without running', () => {
  test('syntax errors, meaning errors and advice', () => {
    const codes = (text: string): readonly string[] => engine.check(text).map((d) => `${d.severity} ${d.code}`)
    expect(codes('-level:error | limit 5')).toEqual(['info lint/unselective-start'])
    expect(codes('level:error | fields pod | filter pdo:x | limit 5')).toEqual(['error analyze/unknown-column'])
    expect(codes('level:(error | limit 5').every((code) => code.startsWith('error log/'))).toBe(true)
    expect(codes('* | stats conut() as n').length).toBe(1)
  })

  test('an error has the place in the text', () => {
    const text = '* | stats by (pod) count() as n | sort by (cnt)'
    const [first] = engine.check(text)
    expect(first).toMatchObject({ severity: 'error', code: 'analyze/unknown-column' })
    const span = spanOf(present(first).origin)
    expect(text.slice(span?.start, span?.end)).toBe('cnt')
  })

  test('the text laid out, with its comments', () => {
    expect(engine.format('level:error   AND  timeout |head 5 # newest')).toBe(
      'level:error AND timeout\n  | head 5 # newest',
    )
    expect(() => engine.format('level:(')).toThrow()
  })

  test('explain', () => {
    expect(printExplainTree(engine.explain('level:error | sort by (_time desc) | limit 5 | fields pod'))).toBe(
      [
        'project pod  [columnar]',
        '  limit 5  [columnar]',
        '    scan logs always columns=(pod) where level = i:"error"  [columnar]',
      ].join('\n'),
    )
    expect(engine.explain('level:error | sort by (_time desc) | offset 3 | limit 5').notes).toEqual([
      'the newest 5 rows after the first 3',
    ])
    expect(engine.explain('* | limit 5', { backend: 'rows' }).notes).toEqual(['the newest 5 rows'])
    expect(engine.explain('* | stats by (_time:1m, pod) count() as n').notes).toEqual([
      'a line for each _time, pod: values n',
    ])
  })
})

describe('statements', async () => {
  const sql = createEngine({ backends: [columnarOver(rows), await sqliteOver(rows)], lint: 'off' })

  test('the statement of a query, with its values apart', () => {
    const { sql: text, parameters } = sql.toSQL('level:error | fields content | limit 5')
    expect(text).toMatch(/^SELECT /)
    expect(text).not.toContain('error')
    expect(parameters.length).toBeGreaterThan(0)
  })

  test('of the part that it can run', () => {
    expect(sql.toSQL('level:error | fields k*').sql).toMatch(/^SELECT /)
  })

  test('without a database, of whatever rows there may be', () => {
    const none = createEngine({ lint: 'off' })
    const { sql: text, parameters } = none.toSQL('level:error | stats by (pod) count() as n', {
      compiler: sqliteStatements(),
    })
    expect(text).toMatch(/^SELECT /)
    expect(parameters.length).toBeGreaterThan(0)
    expect(() => none.toSQL('*')).toThrow('Nothing here writes statements')
    expect(() => none.query('*').explain()).toThrow('nothing to run the query on')
  })

  test('not of a backend without statements, nor before a subquery has run', () => {
    expect(() => sql.toSQL('*', { backend: 'columnar' })).toThrow('does not run statements')
    expect(() => sql.toSQL('pod:in(level:error | fields pod)')).toThrow('depends on a subquery')
  })

  test.each([
    'level:error connection | sort by (pod, _time) | limit 7',
    'status:>400 | stats by (pod, level) count() as n, sum(duration_ms) as s | sort by (n desc) | limit 5',
    'pod:in(level:warn | fields pod) | stats count() as n',
    '* | fields k*, pod | sort by (pod) | limit 9',
  ])('%s: the same rows', async (text) => {
    const texts = async (backend: string): Promise<readonly string[]> =>
      (await collect(readRows(sql.query(text, { backend }).batches()))).map((row) => rowToJson(row))
    const expected = await texts('columnar')
    expect(expected.length).toBeGreaterThan(0)
    expect(await texts('sqlite')).toEqual(expected)
  })
})
