import type { LabelPair, Labels } from '../../../data/index.ts'
import type { Delivery, NotifiedAlert } from '../types.ts'
import { MAX_LISTED_ALERTS, oneLine } from './limits.ts'
import { commonOf } from './webhook.ts'

/** Severity colour of a message: resolved, warning, or firing alert. */
export type MessageLevel = 'good' | 'warning' | 'danger'

function titleOf({ display, labels }: NotifiedAlert): string {
  return display?.title ?? labels.get('alertname')
}

/** Returns the labels of an alert. The labels that its monitor names in `firstLabels` come first. */
function orderedPairs(labels: Labels, { display }: NotifiedAlert): readonly LabelPair[] {
  const first = (display?.firstLabels ?? []).filter((name) => labels.has(name))
  const others = labels.names.filter((name) => !first.includes(name))
  return [...first, ...others].map((name) => [name, labels.get(name)] as const)
}

function printPairs(pairs: readonly LabelPair[]): string {
  return pairs.map(([name, value]) => `${name}=${value}`).join(' ')
}

/**
 * Returns the title of a delivery on one line: `[FIRING:2] title (labels common to all alerts and not used for
 * grouping)`.
 */
export function messageTitle({ status, alerts, groupLabels }: Delivery): string {
  const count = alerts.filter((alert) => alert.status === status).length
  const titles = new Set(alerts.map(titleOf))
  const [first] = alerts
  const title = titles.size === 1 ? [...titles].join('') : groupLabels.values.join(' ')
  const common = commonOf(alerts.map(({ labels }) => labels)).without([...groupLabels.names, 'alertname'])
  const shared = first === undefined ? '' : printPairs(orderedPairs(common, first))
  return oneLine(`[${status.toUpperCase()}:${count}] ${title}${shared === '' ? '' : ` (${shared})`}`)
}

/**
 * Returns the lines below the title: the description that all alerts share, then one line for each of at most 20
 * alerts.
 */
export function messageLines({ alerts }: Delivery): readonly string[] {
  const common = commonOf(alerts.map(({ labels }) => labels))
  const lines = alerts.slice(0, MAX_LISTED_ALERTS).map((alert) => {
    const { status, annotations, labels, value } = alert
    const summary = annotations.get('summary') || titleOf(alert)
    const own = printPairs(orderedPairs(labels.without(common.names), alert))
    const parts = [summary, own, value === undefined ? '' : `value=${value}`, status === 'resolved' ? '(resolved)' : '']
    return oneLine(`• ${parts.filter((part) => part !== '').join(' ')}`)
  })
  const left = alerts.length - lines.length
  const descriptions = new Set(alerts.map((each) => each.display?.description ?? each.annotations.get('description')))
  const [description = ''] = descriptions
  const head = descriptions.size === 1 && description !== '' ? [oneLine(description)] : []
  return [...head, ...lines, ...(left === 0 ? [] : [`… and ${left} more`])]
}

/**
 * Returns the severity colour of a delivery. Missing data, failed evaluations, and the severities `warning` and `info`
 * count as warnings.
 */
export function messageLevel({ status, alerts }: Delivery): MessageLevel {
  if (status === 'resolved') return 'good'
  const firing = alerts.filter((alert) => alert.status === 'firing')
  const isMild = ({ labels }: NotifiedAlert): boolean =>
    ['NoData', 'Error'].includes(labels.get('reason')) || ['warning', 'info'].includes(labels.get('severity'))
  return firing.every(isMild) ? 'warning' : 'danger'
}

/** Returns the URL of a page about the delivery; empty if there is none. */
export function messageLink({ alerts, externalUrl }: Delivery): string {
  return alerts.find(({ generatorUrl }) => generatorUrl !== '')?.generatorUrl ?? externalUrl
}
