import type { PagerdutyIntegration } from '../config/index.ts'
import type { Delivery, NotifiedAlert } from '../types.ts'
import { oneLine } from './limits.ts'
import { formatMs } from './times.ts'

const SEVERITIES = ['critical', 'error', 'warning', 'info']

function eventOf(alert: NotifiedAlert, { routingKey, severity }: PagerdutyIntegration, externalUrl: string): string {
  const { status, labels, annotations, startsAtMs, fingerprint, display, value, generatorUrl } = alert
  const own = labels.get('severity').toLowerCase()
  const source = [labels.get('instance'), labels.get('host'), externalUrl, 'sluice'].find((each) => each !== '')
  return JSON.stringify({
    routing_key: routingKey.reveal(),
    event_action: status === 'firing' ? 'trigger' : 'resolve',
    dedup_key: fingerprint,
    payload: {
      summary: oneLine(annotations.get('summary') || (display?.title ?? labels.get('alertname')) || fingerprint),
      source,
      severity: SEVERITIES.includes(own) ? own : severity,
      timestamp: formatMs(startsAtMs),
      custom_details: {
        labels: labels.toRecord(),
        annotations: annotations.toRecord(),
        ...(value === undefined ? {} : { value }),
      },
    },
    ...(generatorUrl === '' ? {} : { links: [{ href: generatorUrl, text: 'Rule' }] }),
  })
}

/** Returns JSON bodies for PagerDuty's Events API version 2, one event for each alert. */
export function pagerdutyBodies(
  { alerts, externalUrl }: Delivery,
  integration: PagerdutyIntegration,
): readonly string[] {
  return alerts.map((alert) => eventOf(alert, integration, externalUrl))
}
