import { describe, expect, test } from 'vitest'
import {
  Dispatcher,
  NotificationLog,
  SilenceSet,
  type AlertSettings,
  type Delivery,
} from '../../../src/alerting/notify/index.ts'
import { MINUTE, SECOND, deliver, testAlert, testConfig, testDispatcher } from './dispatching.ts'

const retry = { kind: 'retry', reason: 'status 503' } as const
const failed = { kind: 'failed', reason: 'status 400' } as const
const WAIT = 10 * SECOND

function hosts(deliveries: readonly Delivery[]): readonly string[] {
  return deliveries.map(({ receiver, alerts }) =>
    [receiver, ...alerts.map(({ labels, status }) => `${labels.get('host')} ${status}`)].join(': '),
  )
}

describe('dispatcher', () => {
  test('a group is notified after `group_wait`, and again when an alert is new or resolved', () => {
    const { dispatcher } = testDispatcher()
    dispatcher.receive([testAlert({ host: 'x' })], 0)
    expect(dispatcher.nextWakeMs).toBe(WAIT)
    expect(deliver(dispatcher, WAIT - 1)).toEqual([])
    expect(hosts(deliver(dispatcher, WAIT))).toEqual(['main: x firing'])
    dispatcher.receive([testAlert({ host: 'y' }), testAlert({ host: 'x' }, { endsAtMs: 20 * SECOND })], 20 * SECOND)
    expect(hosts(deliver(dispatcher, WAIT + MINUTE))).toEqual(['main: x resolved: y firing'])
    expect(deliver(dispatcher, WAIT + 2 * MINUTE)).toEqual([])
    expect(dispatcher.alerts()).toHaveLength(1)
  })

  test('receivers that the monitor names get the alert, each; routes decide if none is known', () => {
    const { dispatcher } = testDispatcher()
    dispatcher.receive([testAlert({ host: 'x' }, { settings: { receivers: ['main', 'other', 'unknown'] } })], 0)
    dispatcher.receive([testAlert({ host: 'y' }, { settings: { receivers: ['unknown'] } })], 0)
    expect(hosts(deliver(dispatcher, WAIT))).toEqual(['main: x firing', 'other: x firing', 'main: y firing'])
  })

  test('settings of the monitor replace those of the route', () => {
    const { dispatcher } = testDispatcher()
    const receive = (name: string, settings: AlertSettings, endsAtMs = Infinity, nowMs = 0): void =>
      dispatcher.receive([testAlert({ alertname: name, host: name }, { settings, endsAtMs })], nowMs)
    receive('mute', { isMuted: true })
    receive('often', { repeatIntervalMs: MINUTE })
    receive('once', { disableRenotification: true })
    receive('ends', { statuses: ['resolved'] })
    expect(hosts(deliver(dispatcher, WAIT))).toEqual(['main: often firing', 'main: once firing'])
    expect(deliver(dispatcher, WAIT + MINUTE)).toEqual([])
    expect(hosts(deliver(dispatcher, WAIT + 2 * MINUTE))).toEqual(['main: often firing'])
    receive('ends', { statuses: ['resolved'] }, 3 * MINUTE, 3 * MINUTE)
    expect(hosts(deliver(dispatcher, 300 * MINUTE)).toSorted()).toEqual(['main: ends resolved', 'main: often firing'])
  })

  test('an alert that its monitor routes elsewhere ends at its former receiver', () => {
    const { dispatcher } = testDispatcher()
    dispatcher.receive([testAlert({ host: 'x' }, { settings: { receivers: ['main'] } })], 0)
    deliver(dispatcher, WAIT)
    dispatcher.receive([testAlert({ host: 'x' }, { settings: { receivers: ['other'] } })], 20 * SECOND)
    expect(hosts(deliver(dispatcher, 2 * MINUTE)).toSorted()).toEqual(['main: x resolved', 'other: x firing'])
  })

  test('a fault that may pass is followed by attempts with growing pauses and the same id', () => {
    const { dispatcher } = testDispatcher()
    dispatcher.receive([testAlert({ host: 'x' })], 0)
    const [first] = dispatcher.advance(WAIT)
    expect(dispatcher.nextWakeMs).toBe(Infinity)
    dispatcher.answered(first!, retry, WAIT)
    expect(dispatcher.nextWakeMs).toBe(WAIT + 500)
    const [second] = dispatcher.advance(WAIT + 500)
    expect(second!.id).toBe(first!.id)
    dispatcher.answered(second!, { ...retry, retryAfterMs: 20 * SECOND }, WAIT + 500)
    expect(dispatcher.nextWakeMs).toBe(WAIT + 500 + 20 * SECOND)
    const [third] = dispatcher.advance(WAIT + 500 + 20 * SECOND)
    dispatcher.answered(third!, retry, WAIT + 21 * SECOND)
    expect(dispatcher.nextWakeMs).toBe(WAIT + 21 * SECOND + 1125)
  })

  test('the next look replaces a delivery that keeps failing, with all that is then true', () => {
    const { dispatcher } = testDispatcher()
    dispatcher.receive([testAlert({ host: 'x' })], 0)
    const [first] = dispatcher.advance(WAIT)
    dispatcher.answered(first!, { ...retry, retryAfterMs: 10 * MINUTE }, WAIT)
    dispatcher.receive([testAlert({ host: 'y' })], 20 * SECOND)
    expect(dispatcher.nextWakeMs).toBe(WAIT + MINUTE)
    const later = dispatcher.advance(WAIT + MINUTE)
    expect(hosts(later)).toEqual(['main: x firing: y firing'])
    expect(later[0]!.id).not.toBe(first!.id)
    expect(dispatcher.deadLetters()).toMatchObject([{ id: first!.id, status: 'firing', receiver: 'main' }])
    dispatcher.answered(later[0]!, { kind: 'success' }, WAIT + MINUTE)
    expect(dispatcher.deadLetters()).toEqual([])
  })

  test('a refused delivery is a dead letter, and `resend` looks at its group at once', () => {
    const { dispatcher } = testDispatcher()
    dispatcher.receive([testAlert({ host: 'x' })], 0)
    const [first] = dispatcher.advance(WAIT)
    dispatcher.answered(first!, failed, WAIT)
    expect(dispatcher.deadLetters()).toMatchObject([{ id: first!.id, reason: 'status 400' }])
    expect(dispatcher.resend('unknown', 20 * SECOND)).toBe(false)
    expect(dispatcher.resend(first!.id, 20 * SECOND)).toBe(true)
    expect(hosts(deliver(dispatcher, 20 * SECOND))).toEqual(['main: x firing'])
    expect(dispatcher.deadLetters()).toEqual([])
  })

  test('a resolved alert that its receiver keeps refusing is dropped after a week', () => {
    const { dispatcher } = testDispatcher()
    dispatcher.receive([testAlert({ host: 'x' })], 0)
    deliver(dispatcher, WAIT)
    dispatcher.receive([testAlert({ host: 'x' }, { endsAtMs: MINUTE })], MINUTE)
    const [last] = dispatcher.advance(2 * MINUTE)
    dispatcher.answered(last!, failed, 2 * MINUTE)
    const day = 24 * 60 * MINUTE
    expect(dispatcher.alerts()).toHaveLength(1)
    expect(dispatcher.advance(8 * day)).toEqual([])
    expect(dispatcher.alerts()).toEqual([])
    expect(dispatcher.nextWakeMs).toBe(Infinity)
  })

  test('answers that come late or twice change nothing', () => {
    const { dispatcher, log } = testDispatcher()
    dispatcher.receive([testAlert({ host: 'x' })], 0)
    const [first] = dispatcher.advance(WAIT)
    expect(dispatcher.answered(first!, { kind: 'success' }, WAIT)?.firing).toHaveLength(1)
    expect(dispatcher.answered(first!, failed, WAIT)).toBeUndefined()
    expect(dispatcher.deadLetters()).toEqual([])
    expect(log.records()).toHaveLength(1)
  })

  test('an alert that ended while silenced is notified when it fires again', () => {
    const { dispatcher, silences } = testDispatcher()
    dispatcher.receive([testAlert({ host: 'x' })], 0)
    deliver(dispatcher, WAIT)
    const matchers = [{ label: 'host', op: '=', value: 'x' } as const]
    silences.set({ id: 's', startsAtMs: 0, endsAtMs: 2 * MINUTE, matchers })
    dispatcher.receive([testAlert({ host: 'x' }, { endsAtMs: 20 * SECOND })], 20 * SECOND)
    expect(deliver(dispatcher, WAIT + MINUTE)).toEqual([])
    dispatcher.receive([testAlert({ host: 'x' }, { startsAtMs: 3 * MINUTE })], 3 * MINUTE)
    expect(hosts(deliver(dispatcher, 4 * MINUTE))).toEqual(['main: x firing'])
  })

  test('firing alerts are sent to an Alertmanager each minute, without `group_wait`', () => {
    const receivers = '{name: main, alertmanager_configs: [{urls: ["http://am.example.com"]}]}'
    const { dispatcher } = testDispatcher(testConfig('group_interval: 5m', receivers))
    dispatcher.receive([testAlert({ host: 'x' })], 0)
    expect([0, 30 * SECOND, MINUTE, 2 * MINUTE].map((ms) => deliver(dispatcher, ms).length)).toEqual([1, 0, 1, 1])
  })

  test('integrations of one receiver do not wait for each other', () => {
    const hook = '{url: "http://hook.example.com/"}'
    const { dispatcher } = testDispatcher(
      testConfig('group_wait: 10s', `{name: main, webhook_configs: [${hook}, ${hook}]}`),
    )
    dispatcher.receive([testAlert({ host: 'x' })], 0)
    const [slow, fast] = dispatcher.advance(WAIT)
    expect([slow!.integration.id, fast!.integration.id]).toEqual(['webhook[0]', 'webhook[1]'])
    dispatcher.answered(fast!, { kind: 'success' }, WAIT)
    dispatcher.receive([testAlert({ host: 'y' })], 20 * SECOND)
    expect(dispatcher.advance(10 * MINUTE).map(({ integration }) => integration.id)).toEqual(['webhook[1]'])
  })
})

