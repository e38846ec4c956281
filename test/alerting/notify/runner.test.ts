import { describe, expect, test } from 'vitest'
import { DeliveryRunner, type Delivery, type SendOutcome } from '../../../src/alerting/notify/index.ts'
import { ManualClock, settled } from './clock.ts'
import { MINUTE, SECOND, testAlert, testConfig, testDispatcher } from './dispatching.ts'

const WEBHOOK = 'webhook_configs: [{url: "http://hook.example.com/"}]'

function setUp(
  options: {
    readonly isSlow?: (delivery: Delivery) => boolean
    readonly persist?: () => Promise<void>
    readonly receivers?: string
  } = {},
) {
  const route = 'group_by: [host], group_wait: 10s, group_interval: 1m, repeat_interval: 1h'
  const { receivers = `{name: main, ${WEBHOOK}}, {name: other, ${WEBHOOK}}` } = options
  const { dispatcher } = testDispatcher(testConfig(route, receivers))
  const clock = new ManualClock()
  const sent: string[] = []
  const hanging: ((outcome: SendOutcome) => void)[] = []
  const runner = new DeliveryRunner({
    dispatcher,
    clock,
    send: (delivery) => {
      sent.push(`${clock.nowMs()} ${delivery.receiver} ${delivery.groupLabels.get('host')}`)
      if (options.isSlow?.(delivery) !== true) return Promise.resolve({ kind: 'success' })
      return new Promise((done) => hanging.push(done))
    },
    ...(options.persist === undefined ? {} : { persist: options.persist }),
  })
  const receive = (receiver: string, hosts: readonly string[]): void => {
    dispatcher.receive(
      hosts.map((host) => testAlert({ host, receiver }, { settings: { receivers: [receiver] } })),
      clock.nowMs(),
    )
    runner.wake()
  }
  return { clock, dispatcher, runner, sent, hanging, receive }
}

describe('runner of deliveries', () => {
  test('sends each delivery at its time', async () => {
    const { clock, sent, receive } = setUp()
    receive('main', ['x'])
    await clock.advanceTo(5 * SECOND)
    receive('main', ['y'])
    await clock.advanceTo(10 * MINUTE)
    expect(sent).toEqual(['10000 main x', '15000 main y'])
  })

  test('a receiver that hangs delays no other', async () => {
    const { clock, sent, receive, hanging } = setUp({ isSlow: ({ receiver }) => receiver === 'main' })
    const hosts = Array.from({ length: 40 }, (_, i) => `h${i}`)
    receive('main', hosts)
    receive('other', ['x'])
    await clock.advanceTo(10 * SECOND)
    expect(sent.filter((each) => each.includes('main'))).toHaveLength(8)
    expect(sent.at(-1)).toBe('10000 other x')
    hanging[0]!({ kind: 'success' })
    await settled()
    expect(sent.filter((each) => each.includes('main'))).toHaveLength(9)
  })

  test('many receivers that hang delay no other', async () => {
    const receivers = ['main', 'a', 'b', 'c', 'd'].map((name) => `{name: ${name}, ${WEBHOOK}}`).join(', ')
    const { clock, sent, receive } = setUp({ isSlow: ({ receiver }) => receiver !== 'd', receivers })
    const hosts = Array.from({ length: 40 }, (_, i) => `h${i}`)
    for (const receiver of ['main', 'a', 'b', 'c', 'd']) receive(receiver, hosts)
    await clock.advanceTo(10 * SECOND)
    expect(sent.filter((each) => each.includes(' d '))).toHaveLength(40)
  })

  test('one delivery of a group is in flight at a time', async () => {
    const { clock, sent, receive, hanging } = setUp({ isSlow: () => true })
    receive('main', ['x'])
    await clock.advanceTo(5 * MINUTE)
    expect(sent).toEqual(['10000 main x'])
    hanging[0]!({ kind: 'retry', reason: 'slow' })
    await settled()
    await clock.advanceTo(5 * MINUTE)
    expect(sent).toEqual(['10000 main x', '300000 main x'])
  })

  test('nothing is sent before the state is on disk', async () => {
    let isFull = true
    const { clock, sent, receive } = setUp({
      persist: () => (isFull ? Promise.reject(new Error('full')) : Promise.resolve()),
    })
    receive('main', ['x'])
    await clock.advanceTo(10 * SECOND)
    expect(sent).toEqual([])
    isFull = false
    await clock.advanceTo(11 * SECOND)
    expect(sent).toEqual(['10500 main x'])
  })

  test('closing waits for deliveries in flight and begins no other', async () => {
    const { clock, sent, receive, runner, hanging } = setUp({ isSlow: () => true })
    receive('main', ['x', 'y'])
    await clock.advanceTo(10 * SECOND)
    let isClosed = false
    const closing = runner.close().then(() => (isClosed = true))
    await settled()
    expect(isClosed).toBe(false)
    for (const done of hanging) done({ kind: 'retry', reason: 'slow' })
    await closing
    await clock.advanceTo(MINUTE)
    expect(sent).toHaveLength(2)
  })
})
