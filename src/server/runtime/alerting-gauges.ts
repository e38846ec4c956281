import type { AlertingFigures, RuleFigures } from '../../alerting/service/index.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

/** Counters of all backends together. */
export interface ServerAlertingFigures {
  readonly monitors: AlertingFigures
  /** Counters of rules; `undefined` without rule files. */
  readonly rules: RuleFigures | undefined
}

/** Adds metrics of evaluations by `kind`, which is `monitors` or `rules`, and metrics of notifications. */
export function addAlertingGauges(telemetry: Telemetry, figures: () => ServerAlertingFigures): void {
  const byKind = (figure: keyof RuleFigures) => (): Readonly<Record<string, number>> => {
    const { monitors, rules } = figures()
    return { monitors: monitors[figure], ...(rules && { rules: rules[figure] }) }
  }
  const seconds = (): Readonly<Record<string, number>> =>
    Object.fromEntries(Object.entries(byKind('latenessMs')()).map(([kind, ms]) => [kind, ms / 1000]))
  telemetry.countedBy(
    'sluice_alerting_evaluations_total',
    'Evaluations of monitors and of single rules.',
    'kind',
    byKind('evaluations'),
  )
  telemetry.countedBy(
    'sluice_alerting_evaluation_failures_total',
    'Evaluations of monitors and of single rules that failed.',
    'kind',
    byKind('failures'),
  )
  telemetry.gauges(
    'sluice_alerting_lateness_seconds',
    'Time between the schedule of the latest evaluation and its start.',
    'kind',
    seconds,
  )
  telemetry.gauges(
    'sluice_alerting_waiting',
    'Monitors and groups of rules that are due and whose evaluation has not started.',
    'kind',
    byKind('waiting'),
  )
  telemetry.counted(
    'sluice_alerting_notifications_delivered_total',
    'Notifications that receivers accepted.',
    () => figures().monitors.delivered,
  )
  telemetry.counted(
    'sluice_alerting_notifications_failed_total',
    'Attempts of notifications that failed; most are repeated.',
    () => figures().monitors.failedDeliveries,
  )
}
