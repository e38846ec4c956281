import { Labels } from '../../data/index.ts'
import type { NotifyConfig, RoutedAlert } from '../notify/index.ts'

/**
 * Returns the alert that fires as long as it is renewed; `undefined` if the configuration has no receiver for it. Unless
 * it is renewed within `resolve_timeout`, it is no longer sent.
 */
export function deadMansAlert(
  { deadMansSwitch, resolveTimeoutMs }: NotifyConfig,
  backendLabel: string | undefined,
  startsAtMs: number,
  nowMs: number,
): RoutedAlert | undefined {
  if (deadMansSwitch === undefined) return undefined
  const { receiver, repeatIntervalMs } = deadMansSwitch
  return {
    labels: Labels.of({ alertname: 'DeadMansSwitch', backend: backendLabel ?? '' }),
    annotations: Labels.of({ summary: 'Alerts are evaluated and delivered. Act when this notification stays away.' }),
    startsAtMs,
    endsAtMs: nowMs + resolveTimeoutMs,
    isTimeout: true,
    generatorUrl: '',
    settings: {
      receivers: [receiver],
      statuses: ['firing'],
      ...(repeatIntervalMs === 0 ? {} : { repeatIntervalMs }),
    },
  }
}
