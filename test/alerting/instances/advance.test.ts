import { describe, expect, test } from 'vitest'
import { isNotified, type InstanceRules } from '../../../src/alerting/instances/index.ts'
import { MINUTE_MS, TestMonitor, type Outcome } from './test-monitor.ts'

/**
 * Evaluates a monitor once a minute. Returns for each label set one letter per evaluation, as `TestMonitor.states`
 * does.
 */
function states(rules: Partial<InstanceRules>, outcomes: readonly Outcome[]): Readonly<Record<string, string>> {
  const monitor = new TestMonitor(rules)
  for (const outcome of outcomes) monitor.evaluate(outcome)
  return monitor.states()
}

const twoMinutes = { pendingForMs: 2 * MINUTE_MS }

describe('a breach', () => {
  test('fires at once without a pending period', () => {
    const monitor = new TestMonitor({})
    expect(monitor.evaluate('b')).toEqual([['b', 'Normal', 'Alerting', undefined]])
    expect(monitor.instance('b')).toMatchObject({ activeAtMs: 0, firedAtMs: 0 })
  })

  test('is pending from its first evaluation until the pending period is over', () => {
    const monitor = new TestMonitor(twoMinutes)
    monitor.evaluate({ b: 'calm' })
    expect(monitor.evaluate('b')).toEqual([['b', 'Normal', 'Pending', undefined]])
    expect(monitor.instance('b')).toMatchObject({ activeAtMs: MINUTE_MS, firedAtMs: undefined })
    expect(monitor.evaluate('b')).toEqual([])
    expect(monitor.evaluate('b')).toEqual([['b', 'Pending', 'Alerting', undefined]])
    expect(monitor.instance('b')).toMatchObject({ activeAtMs: MINUTE_MS, firedAtMs: 3 * MINUTE_MS })
  })

  test('fires at the third minute if it must last for 90 s', () => {
    expect(states({ pendingForMs: 90_000 }, ['a', 'a', 'a'])).toEqual({ a: 'PPA' })
  })

  test('that ends while pending starts the period again', () => {
    expect(states(twoMinutes, ['a', 'a', { a: 'calm' }, 'a', 'a', 'a'])).toEqual({ a: 'PP.PPA' })
  })

  test('that ends while alerting resolves the instance, whose times are cleared', () => {
    const monitor = new TestMonitor({})
    monitor.evaluate('a')
    expect(monitor.evaluate({ a: 'calm' })).toEqual([['a', 'Alerting', 'Normal', undefined]])
    expect(monitor.instance('a')).toMatchObject({ activeAtMs: undefined, firedAtMs: undefined })
  })

  test('lasts until the resolve threshold holds, but only once it alerts', () => {
    const between = { a: 'between' } as const
    expect(states(twoMinutes, ['a', between, 'a', 'a', 'a', between, { a: 'calm' }, between])).toEqual({
      a: 'P.PPAA..',
    })
  })

  test('of one label set does not change another', () => {
    expect(states({}, [{ a: 'breach', b: 'calm' }, { a: 'calm', b: 'breach' }, 'b'])).toEqual({ a: 'A..', b: '.AA' })
  })
})

describe('keep firing for', () => {
  const rules = { keepFiringForMs: 2 * MINUTE_MS }

  test('bridges the time without a breach, with a reason, and a new breach clears it', () => {
    const monitor = new TestMonitor(rules)
    for (const outcome of ['a', { a: 'calm' }] as const) monitor.evaluate(outcome)
    expect(monitor.instance('a')).toMatchObject({
      state: 'Alerting',
      reason: 'KeepFiring',
      keepFiringSinceMs: MINUTE_MS,
    })
    for (const level of ['calm', 'breach', 'calm', 'calm', 'calm'] as const) monitor.evaluate({ a: level })
    expect(monitor.states()).toEqual({ a: 'AAAAAA.' })
  })

  test('does not last longer after the clock was set back', () => {
    const monitor = new TestMonitor(rules)
    monitor.evaluate('a', 60 * MINUTE_MS)
    for (const minute of [61, 10, 11, 12]) monitor.evaluate({ a: 'calm' }, minute * MINUTE_MS)
    expect(monitor.states()).toEqual({ a: 'AAAA.' })
  })
})

