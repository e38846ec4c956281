import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  alertmanagerBodies,
  fingerprintOf,
  readNotifyConfig,
  webhookBody,
  type Delivery,
  type NotificationReason,
  type NotifiedAlert,
} from '../../src/alerting/notify/index.ts'
import { Labels } from '../../src/data/index.ts'
import { checkAll, type Outcome, type Vector } from './outcome.ts'

type Pairs = Readonly<Record<string, string>>

interface SentAlert {
  readonly labels: Pairs
  readonly annotations?: Pairs
  readonly startsAt: string
  readonly endsAt: string
  readonly generatorURL: string
}

interface WebhookBody {
  readonly receiver: string
  readonly status: 'firing' | 'resolved'
  readonly alerts: readonly SentAlert[]
  readonly groupLabels: Pairs
  readonly groupKey: string
  readonly externalURL: string
  readonly notification_reason: NotificationReason
}

interface PayloadCase extends Vector {
  readonly id: string
  readonly body: WebhookBody | readonly SentAlert[]
}

const config = readNotifyConfig(
  'route: {receiver: a}\nreceivers: [{name: a, webhook_configs: [{url: "http://hook.example.com/"}]}]',
  () => '',
)

/** Reconstructs the delivery that a recorded body describes. Masked times become 1970. */
function deliveryOf(body: PayloadCase['body']): Delivery {
  const integration = config.receivers.get('a')?.integrations[0]
  if (integration === undefined) throw new Error('the configuration has no webhook')
  const sent = 'alerts' in body ? body.alerts : body
  const alerts = sent.map((alert): NotifiedAlert => {
    const labels = Labels.of(alert.labels)
    return {
      labels,
      annotations: Labels.of(alert.annotations ?? {}),
      startsAtMs: Date.parse(alert.startsAt) || 0,
      endsAtMs: Infinity,
      generatorUrl: alert.generatorURL,
      status: 'firing',
      fingerprint: fingerprintOf(labels),
    }
  })
  const webhook = 'alerts' in body ? body : undefined
  return {
    id: 'id',
    groupId: 'group',
    receiver: webhook?.receiver ?? 'a',
    integration,
    groupKey: webhook?.groupKey ?? '',
    groupLabels: Labels.of(webhook?.groupLabels ?? {}),
    reason: webhook?.notification_reason ?? 'first notification',
    status: 'firing',
    alerts,
    atMs: 0,
    threadId: 'id',
    externalUrl: webhook?.externalURL ?? '',
  }
}

/** Removes times, which differ between runs, and adds empty annotations, which Prometheus omits. */
function comparable(alerts: readonly SentAlert[]): unknown {
  return alerts.map(({ startsAt: _, endsAt: __, annotations = {}, ...others }) => ({ ...others, annotations }))
}

/** Checks the bodies of notification requests against recorded ones. */
export async function checkAlertPayloads(directory: string): Promise<readonly Outcome[]> {
  const path = join(directory, 'payloads.json')
  if (!existsSync(path)) return []
  const file = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, Omit<PayloadCase, 'id'>>>
  const cases = Object.entries(file).map(([id, { body }]): PayloadCase => ({ id, body }))
  const outcome = await checkAll('payloads.json', cases, ({ body }) => {
    const delivery = deliveryOf(body)
    if ('alerts' in body) {
      if (delivery.integration.kind !== 'webhook') throw new Error('the configuration has no webhook')
      const found: unknown = JSON.parse(webhookBody(delivery, delivery.integration))
      return isDeepStrictEqual(found, body) ? undefined : { failure: `found ${JSON.stringify(found)}` }
    }
    const found = alertmanagerBodies(delivery).flatMap((text) => JSON.parse(text) as readonly SentAlert[])
    return isDeepStrictEqual(comparable(found), comparable(body))
      ? undefined
      : { failure: `found ${JSON.stringify(found)}` }
  })
  return [outcome]
}
