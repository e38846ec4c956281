import { Labels } from '../../data/index.ts'
import type { NotifyConfig, RoutedAlert } from '../notify/index.ts'

/**
 * Returns the alert that fires while the service works; `undefined` if no receiver is configured for it. It ends unless
 * it is renewed within `resolve_timeout`.
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