describe('without automatic resolution', () => {
  const rules = { autoResolve: false }

  test.each<readonly [title: string, outcome: Outcome, rules: Partial<InstanceRules>]>([
    ['a calm result', { a: 'calm' }, {}],
    ['missing series', 'b', {}],
    ['no data', 'no-data', { noDataState: 'OK' }],
    ['no data as its own state', 'no-data', { noDataState: 'NoData' }],
    ['errors', 'error', { errorState: 'OK' }],
  ])('%s leaves an alert held', (_, outcome, others) => {
    const monitor = new TestMonitor({ ...rules, ...others })
    monitor.evaluate('a')
    for (let i = 0; i < 3; i++) expect(monitor.evaluate(outcome).filter(([set]) => set === 'a')).toEqual([])
    expect(monitor.instance('a')).toMatchObject({ state: 'Alerting', reason: 'Held', firedAtMs: 0 })
  })

  test('a pending instance falls back as usual', () => {
    expect(states({ ...rules, ...twoMinutes }, ['a', { a: 'calm' }])).toEqual({ a: 'P.' })
  })

  test('an alert is resolved by hand, and fires again at the next breach', () => {
    const monitor = new TestMonitor(rules)
    for (const outcome of ['a', { a: 'calm' }] as const) monitor.evaluate(outcome)
    expect(monitor.resolve('b')).toBeUndefined()
    expect(monitor.resolve('a')).toEqual([['a', 'Alerting', 'Normal', undefined]])
    expect(monitor.resolve('a')).toBeUndefined()
    monitor.evaluate('a')
    expect(monitor.states()).toEqual({ a: 'AAA' })
    expect(monitor.instance('a')).toMatchObject({ firedAtMs: 2 * MINUTE_MS, reason: undefined })
  })

  test('an alert whose series is missing is forgotten after it is resolved by hand', () => {
    const monitor = new TestMonitor(rules)
    for (const outcome of ['a', 'b', 'b', 'b'] as const) monitor.evaluate(outcome)
    monitor.resolve('a')
    monitor.evaluate('b')
    expect(monitor.instance('a')).toBeUndefined()
  })

  test('an edit of the model ends a held alert', () => {
    const monitor = new TestMonitor(rules)
    for (const outcome of ['a', { a: 'calm' }] as const) monitor.evaluate(outcome)
    monitor.editModel()
    expect(monitor.evaluate({ a: 'calm' })).toEqual([['a', 'Alerting', 'Normal', undefined]])
  })
})

describe('a label set without a result', () => {
  test('is kept for one evaluation, then resolved and forgotten', () => {
    const monitor = new TestMonitor({})
    monitor.evaluate('a')
    expect(monitor.evaluate('b')).toEqual([['b', 'Normal', 'Alerting', undefined]])
    expect(monitor.instance('a')).toMatchObject({ state: 'Alerting', reason: undefined })
    expect(monitor.evaluate('b')).toEqual([['a', 'Alerting', 'Normal', 'MissingSeries']])
    expect(monitor.instance('a')).toBeUndefined()
  })

  test('does not fire, but its time counts', () => {
    expect(states(twoMinutes, ['a', { a: 'breach', b: 'calm' }, { b: 'calm' }, 'a'])).toEqual({ a: 'PPPA' })
  })

  test('is resolved at the second such evaluation in a row only', () => {
    expect(states({}, ['a', { b: 'calm' }, 'a', { b: 'calm' }, 'a'])).toEqual({ a: 'AAAAA' })
  })

  test.each(['OK', 'Alerting', 'Error', 'KeepLast'] as const)(
    'is missing twice although an evaluation between failed, with the error state %s',
    (errorState) => {
      const monitor = new TestMonitor({ errorState })
      for (const outcome of ['a', { b: 'calm' }, 'error', { b: 'calm' }] as const) monitor.evaluate(outcome)
      expect(monitor.instance('a')).toBeUndefined()
    },
  )
})

