import { describe, expect, test } from 'vitest'
import { Labels } from '../../../src/data/index.ts'
import { MINUTE_MS, TestGroup, sample } from './environment.ts'

const HIGH = { alert: 'High', expr: 'load > 0' }

function texts(written: TestGroup['written']): readonly string[] {
  return written.map(({ labels, sample: { timeMs, value, isStale } }) =>
    [String(labels), isStale === true ? 'stale' : String(value), `@${timeMs / 1000}`].join(' '),
  )
}

describe('alerts', () => {
  test('a pending alert whose series is missing once is forgotten', async () => {
    const { group, results, asked } = new TestGroup({ rules: [{ ...HIGH, for: '2m' }] })
    const states: string[] = []
    for (const isHigh of [true, true, false, true, true, true]) {
      results.set('load > 0', isHigh ? [sample(1, { host: 'a' })] : [])
      await group.evaluate(states.length * MINUTE_MS)
      const [rule] = group.status().rules
      states.push(rule?.kind === 'alerting' ? (rule.alerts[0]?.state ?? '-') : '')
    }
    expect(states).toEqual(['pending', 'pending', '-', 'pending', 'pending', 'firing'])
    expect(asked.length).toBe(6)
  })

  test('a resolved alert is sent for 15 minutes, with the end of its last match', async () => {
    const tested = new TestGroup({ rules: [HIGH] })
    tested.results.set('load > 0', [sample(1, { host: 'a' })])
    const [firing] = await tested.group.evaluate(0)
    expect(firing).toMatchObject({ startsAtMs: 0, endsAtMs: 4 * MINUTE_MS })
    tested.results.set('load > 0', [])
    const sentAt: number[] = []
    for (let minute = 1; minute < 30; minute++) {
      const sent = await tested.group.evaluate(minute * MINUTE_MS)
      for (const alert of sent) expect(alert.endsAtMs).toBe(MINUTE_MS)
      if (sent.length > 0) sentAt.push(minute)
    }
    expect([sentAt[0], sentAt.at(-1)]).toEqual([1, 15])
  })

  test('alerts that are sent have external labels, unless a label of their own has the name', async () => {
    const externalLabels = Labels.of({ region: 'eu', host: 'server' })
    const tested = new TestGroup({ rules: [HIGH] }, { externalLabels })
    tested.results.set('load > 0', [sample(1, { host: 'a' })])
    const [alert] = await tested.group.evaluate(0)
    expect(String(alert?.labels)).toBe('{alertname="High", host="a", region="eu"}')
    expect(alert?.generatorUrl).toBe('http://sluice.example.com/graph?g0.expr=load+%3E+0&g0.tab=1')
    expect(tested.states()).toEqual({ '{host="a"}': 'firing' })
  })

  test('labels of more than a mebi character in all fail the rule, whose alerts stay', async () => {
    const tested = new TestGroup({ rules: [HIGH] })
    tested.results.set('load > 0', [sample(1, { host: 'a' })])
    await tested.group.evaluate(0)
    const hosts = Array.from({ length: 17 }, (_, i) => `${i}`.padStart(64 * 1024, '0'))
    tested.results.set(
      'load > 0',
      hosts.map((host) => sample(1, { host })),
    )
    expect(await tested.group.evaluate(MINUTE_MS)).toEqual([])
    expect(tested.states()).toEqual({ '{host="a"}': 'firing' })
    expect(tested.group.status().rules[0]?.lastError).toContain('more than 1048576 characters in all')
  })

  test('a failing expression keeps alerts and sends nothing, and the next rule runs', async () => {
    const tested = new TestGroup({ rules: [HIGH, { record: 'a:b', expr: 'load' }] })
    tested.results.set('load > 0', [sample(1)])
    await tested.group.evaluate(0)
    tested.results.set('load > 0', new Error('source away'))
    tested.results.set('load', [sample(7)])
    expect(await tested.group.evaluate(10 * MINUTE_MS)).toEqual([])
    expect(tested.states()).toEqual({ '{}': 'firing' })
    const [high, recorded] = tested.group.status().rules
    expect([high?.health, high?.lastError, recorded?.health]).toEqual(['err', 'source away', 'ok'])
    expect(texts(tested.written).at(-1)).toBe('{__name__="a:b"} 7 @600')
  })

  test('more alerts than the limit fail the rule and drop all of them', async () => {
    const tested = new TestGroup({ limit: 1, rules: [HIGH] })
    tested.results.set('load > 0', [sample(1, { host: 'a' })])
    await tested.group.evaluate(0)
    tested.results.set('load > 0', [sample(1, { host: 'a' }), sample(1, { host: 'b' })])
    await tested.group.evaluate(MINUTE_MS)
    expect(tested.states()).toEqual({})
    expect(tested.group.status().rules[0]?.lastError).toBe('The rule has 2 alerts; the limit of its group is 1.')
  })
})

