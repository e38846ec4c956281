import {
  Dispatcher,
  NotificationLog,
  SilenceSet,
  readNotifyConfig,
  type Delivery,
  type NotifyConfig,
  type RoutedAlert,
} from '../../../src/alerting/notify/index.ts'
import { Labels } from '../../../src/data/index.ts'

export const SECOND = 1000
export const MINUTE = 60 * SECOND

const WEBHOOK = 'webhook_configs: [{url: "http://hook.example.com/"}]'

/** Returns a configuration whose receivers have one webhook each. `main` is the default receiver. */
export function testConfig(
  route = 'group_wait: 10s, group_interval: 1m, repeat_interval: 1h',
  receivers = `{name: main, ${WEBHOOK}}, {name: other, ${WEBHOOK}}`,
): NotifyConfig {
  return readNotifyConfig(`route: {receiver: main, ${route}}\nreceivers: [${receivers}]`, () => 'secret')
}

export function testAlert(labels: Readonly<Record<string, string>>, more: Partial<RoutedAlert> = {}): RoutedAlert {
  return {
    labels: Labels.of({ alertname: 'A', ...labels }),
    annotations: Labels.empty,
    startsAtMs: 0,
    endsAtMs: Infinity,
    generatorUrl: '',
    ...more,
  }
}

export interface TestDispatcher {
  readonly dispatcher: Dispatcher
  readonly log: NotificationLog
  readonly silences: SilenceSet
}

export function testDispatcher(config = testConfig()): TestDispatcher {
  const [log, silences] = [new NotificationLog(), new SilenceSet()]
  return { dispatcher: new Dispatcher(config, silences, log, { random: () => 0.5 }), log, silences }
}

/** Advances the dispatcher to a time and marks every delivery as successful. Returns the deliveries. */
export function deliver(dispatcher: Dispatcher, nowMs: number): readonly Delivery[] {
  const deliveries = dispatcher.advance(nowMs)
  for (const delivery of deliveries) dispatcher.answered(delivery, { kind: 'success' }, nowMs)
  return deliveries
}