describe('a gap', () => {
  const rules = { pendingForMs: 3 * MINUTE_MS }

  test('of two intervals counts as pending time', () => {
    const monitor = new TestMonitor(rules)
    for (const minute of [0, 2, 3]) monitor.evaluate('a', minute * MINUTE_MS)
    expect(monitor.states()).toEqual({ a: 'PPA' })
  })

  test('that is longer counts as one interval', () => {
    const monitor = new TestMonitor(rules)
    for (const minute of [0, 3]) monitor.evaluate('a', minute * MINUTE_MS)
    expect(monitor.instance('a')).toMatchObject({ state: 'Pending', activeAtMs: 2 * MINUTE_MS })
    for (const minute of [4, 5]) monitor.evaluate('a', minute * MINUTE_MS)
    expect(monitor.states()).toEqual({ a: 'PPPA' })
  })

  test('leaves an alert as it is', () => {
    const monitor = new TestMonitor({})
    for (const minute of [0, 60]) monitor.evaluate('a', minute * MINUTE_MS)
    expect(monitor.instance('a')).toMatchObject({ state: 'Alerting', activeAtMs: 0, firedAtMs: 0 })
  })
})

describe('the clock', () => {
  test.each([
    [10 * MINUTE_MS + 1, true],
    [10 * MINUTE_MS, false],
    [5 * MINUTE_MS, false],
    [5 * MINUTE_MS - 1, true],
  ])('an evaluation at %i ms is due after one at 600000 ms: %s', (atMs, isDue) => {
    const monitor = new TestMonitor({})
    expect(monitor.isDue(0)).toBe(true)
    monitor.evaluate('a', 10 * MINUTE_MS)
    expect(monitor.isDue(atMs)).toBe(isDue)
  })

  test('that is set back starts the pending period again, and leaves alerts as they are', () => {
    const monitor = new TestMonitor(twoMinutes)
    for (const minute of [60, 61, 62]) monitor.evaluate('a', minute * MINUTE_MS)
    monitor.evaluate({ a: 'breach', b: 'breach' }, 63 * MINUTE_MS)
    for (const minute of [10, 11, 12]) monitor.evaluate({ a: 'breach', b: 'breach' }, minute * MINUTE_MS)
    expect(monitor.states()).toEqual({ a: 'PPAAAAA', b: '...PPPA' })
    expect(monitor.instance('b')).toMatchObject({ activeAtMs: 10 * MINUTE_MS })
  })
})

describe('an edit', () => {
  test.each(['Paused', 'Deleted', 'Updated'] as const)('%s ends all instances with this reason', (reason) => {
    const monitor = new TestMonitor({})
    monitor.evaluate({ a: 'breach', b: 'calm' })
    expect(monitor.end(reason)).toEqual([['a', 'Alerting', 'Normal', reason]])
    expect(monitor.instance('a') ?? monitor.instance('b')).toBeUndefined()
  })

  test('of the model resolves at once all that is calm or missing, and nothing that breaches', () => {
    const monitor = new TestMonitor({ keepFiringForMs: 9 * MINUTE_MS })
    monitor.evaluate({ a: 'breach', b: 'breach', c: 'breach' })
    monitor.editModel()
    expect(monitor.evaluate({ a: 'breach', b: 'calm' })).toEqual([
      ['b', 'Alerting', 'Normal', undefined],
      ['c', 'Alerting', 'Normal', 'MissingSeries'],
    ])
    expect(monitor.instance('a')).toMatchObject({ state: 'Alerting', firedAtMs: 0 })
    expect(monitor.evaluate({ b: 'breach' })).toEqual([['b', 'Normal', 'Alerting', undefined]])
    expect(monitor.instance('a')).toMatchObject({ state: 'Alerting' })
  })

  test('of the model waits for an evaluation that does not fail', () => {
    const monitor = new TestMonitor({ errorState: 'Error' })
    monitor.evaluate({ a: 'breach', b: 'breach' })
    monitor.editModel()
    monitor.evaluate('error')
    expect(monitor.instance('a')).toMatchObject({ state: 'Alerting' })
    expect(monitor.evaluate('b')).toContainEqual(['a', 'Alerting', 'Normal', 'MissingSeries'])
  })

  test('of the pending period holds from the next evaluation on, and not for alerts', () => {
    const monitor = new TestMonitor({ pendingForMs: 9 * MINUTE_MS })
    monitor.evaluate('a')
    monitor.evaluate('a')
    monitor.edit({ pendingForMs: 2 * MINUTE_MS })
    monitor.evaluate('a')
    monitor.edit({ pendingForMs: 9 * MINUTE_MS })
    monitor.evaluate({ a: 'breach', b: 'breach' })
    expect(monitor.states()).toEqual({ a: 'PPAA', b: '...P' })
  })
})

