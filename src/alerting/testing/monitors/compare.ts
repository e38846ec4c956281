import { printDurationMs } from '../../../lang/promql/index.ts'
import type { MonitorStatus } from '../../evaluator.ts'
import type { Instance } from '../../instances/index.ts'
import type { InstanceDetails } from '../../monitors/index.ts'
import type { Delivery } from '../../notify/index.ts'
import type { ExpectedDelivery, ExpectedInstance } from './read-tests.ts'

/** Formats an expected and an actual list, one item on each line; `undefined` if they are equal. */
export function difference(what: string, expected: readonly string[], got: readonly string[]): string | undefined {
  const [wanted, found] = [expected.toSorted(), got.toSorted()]
  if (wanted.length === found.length && wanted.every((line, i) => line === found[i])) return undefined
  const lines = (list: readonly string[]): string =>
    list.length === 0 ? '    nothing' : list.map((line) => `    ${line}`).join('\n')
  return `${what}\n  expected\n${lines(wanted)}\n  got\n${lines(found)}`
}

export function linesOf(states: ReadonlyMap<string, string>): readonly string[] {
  return [...states].map(([labels, letters]) => `${letters} ${labels}`)
}

export function detailsOf({ record }: MonitorStatus, { labels }: Instance): InstanceDetails | undefined {
  return record.details.get(labels.key)
}

/**
 * Reduces an actual instance to the members that the expectation has, for comparison. For an unexpected instance, only
 * its state is shown.
 */
export function instanceOf(
  { labels, state, activeAtMs }: Instance,
  details: InstanceDetails | undefined,
  wanted: ExpectedInstance | undefined,
): ExpectedInstance {
  return {
    labels,
    state: wanted === undefined || wanted.state !== undefined ? state : undefined,
    value: wanted?.value === undefined ? undefined : details?.value,
    activeAtMs: wanted?.activeAtMs === undefined ? undefined : activeAtMs,
    annotations: wanted?.annotations === undefined ? undefined : details?.annotations,
  }
}

export function instanceLine(
  { labels, state, value, activeAtMs, annotations }: ExpectedInstance,
  startMs: number,
): string {
  const parts = [labels.toString()]
  if (state !== undefined) parts.push(state)
  if (value !== undefined) parts.push(`value ${value}`)
  if (activeAtMs !== undefined) parts.push(`active at ${printDurationMs(activeAtMs - startMs)}`)
  if (annotations !== undefined) parts.push(`annotations ${annotations.toString()}`)
  return parts.join(' ')
}

export function deliveredLabels({ status, alerts }: Delivery, atMs: number): ExpectedDelivery {
  const of = (wanted: string): readonly string[] =>
    alerts.filter((alert) => alert.status === wanted).map(({ labels }) => labels.toString())
  return { atMs, status, firing: of('firing'), resolved: of('resolved') }
}

export function deliveryLine({ atMs, status, firing, resolved }: ExpectedDelivery, startMs: number): string {
  const list = (labels: readonly string[]): string => `[${labels.toSorted().join(' ')}]`
  return `at ${printDurationMs(atMs - startMs)} ${status}, firing ${list(firing)}, resolved ${list(resolved)}`
}
