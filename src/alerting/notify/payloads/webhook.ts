import { Labels } from '../../../data/index.ts'
import type { WebhookIntegration } from '../config/index.ts'
import type { Delivery, NotifiedAlert } from '../types.ts'
import { isTooLarge } from './limits.ts'
import { ZERO_TIME, formatMs } from './times.ts'

/** Returns the labels or annotations that all sets have with equal values. */
export function commonOf(sets: readonly Labels[]): Labels {
  const [first = Labels.empty, ...others] = sets
  return Labels.from(first.toPairs().filter(([name, value]) => others.every((each) => each.get(name) === value)))
}

function webhookAlert({ status, labels, annotations, startsAtMs, endsAtMs, generatorUrl, fingerprint }: NotifiedAlert) {
  return {
    status,
    labels: labels.toRecord(),
    annotations: annotations.toRecord(),
    startsAt: formatMs(startsAtMs),
    endsAt: status === 'firing' ? ZERO_TIME : formatMs(endsAtMs),
    generatorURL: generatorUrl,
    fingerprint,
  }
}

/** Returns a delivery in the format of Alertmanager's webhook version 4, with its first `count` alerts. */
export function webhookPayload(delivery: Delivery, count: number) {
  const alerts = delivery.alerts.slice(0, count)
  return {
    receiver: delivery.receiver,
    status: alerts.some(({ status }) => status === 'firing') ? 'firing' : 'resolved',
    alerts: alerts.map(webhookAlert),
    notification_reason: delivery.reason,
    groupLabels: delivery.groupLabels.toRecord(),
    commonLabels: commonOf(alerts.map(({ labels }) => labels)).toRecord(),
    commonAnnotations: commonOf(alerts.map(({ annotations }) => annotations)).toRecord(),
    externalURL: delivery.externalUrl,
    version: '4',
    groupKey: delivery.groupKey,
    truncatedAlerts: delivery.alerts.length - alerts.length,
  }
}

/** Returns the JSON body of a webhook: at most `max_alerts` alerts, halved until the body is at most 1 MiB. */
export function webhookBody(delivery: Delivery, { maxAlerts }: WebhookIntegration): string {
  let count = maxAlerts === 0 ? delivery.alerts.length : Math.min(maxAlerts, delivery.alerts.length)
  let body = JSON.stringify(webhookPayload(delivery, count))
  while (count > 0 && isTooLarge(body)) {
    count = Math.floor(count / 2)
    body = JSON.stringify(webhookPayload(delivery, count))
  }
  return body
}
