import { RESENDS_BEFORE_END, RESEND_MS } from '../tuning.ts'
import type { Delivery, NotifiedAlert } from '../types.ts'
import { isTooLarge } from './limits.ts'
import { formatMs } from './times.ts'

/**
 * Returns an alert as the API expects it. A firing alert gets an end in the future, so that it resolves if this server
 * dies.
 */
function postedAlert(alert: NotifiedAlert, atMs: number) {
  const { status, labels, annotations, startsAtMs, endsAtMs, generatorUrl, intervalMs = 0 } = alert
  const expectedEndMs = atMs + RESENDS_BEFORE_END * Math.max(intervalMs, RESEND_MS)
  return {
    labels: labels.toRecord(),
    annotations: annotations.toRecord(),
    startsAt: formatMs(startsAtMs),
    endsAt: formatMs(status === 'firing' ? expectedEndMs : endsAtMs),
    generatorURL: generatorUrl,
  }
}

/** Returns JSON bodies for `POST /api/v2/alerts`. Alerts are split into halves until each body is at most 1 MiB. */
export function alertmanagerBodies({ alerts, atMs }: Delivery): readonly string[] {
  const bodies: string[] = []
  const add = (part: readonly NotifiedAlert[]): void => {
    const body = JSON.stringify(part.map((alert) => postedAlert(alert, atMs)))
    if (part.length > 1 && isTooLarge(body)) {
      const middle = part.length >> 1
      add(part.slice(0, middle))
      add(part.slice(middle))
    } else bodies.push(body)
  }
  add(alerts)
  return bodies
}