describe('restart of a dispatcher', () => {
  const config = testConfig()
  const restart = (dispatcher: Dispatcher, nowMs: number): Dispatcher => {
    const state = JSON.parse(JSON.stringify(dispatcher.exportState())) as ReturnType<Dispatcher['exportState']>
    return Dispatcher.restore(config, new SilenceSet(), state, nowMs)
  }

  test('acknowledged alerts are not sent again', () => {
    const { dispatcher } = testDispatcher(config)
    dispatcher.receive([testAlert({ host: 'x' })], 0)
    deliver(dispatcher, WAIT)
    const restored = restart(dispatcher, 20 * SECOND)
    restored.receive([testAlert({ host: 'x' })], 20 * SECOND)
    expect(deliver(restored, 30 * MINUTE)).toEqual([])
  })

  test('the log alone prevents a second delivery of alerts that are received again', () => {
    const { dispatcher, log } = testDispatcher(config)
    dispatcher.receive([testAlert({ host: 'x' })], 0)
    deliver(dispatcher, WAIT)
    const restored = new Dispatcher(config, new SilenceSet(), new NotificationLog(log.records()))
    restored.receive([testAlert({ host: 'x' })], 20 * SECOND)
    expect(deliver(restored, 10 * MINUTE)).toEqual([])
  })

  test('a delivery without answer is attempted again with its id', () => {
    const { dispatcher } = testDispatcher(config)
    dispatcher.receive([testAlert({ host: 'x' }), testAlert({ host: 'y' }, { endsAtMs: 5 * SECOND })], 0)
    const [sent] = dispatcher.advance(WAIT)
    const restored = restart(dispatcher, 20 * SECOND)
    const [again] = deliver(restored, 20 * SECOND)
    expect(again).toEqual(sent)
    expect(restored.advance(20 * SECOND + MINUTE)).toEqual([])
  })

  test('an alert that resolved meanwhile is notified once', () => {
    const { dispatcher } = testDispatcher(config)
    dispatcher.receive([testAlert({ host: 'x' })], 0)
    deliver(dispatcher, WAIT)
    dispatcher.receive([testAlert({ host: 'x' }, { endsAtMs: 20 * SECOND })], 20 * SECOND)
    const restored = restart(dispatcher, 30 * SECOND)
    expect(hosts(deliver(restored, 2 * MINUTE))).toEqual(['main: x resolved'])
    expect(hosts(deliver(restart(restored, 3 * MINUTE), 10 * MINUTE))).toEqual([])
  })
})