type Setting = {
  readonly noDataState?: InstanceRules['noDataState']
  readonly errorState?: InstanceRules['errorState']
}

describe('no data and errors', () => {
  const alerting = ['a', 'no-data', 'no-data', 'a'] as const
  const failing = ['a', 'error', 'error', 'a'] as const
  test.each<readonly [Setting, readonly Outcome[], Readonly<Record<string, string>>]>([
    [{ noDataState: 'OK' }, alerting, { a: 'A..A' }],
    [{ noDataState: 'Alerting' }, alerting, { a: 'AAAA' }],
    [{ noDataState: 'NoData' }, alerting, { a: 'AA.A', 'no-data': '.NN.' }],
    [{ noDataState: 'KeepLast' }, alerting, { a: 'AAAA' }],
    [{ errorState: 'OK' }, failing, { a: 'A..A' }],
    [{ errorState: 'Alerting' }, failing, { a: 'AAAA' }],
    [{ errorState: 'Error' }, failing, { a: 'AAAA', error: '.EE.' }],
    [{ errorState: 'KeepLast' }, failing, { a: 'AAAA' }],
  ])('%j while alerting', (rules, outcomes, wanted) => {
    expect(states(rules, outcomes)).toEqual(wanted)
  })

  const pendingNoData = ['a', 'a', 'no-data', 'no-data', 'a'] as const
  const pendingError = ['a', 'a', 'error', 'error', 'a'] as const
  test.each<readonly [Setting, readonly Outcome[], Readonly<Record<string, string>>]>([
    [{ noDataState: 'OK' }, pendingNoData, { a: 'PP..P' }],
    [{ noDataState: 'Alerting' }, pendingNoData, { a: 'PPAAA' }],
    [{ noDataState: 'NoData' }, pendingNoData, { a: 'PPP.P', 'no-data': '..PP.' }],
    [{ noDataState: 'KeepLast' }, pendingNoData, { a: 'PPAAA' }],
    [{ errorState: 'OK' }, pendingError, { a: 'PP..P' }],
    [{ errorState: 'Alerting' }, pendingError, { a: 'PPAAA' }],
    [{ errorState: 'Error' }, pendingError, { a: 'PPPPA', error: '..PP.' }],
    [{ errorState: 'KeepLast' }, pendingError, { a: 'PPAAA' }],
  ])('%j while pending', (rules, outcomes, wanted) => {
    expect(states({ ...rules, ...twoMinutes }, outcomes)).toEqual(wanted)
  })

  test.each<readonly [Setting, Outcome, string | undefined]>([
    [{ noDataState: 'OK' }, 'no-data', 'Normal NoData'],
    [{ noDataState: 'Alerting' }, 'no-data', 'Alerting NoData'],
    [{ noDataState: 'NoData' }, 'no-data', undefined],
    [{ noDataState: 'KeepLast' }, 'no-data', 'Normal KeepLast'],
    [{ errorState: 'OK' }, 'error', 'Normal Error'],
    [{ errorState: 'Alerting' }, 'error', 'Alerting Error'],
    [{ errorState: 'Error' }, 'error', undefined],
    [{ errorState: 'KeepLast' }, 'error', 'Normal KeepLast'],
  ])('%j without instances: the one with the labels of the monitor is %s', (rules, outcome, wanted) => {
    const monitor = new TestMonitor(rules)
    monitor.evaluate(outcome)
    const { state, reason } = monitor.instance('') ?? {}
    expect(state && `${state} ${reason}`).toBe(wanted)
  })

  test.each<readonly [Setting, Outcome, string]>([
    [{ noDataState: 'Alerting' }, 'no-data', 'NoData'],
    [{ noDataState: 'KeepLast' }, 'no-data', 'KeepLast'],
    [{ errorState: 'Alerting' }, 'error', 'Error'],
    [{ errorState: 'KeepLast' }, 'error', 'KeepLast'],
  ])('%j is the reason until the next result', (rules, outcome, reason) => {
    const monitor = new TestMonitor(rules)
    monitor.evaluate('a')
    monitor.evaluate(outcome)
    expect(monitor.instance('a')).toMatchObject({ state: 'Alerting', reason })
    monitor.evaluate('a')
    expect(monitor.instance('a')).toMatchObject({ state: 'Alerting', reason: undefined })
  })

  test('an instance of its own is pending first, and goes at the first result', () => {
    const rules = { ...twoMinutes, noDataState: 'NoData' } as const
    expect(states(rules, ['no-data', 'no-data', 'no-data', { a: 'calm' }])).toEqual({ 'no-data': 'PPN.' })
  })

  test('the instances of no data and of errors end each other, and any other setting ends them', () => {
    const monitor = new TestMonitor({ noDataState: 'NoData', errorState: 'Error' })
    monitor.evaluate('no-data')
    expect(monitor.evaluate('error')).toEqual([
      ['no-data', 'NoData', 'Normal', undefined],
      ['error', 'Normal', 'Error', 'Error'],
    ])
    monitor.edit({ errorState: 'KeepLast' })
    expect(monitor.evaluate('error')).toEqual([['error', 'Error', 'Normal', undefined]])
    expect(monitor.states()).toEqual({ 'no-data': 'N..', error: '.E.' })
  })

  test('the instance with the labels of the monitor goes at the first results without its labels', () => {
    const monitor = new TestMonitor({ noDataState: 'Alerting' })
    monitor.evaluate('no-data')
    expect(monitor.evaluate({ a: 'calm' })).toEqual([['', 'Alerting', 'Normal', 'MissingSeries']])
    expect(monitor.instance('')).toBeUndefined()
  })

  test('the instance with the labels of the monitor continues as a result with its labels', () => {
    const monitor = new TestMonitor({ noDataState: 'Alerting' })
    monitor.evaluate('no-data')
    expect(monitor.evaluate('')).toEqual([])
    expect(monitor.evaluate({ a: 'calm' })).toEqual([])
    expect(monitor.instance('')).toMatchObject({ state: 'Alerting', firedAtMs: 0 })
  })

  test('the instance with the labels of the monitor is missing as others are when there is no data', () => {
    const rules = { noDataState: 'NoData', errorState: 'Alerting' } as const
    expect(states(rules, ['error', 'no-data', 'no-data'])).toEqual({ '': 'AA.', 'no-data': '.NN' })
  })

  test.each<readonly [Setting, Outcome, string, string]>([
    [{ noDataState: 'NoData' }, 'no-data', 'no-data', 'NoData'],
    [{ errorState: 'Error' }, 'error', 'error', 'Error'],
  ])('%j: an alert with the labels of the instance of its own stays notified', (rules, outcome, set, state) => {
    const monitor = new TestMonitor({ ...rules, ...twoMinutes })
    for (let i = 0; i < 3; i++) monitor.evaluate({ [set]: 'breach' })
    expect(monitor.evaluate(outcome)).toEqual([[set, 'Alerting', state, state]])
    expect(monitor.evaluate({ [set]: 'breach' })).toEqual([[set, state, 'Alerting', undefined]])
    expect(monitor.instance(set)).toMatchObject({ origin: 'result', activeAtMs: 0, firedAtMs: 2 * MINUTE_MS })
  })
})

test('receivers are notified of Alerting, NoData and Error', () => {
  const monitor = new TestMonitor(twoMinutes)
  monitor.evaluate('a')
  const pending = monitor.instance('a')
  if (pending === undefined) expect.fail('no instance')
  const notified = (['Normal', 'Pending', 'Alerting', 'NoData', 'Error'] as const).filter((state) =>
    isNotified({ ...pending, state }),
  )
  expect(notified).toEqual(['Alerting', 'NoData', 'Error'])
})
