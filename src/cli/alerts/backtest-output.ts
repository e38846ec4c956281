import { STATES, type BacktestReport } from '../../alerting/backtest/index.ts'
import { MS_NS, formatDurationNs, formatRfc3339 } from '../../base/index.ts'
import { printJsonExact } from '../../data/index.ts'

function timeOf(ms: number): string {
  return formatRfc3339(BigInt(ms) * MS_NS, true)
}

function sharesOf({ roundsByState, rounds }: BacktestReport): readonly (readonly [state: string, share: number])[] {
  return STATES.flatMap((state) => {
    const count = roundsByState.get(state)
    return count === undefined ? [] : [[state, count / rounds] as const]
  })
}

/**
 * Formats a report for people: the range, a line for each transition, notifications, and the share of time in each
 * state.
 */
export function reportText(report: BacktestReport): string {
  const { alertName, intervalMs, rounds, firstMs, lastMs, transitions, omittedTransitions, notifications, errors } =
    report
  const every = formatDurationNs(BigInt(intervalMs) * MS_NS)
  const lines = [`${alertName}: ${rounds} rounds, one each ${every}, from ${timeOf(firstMs)} to ${timeOf(lastMs)}`]
  for (const { atMs, labels, from, to, reason } of transitions) {
    const why = reason === undefined ? '' : ` (${reason})`
    lines.push(`${timeOf(atMs)}  ${from} -> ${to}${why}  ${labels.toString()}`)
  }
  if (transitions.length === 0) lines.push('no transitions')
  if (omittedTransitions > 0) lines.push(`${omittedTransitions} more transitions`)
  for (const [receiver, { firing, resolved }] of notifications) {
    const to = notifications.size === 1 ? '' : ` to ${receiver}`
    lines.push(`notifications${to}: ${firing + resolved} (${firing} firing, ${resolved} resolved)`)
  }
  if (errors !== undefined)
    lines.push(`errors: ${errors.rounds} rounds, the first at ${timeOf(errors.firstMs)}: ${errors.message}`)
  const shares = sharesOf(report).map(([state, share]) => `${state} ${(share * 100).toFixed(2)} %`)
  return [...lines, `time in states: ${shares.join(', ')}`, ''].join('\n')
}

/** Formats a report as one JSON object; times are RFC 3339, shares of time are between 0 and 1. */
export function reportJson(report: BacktestReport): string {
  const { alertName, intervalMs, rounds, firstMs, lastMs, omittedTransitions, errors } = report
  return printJsonExact({
    title: alertName,
    interval: formatDurationNs(BigInt(intervalMs) * MS_NS),
    rounds,
    first: timeOf(firstMs),
    last: timeOf(lastMs),
    transitions: report.transitions.map(({ atMs, labels, from, to, reason }) => ({
      at: timeOf(atMs),
      from,
      to,
      reason: reason ?? null,
      labels: labels.toRecord(),
    })),
    omittedTransitions,
    notifications: Object.fromEntries([...report.notifications].map(([name, counts]) => [name, { ...counts }])),
    errors:
      errors === undefined ? null : { rounds: errors.rounds, first: timeOf(errors.firstMs), message: errors.message },
    shares: Object.fromEntries(sharesOf(report)),
  })
}
