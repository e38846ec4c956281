import { expect, test } from 'vitest'
import { readNotifyConfig, type Delivery } from '../../../src/alerting/notify/index.ts'
import { AlertingService, TestClock } from '../../../src/alerting/service/index.ts'
import { Labels } from '../../../src/data/index.ts'
import { createMemoryDocumentStore, type DocumentStore } from '../../../src/resources/index.ts'

const START_MS = 1_773_140_400_000
const MINUTE_MS = 60_000

const ROUTE = `
route: { receiver: team, group_interval: 1m }
receivers: [{ name: team }, { name: watch, webhook_configs: [{ url: 'http://watch.example.com' }] }]
`

async function run(
  config: string,
  store: DocumentStore,
  minutes: readonly [number, number],
): Promise<readonly string[]> {
  const clock = new TestClock()
  const sent: string[] = []
  const send = ({ receiver, status, alerts, atMs }: Delivery): Promise<{ readonly kind: 'success' }> => {
    sent.push([(atMs - START_MS) / MINUTE_MS, receiver, status, ...alerts.map(({ labels }) => labels)].join(' '))
    return Promise.resolve({ kind: 'success' })
  }
  await clock.moveTo(START_MS + minutes[0] * MINUTE_MS, () => Promise.resolve())
  const service = new AlertingService({
    backend: 'default',
    store,
    config: readNotifyConfig(ROUTE + config, () => ''),
    environment: { externalLabels: Labels.empty, externalUrl: '' },
    clock,
    runQueries: () => Promise.resolve({ outputs: [] }),
    runTemplateQuery: () => Promise.resolve([]),
    maySilence: () => true,
    send,
    onFault: () => {},
  })
  service.start()
  await clock.moveTo(START_MS + minutes[1] * MINUTE_MS, () => service.idle())
  await service.close()
  return sent
}

test('the receiver of `dead_mans_switch` gets an alert at every repeat interval, also after a restart', async () => {
  const store = createMemoryDocumentStore(() => 0n)
  const config = 'dead_mans_switch: { receiver: watch, repeat_interval: 4m30s }'
  const line = 'watch firing {alertname="DeadMansSwitch"}'
  expect(await run(config, store, [0, 9])).toEqual([`0.5 ${line}`, `5.5 ${line}`])
  expect(await run(config, store, [60, 64])).toEqual([`60 ${line}`])
  expect(await run('', store, [66, 90])).toEqual([])
})

test.each([
  ['dead_mans_switch: { receiver: wach }', 'No receiver has this name. Did you mean `watch`?'],
  ['dead_mans_switch: { repeat_interval: 5m }', '`dead_mans_switch` needs the member `receiver`.'],
])('%s is refused', (config, message) => {
  expect(() => readNotifyConfig(ROUTE + config, () => '')).toThrow(message)
})
