import { Dispatcher, SilenceSet, readNotifyConfig, type NotifyConfig, type RoutedAlert } from '../notify/index.ts'

/** Number of deliveries to one receiver, by status. */
export interface DeliveryCounts {
  firing: number
  resolved: number
}

/** Returns a configuration with one receiver, groups by `alertname` and the default times of Alertmanager (M54). */
export function defaultNotifyConfig(): NotifyConfig {
  const route =
    '{ receiver: receiver, group_by: [alertname], group_wait: 30s, group_interval: 5m, repeat_interval: 4h }'
  const receivers = '[{ name: receiver, webhook_configs: [{ url: "http://127.0.0.1/" }] }]'
  return readNotifyConfig(`route: ${route}\nreceivers: ${receivers}\n`, () => '')
}

/** Counts the deliveries that a server would have made. Sends nothing; each delivery counts as successful. */
export class DeliveryCounter {
  readonly #dispatcher: Dispatcher
  readonly #counts = new Map<string, DeliveryCounts>()

  constructor(config: NotifyConfig) {
    this.#dispatcher = new Dispatcher(config, new SilenceSet())
    for (const name of config.receivers.keys()) this.#counts.set(name, { firing: 0, resolved: 0 })
  }

  /** Deliveries so far by receiver name. */
  get counts(): ReadonlyMap<string, Readonly<DeliveryCounts>> {
    return this.#counts
  }

  /** Receives the alerts of a round with a state change. Rounds must be in time order. */
  receive(alerts: readonly RoutedAlert[], nowMs: number): void {
    this.#dispatcher.receive(alerts, nowMs)
  }

  /** Counts the deliveries that are due up to a time, inclusive. */
  advance(untilMs: number): void {
    for (let atMs = this.#dispatcher.nextWakeMs; atMs <= untilMs; atMs = this.#dispatcher.nextWakeMs)
      for (const delivery of this.#dispatcher.advance(atMs)) {
        const counts = this.#counts.get(delivery.receiver)
        if (counts !== undefined) counts[delivery.status]++
        this.#dispatcher.answered(delivery, { kind: 'success' }, atMs)
      }
  }
}