describe('written series', () => {
  test('a series that a rule no longer writes gets a stale marker once', async () => {
    const tested = new TestGroup({ query_offset: '1m', rules: [{ record: 'a:b', expr: 'load', labels: { x: 'y' } }] })
    tested.results.set('load', [sample(7, { host: 'a' })])
    await tested.group.evaluate(2 * MINUTE_MS)
    tested.results.set('load', [])
    await tested.group.evaluate(3 * MINUTE_MS)
    await tested.group.evaluate(4 * MINUTE_MS)
    const series = '{__name__="a:b", host="a", x="y"}'
    expect(texts(tested.written)).toEqual([`${series} 7 @60`, `${series} stale @120`])
    expect(tested.asked[0]?.atMs).toBe(MINUTE_MS)
  })

  test('the series of a rule that a reload removes get a stale marker', async () => {
    const tested = new TestGroup({ rules: [{ record: 'a:b', expr: 'load' }] })
    tested.results.set('load', [sample(7)])
    await tested.group.evaluate(0)
    tested.reload({ rules: [{ record: 'c:d', expr: 'load' }] })
    await tested.group.evaluate(MINUTE_MS)
    expect(texts(tested.written).slice(1)).toEqual(['{__name__="c:d"} 7 @60', '{__name__="a:b"} stale @60'])
  })
})

describe('restart', () => {
  test('a pending alert goes on after the second evaluation, without the time of the outage', async () => {
    const rules = [{ ...HIGH, for: '30m' }]
    const tested = new TestGroup({ rules })
    tested.results.set('load > 0', [sample(1)])
    for (let minute = 0; minute <= 10; minute++) await tested.group.evaluate(minute * MINUTE_MS)
    const state: unknown = JSON.parse(JSON.stringify(tested.group.exportState()))
    const restarted = tested.make({ rules })
    restarted.restore(state as ReturnType<typeof restarted.exportState>)
    tested.written.length = 0
    await restarted.evaluate(30 * MINUTE_MS)
    expect(tested.written).toEqual([])
    expect(restarted.exportState()).toEqual(state)
    await restarted.evaluate(31 * MINUTE_MS)
    const [rule] = restarted.status().rules
    expect(rule?.kind === 'alerting' ? rule.alerts[0]?.activeAtMs : undefined).toBe(21 * MINUTE_MS)
  })
})

describe('two rules with one series', () => {
  const rules = [
    { record: 'a:b', expr: 'x' },
    { record: 'a:b', expr: 'y' },
  ]

  test('the second one fails if its value differs', async () => {
    const tested = new TestGroup({ rules })
    tested.results.set('x', [sample(1)])
    tested.results.set('y', [sample(2), sample(3, { host: 'a' })])
    await tested.group.evaluate(0)
    expect(texts(tested.written)).toEqual(['{__name__="a:b"} 1 @0', '{__name__="a:b", host="a"} 3 @0'])
    expect(tested.group.status().rules[1]?.lastError).toContain(
      'Another rule of the group has written {__name__="a:b"}',
    )
  })

  test('a series that moves to an earlier rule gets no stale marker', async () => {
    const tested = new TestGroup({ rules })
    tested.results.set('y', [sample(2)])
    await tested.group.evaluate(0)
    tested.results.set('y', [])
    tested.results.set('x', [sample(1)])
    await tested.group.evaluate(MINUTE_MS)
    expect(texts(tested.written)).toEqual(['{__name__="a:b"} 2 @0', '{__name__="a:b"} 1 @60'])
  })
})
