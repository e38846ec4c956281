import { describe, expect, test } from 'vitest'
import { lanesOf } from '../../src/console/pages/monitors/lanes.ts'
import { shownMonitors } from '../../src/console/pages/monitors/monitor-order.ts'
import { stateOf, type MonitorEntry } from '../../src/console/pages/monitors/monitors.ts'
import { groupedByTime, thresholdLines, windowOf } from '../../src/console/pages/monitors/preview.ts'
import { groupWords, restrictionOf, restrictionWords } from '../../src/console/pages/policies/policies.ts'
import { silenceBody } from '../../src/console/pages/silences/silences.ts'

describe('the preview of a query', () => {
  test.each([
    ['level:error', 'level:error | stats by (_time:60000ms) count() as rows'],
    ['* | stats count() as n', '* | stats by (_time:60000ms) count() as n'],
    ['* | stats by (workload) count() as n', '* | stats by (_time:60000ms, workload) count() as n'],
    ['* | stats by () count() as n', '* | stats by (_time:60000ms) count() as n'],
    ['* | stats count() as n by (workload)', undefined],
    ['* | stats by (_time:5m) count() as n', undefined],
  ])('%s', (text, grouped) => expect(groupedByTime(text, 60_000)?.text).toBe(grouped))

  test('the value is the last result after math, and the names of groups are known', () => {
    const text = '* | stats by (workload, pod) sum(a) as a, sum(b) as b | math a / b as ratio'
    expect(groupedByTime(text, 1000)).toMatchObject({ keys: ['workload', 'pod'], isLast: true, isCount: true })
  })

  test('the window is that of the query, else one interval', () => {
    const monitor = { evaluationInterval: { interval: '2m' } }
    expect(windowOf(monitor, {})).toBe(120_000)
    expect(windowOf(monitor, { relativeTimerange: { from: '-15m', to: '-5m' } })).toBe(600_000)
    expect(windowOf({}, { relativeTimerange: { from: 'now-1h', to: 'now' } })).toBe(3_600_000)
  })

  test('thresholds are lines, two for a range and one for the end of an alert', () => {
    const thresholds = [
      { name: 'a', operator: 'gt', values: [5], customResolveThreshold: { operator: 'lt', values: [3] } },
      { name: 'b', operator: 'within_range', values: [1, 2] },
    ]
    expect(thresholdLines({ model: { thresholds } }, 2).map(({ name, values }) => [name, ...values])).toEqual([
      ['a > 5', 5, 5],
      ['a ↓ < 3', 3, 3],
      ['b within_range 1', 1, 1],
      ['b within_range 2', 2, 2],
    ])
  })
})

test('states of the list are those of the API in words', () => {
  expect(stateOf({ state: 'Paused', health: 'ok' })).toBe('paused')
  expect(stateOf({ state: 'Normal', health: 'err' })).toBe('error')
  expect(stateOf({ state: 'NoData', health: 'ok' })).toBe('nodata')
  expect(stateOf({ state: 'Normal', health: 'unknown' })).toBe('unknown')
})

test('monitors are found by words and state, in the order of a column', () => {
  const entry = (title: string, state: MonitorEntry['state'], severity = ''): MonitorEntry => ({
    id: title,
    title,
    type: 'logs',
    state,
    severity,
    evaluatedAt: undefined,
    error: '',
  })
  const all = [entry('b', 'normal', 'S1'), entry('a', 'firing', 'S2'), entry('c', 'normal', 'S3')]
  const titles = (options: Parameters<typeof shownMonitors>[1]): string =>
    shownMonitors(all, options)
      .map(({ title }) => title)
      .join('')
  expect(titles({})).toBe('abc')
  expect(titles({ sort: '-state' })).toBe('bca')
  expect(titles({ sort: '-title' })).toBe('cba')
  expect(titles({ sort: 'nosuch', q: 'S3' })).toBe('c')
  expect(titles({ state: 'normal', sort: '-severity' })).toBe('cb')
})

