import { describe, expect, test } from 'vitest'
import {
  alertmanagerBodies,
  emailMessage,
  pagerdutyBodies,
  slackBody,
  webhookBody,
  type Delivery,
  type Integration,
  type RoutedAlert,
} from '../../../src/alerting/notify/index.ts'
import { Labels } from '../../../src/data/index.ts'
import { MINUTE, deliver, testAlert, testConfig, testDispatcher } from './dispatching.ts'

const RECEIVER = `{name: main,
  webhook_configs: [{url: "http://hook.example.com/", max_alerts: 2}],
  alertmanager_configs: [{urls: ["http://am.example.com"]}],
  slack_configs: [{api_url: "http://slack.example.com/", channel: "#a", send_resolved: true}],
  email_configs: [{to: to@example.com, from: Sluice <from@example.com>, smarthost: "mail.example.com:25", send_resolved: true}],
  pagerduty_configs: [{routing_key: key}]}`

type OfKind<K extends Integration['kind']> = Extract<Integration, { kind: K }>

function sent<K extends Integration['kind']>(
  kind: K,
  alerts: readonly RoutedAlert[],
): readonly (Delivery & { readonly integration: OfKind<K> })[] {
  const { dispatcher } = testDispatcher(testConfig('group_wait: 0s, group_interval: 1m', RECEIVER))
  dispatcher.receive(alerts, 0)
  const first = deliver(dispatcher, 0)
  dispatcher.receive(
    alerts.map((alert) => ({ ...alert, endsAtMs: 1000 })),
    1000,
  )
  return [...first, ...deliver(dispatcher, MINUTE)].filter(
    (delivery): delivery is Delivery & { readonly integration: OfKind<K> } => delivery.integration.kind === kind,
  )
}

const two = [testAlert({ host: 'x', env: 'a&b' }, { value: 3 }), testAlert({ host: 'y', env: 'a&b' }, { value: 4 })]

describe('payloads', () => {
  test('webhook: at most `max_alerts` alerts, the others are counted', () => {
    const alerts = ['a', 'b', 'c'].map((host) => testAlert({ host }))
    const [firing, resolved] = sent('webhook', alerts).map(
      (delivery) => JSON.parse(webhookBody(delivery, delivery.integration)) as Record<string, unknown>,
    )
    expect(firing).toMatchObject({ status: 'firing', truncatedAlerts: 1, version: '4', groupKey: '{}:{alertname="A"}' })
    expect(firing!['alerts']).toHaveLength(2)
    expect(resolved).toMatchObject({ status: 'resolved', notification_reason: 'all alerts resolved' })
  })

  test('webhook: alerts are left out until the body has at most 1 MiB', () => {
    const big = Labels.of({ text: 'x'.repeat(600_000) })
    const alerts = ['a', 'b'].map((host) => testAlert({ host }, { annotations: big }))
    const [delivery] = sent('webhook', alerts)
    const body = webhookBody(delivery!, { ...delivery!.integration, maxAlerts: 0 })
    // With a single alert, its annotations are also the common annotations.
    expect(JSON.parse(body)).toMatchObject({ truncatedAlerts: 2, alerts: [] })
  })

  test('Alertmanager: firing alerts end in the future, large bodies are split', () => {
    const [firing, resolved] = sent('alertmanager', [testAlert({ host: 'x' }, { intervalMs: 5 * MINUTE })])
    expect(JSON.parse(alertmanagerBodies(firing!)[0]!)).toEqual([
      {
        labels: { alertname: 'A', host: 'x' },
        annotations: {},
        startsAt: '1970-01-01T00:00:00Z',
        endsAt: '1970-01-01T00:20:00Z',
        generatorURL: '',
      },
    ])
    expect(JSON.parse(alertmanagerBodies(resolved!)[0]!)).toMatchObject([{ endsAt: '1970-01-01T00:00:01Z' }])
    const big = Labels.of({ text: 'x'.repeat(600_000) })
    const large = sent('alertmanager', [
      testAlert({ host: 'x' }, { annotations: big }),
      testAlert({ host: 'y' }, { annotations: big }),
    ])
    expect(alertmanagerBodies(large[0]!)).toHaveLength(2)
  })

  test('Slack: title, color and one escaped line an alert', () => {
    const [firing, resolved] = sent('slack', two).map(
      (delivery) => JSON.parse(slackBody(delivery, delivery.integration)) as { attachments: unknown[] },
    )
    expect(firing).toMatchObject({ channel: '#a', text: '[FIRING:2] A (env=a&amp;b)' })
    expect(firing!.attachments).toMatchObject([
      { color: 'danger', title: '[FIRING:2] A (env=a&amp;b)', text: '• A host=x value=3\n• A host=y value=4' },
    ])
    expect(resolved!.attachments).toMatchObject([{ color: 'good' }])
  })

  test('Slack: at most 20 alerts; missing data is a warning; the display of the monitor is used', () => {
    const display = { title: 'High <load>', description: 'Too much', firstLabels: ['zone'] }
    const alerts = Array.from({ length: 23 }, (_, i) =>
      testAlert({ host: `h${String(i).padStart(2, '0')}`, reason: 'NoData', zone: `${i}` }, { display }),
    )
    const [delivery] = sent('slack', alerts)
    const { attachments } = JSON.parse(slackBody(delivery!, delivery!.integration)) as {
      attachments: { text: string }[]
    }
    expect(attachments[0]).toMatchObject({ color: 'warning', title: '[FIRING:23] High &lt;load&gt; (reason=NoData)' })
    const lines = attachments[0]!.text.split('\n')
    expect(lines).toHaveLength(22)
    expect(lines.slice(0, 2)).toEqual(['Too much', '• High &lt;load&gt; zone=0 host=h00'])
    expect(lines.at(-1)).toBe('… and 3 more')
  })

  test('e-mail: one thread a group, text beside HTML without remote content', () => {
    const [first, second] = sent('email', [testAlert({ host: 'x\r\nBcc: evil@example.com' })])
    const message = emailMessage(first!, first!.integration)
    const answer = emailMessage(second!, second!.integration)
    expect(message.subject).toBe('[FIRING:1] A (host=x Bcc: evil@example.com)')
    expect(message.messageId).toBe(`<${first!.id}@example.com>`)
    expect(message).not.toHaveProperty('inReplyTo')
    expect(answer).toMatchObject({ inReplyTo: message.messageId, references: message.messageId })
    expect(answer.messageId).not.toBe(message.messageId)
    expect(message.headers).toEqual({ 'Auto-Submitted': 'auto-generated' })
    expect(message.html).not.toMatch(/<img|<link|src=/)
  })

  test('PagerDuty: one event an alert, deduplicated by its fingerprint', () => {
    const alert = testAlert(
      { host: 'x', severity: 'Warning' },
      { annotations: Labels.of({ summary: 's'.repeat(2000) }), value: 3, startsAtMs: 1500 },
    )
    const [firing, resolved] = sent('pagerduty', [alert]).map(
      (delivery) => JSON.parse(pagerdutyBodies(delivery, delivery.integration)[0]!) as Record<string, unknown>,
    )
    expect(firing).toMatchObject({
      routing_key: 'key',
      event_action: 'trigger',
      payload: { source: 'x', severity: 'warning', timestamp: '1970-01-01T00:00:01.5Z', custom_details: { value: 3 } },
    })
    expect((firing!['payload'] as { summary: string }).summary).toHaveLength(1024)
    expect(resolved).toMatchObject({ event_action: 'resolve', dedup_key: firing!['dedup_key'] })
  })
})
