import { Dispatcher, SilenceSet, readNotifyConfig, type NotifyConfig, type RoutedAlert } from '../notify/index.ts'

/** Deliveries to one receiver by their status. */
export interface DeliveryCounts {
  firing: number
  resolved: number
}

/** One receiver, grouped by alert name with the times of Alertmanager's defaults (M54). */
export function defaultNotifyConfig(): NotifyConfig {
  const route =
    '{ receiver: receiver, group_by: [alertname], group_wait: 30s, group_interval: 5m, repeat_interval: 4h }'
  const receivers = '[{ name: receiver, webhook_configs: [{ url: "http://127.0.0.1/" }] }]'
  return readNotifyConfig(`route: ${route}\nreceivers: ${receivers}\n`, () => '')
}

/** Counts the deliveries that grouping would make; each succeeds at once and nothing is sent. */
export class DeliveryCounter {
  readonly #dispatcher: Dispatcher
  readonly #counts = new Map<string, DeliveryCounts>()

  constructor(config: NotifyConfig) {
    this.#dispatcher = new Dispatcher(config, new SilenceSet())
    for (const name of config.receivers.keys()) this.#counts.set(name, { firing: 0, resolved: 0 })
  }

  /** By receiver. */
  get counts(): ReadonlyMap<string, Readonly<DeliveryCounts>> {
    return this.#counts
  }

  /** Takes the alerts of a round that changed a state; later rounds come later. */
  receive(alerts: readonly RoutedAlert[], nowMs: number): void {
    this.#dispatcher.receive(alerts, nowMs)
  }

  /** Makes the deliveries that are due up to a time. */
  advance(untilMs: number): void {
    for (let atMs = this.#dispatcher.nextWakeMs; atMs <= untilMs; atMs = this.#dispatcher.nextWakeMs)
      for (const delivery of this.#dispatcher.advance(atMs)) {
        const counts = this.#counts.get(delivery.receiver)
        if (counts !== undefined) counts[delivery.status]++
        this.#dispatcher.answered(delivery, { kind: 'success' }, atMs)
      }
  }
}