test('the history of a label set is a line of states', () => {
  const at = (minute: number): string => new Date(minute * 60_000).toISOString()
  const [labels, other] = [{ a: '1', b: '2' }, { b: '3' }]
  const lanes = lanesOf(
    [
      { at: at(2), labels, from: 'Normal', to: 'Pending' },
      { at: at(3), labels: { b: '2', a: '1' }, from: 'Pending', to: 'Alerting' },
    ],
    [
      { labels, state: 'Alerting', annotations: {}, silencedBy: [] },
      { labels: other, state: 'Normal', annotations: {}, silencedBy: [] },
    ],
    5 * 60_000,
    10,
  )
  expect(lanes.map(({ stretches }) => stretches)).toEqual([
    [
      { startMs: 120_000, endMs: 180_000, state: 'Pending' },
      { startMs: 180_000, endMs: 300_000, state: 'Alerting' },
    ],
    [{ startMs: 120_000, endMs: 300_000, state: 'Normal' }],
  ])
})

test('a state that began with the latest evaluation is on its line', () => {
  const at = '2026-03-10T12:00:00Z'
  const change = { at, labels: {}, from: 'Normal', to: 'Alerting' } as const
  expect(lanesOf([change], [], Date.parse(at), 10)[0]?.stretches).toEqual([
    { startMs: Date.parse(at), endMs: Date.parse(at), state: 'Alerting' },
  ])
})

describe('a policy in words', () => {
  const shop = { conditions: [{ key: 'namespace', filters: [{ op: 'match', value: 'shop' }] }] }

  test('conditions and groups', () => {
    const group = {
      operator: 'or',
      conditions: [...shop.conditions, { key: 'level', filters: [{ op: 'in', value: ['a', 'b'] }, { op: 'exists' }] }],
      groups: [{ conditions: [{ key: 'pod', filters: [{ op: 'startswith', value: 'x' }] }] }],
    }
    expect(groupWords(group)).toBe(
      'namespace is “shop” or (level is one of “a”, “b” or level exists) or (pod starts with “x”)',
    )
  })

  test('`simple` counts before `advanced`; a kind without a filter is not restricted', () => {
    const words = (scope: Parameters<typeof restrictionOf>[0], kind: 'logs' | 'traces'): string =>
      restrictionWords(restrictionOf(scope, kind))
    expect(words({ simple: shop, advanced: {} }, 'traces')).toBe('namespace is “shop”')
    expect(words({ advanced: { logs: shop } }, 'logs')).toBe('namespace is “shop”')
    expect(words({ advanced: { logs: shop } }, 'traces')).toBe('everything')
    expect(words({ simple: { disabled: true } }, 'logs')).toBe('nothing')
    expect(words(undefined, 'logs')).toBe('everything')
  })
})

describe('a silence', () => {
  const nowMs = Date.parse('2026-03-10T12:00:00Z')
  const matchers = [{ name: 'workload', type: '=~', value: 'a.*' }]

  test('begins now and lasts as long as its words say', () => {
    expect(silenceBody({ matchers, duration: '1d 2h', comment: 'c' }, nowMs, true)).toEqual({
      startsAt: '2026-03-10T12:00:00.000Z',
      endsAt: '2026-03-11T14:00:00.000Z',
      comment: 'c',
      matchers: [{ name: 'workload', value: 'a.*', type: 2 }],
    })
    expect(silenceBody({ matchers, from: 'now+1h', duration: '2h' }, nowMs, true)).toMatchObject({
      startsAt: '2026-03-10T13:00:00.000Z',
      endsAt: '2026-03-10T15:00:00.000Z',
    })
  })

  test.each([
    [{ matchers, duration: 'long' }, '$.duration'],
    [{ matchers, from: 'someday', duration: '2h' }, '$.from'],
    [{ matchers: [], duration: '2h' }, '$.matchers'],
  ])('%j is refused at its field', (form, path) => {
    expect(() => silenceBody(form, nowMs, true)).toThrow(
      expect.objectContaining({
        failure: expect.objectContaining({ diagnostics: [expect.objectContaining({ path })] }),
      }),
    )
  })
})
