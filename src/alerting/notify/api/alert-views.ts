import { SluiceError, regexpFault, Regex } from '../../../base/index.ts'
import { compareText, type Labels } from '../../../data/index.ts'
import type { LabelMatcher } from '../../../plan/index.ts'
import { compileMatchers, parseMatcher, type LabelTest } from '../../matchers/index.ts'
import type { Dispatcher } from '../dispatcher.ts'
import { compareAlertLabels, fingerprintOf } from '../fingerprint.ts'
import { groupLabels } from '../group.ts'
import type { RoutedAlert } from '../types.ts'
import { Refusal } from './refusal.ts'
import { printTime } from './times.ts'

/** Values of boolean parameters that Alertmanager treats as true; all others are false. */
const TRUE = new Set(['true', '1', 'yes', 'ok', 'y', 'on', 'selected', 'checked', 't', 'enabled'])

/**
 * Returns the error of a pattern as Alertmanager words it, with the pattern in compiled form; `''` if the pattern is
 * valid.
 */
function patternFault(pattern: string): string {
  const fault = regexpFault(`^(?:${pattern})$`)
  return fault === undefined ? '' : `error parsing regexp: ${fault}`
}

/** Returns the matchers of the `filter` parameters, which must all match. Throws Refusal. */
export function filterOf(query: URLSearchParams): readonly LabelMatcher[] {
  try {
    return query.getAll('filter').map(parseMatcher)
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    const pattern = error.diagnostics[0]?.data['pattern']
    throw new Refusal(400, typeof pattern === 'string' ? patternFault(pattern) : error.message)
  }
}

function receiverTest(query: URLSearchParams): (name: string) => boolean {
  const pattern = query.get('receiver')
  if (pattern === null) return () => true
  const fault = patternFault(pattern)
  if (fault !== '') throw new Refusal(400, `failed to parse receiver param: ${fault}`)
  const regex = Regex.compile(pattern, { isWhole: true, dotMatchesNewline: false })
  return (name) => regex.test(name)
}

interface AlertView {
  readonly alert: RoutedAlert
  readonly json: object
}

/** Selects active alerts by the request parameters, with the receivers that match. */
class AlertQuery {
  readonly #dispatcher: Dispatcher
  readonly #nowMs: number
  readonly #matches: LabelTest
  readonly #shows: Readonly<Record<'active' | 'silenced' | 'inhibited', boolean>>
  readonly isReceiver: (name: string) => boolean

  constructor(dispatcher: Dispatcher, query: URLSearchParams, nowMs: number) {
    const flag = (name: string): boolean => TRUE.has(query.get(name)?.toLowerCase() ?? 'true')
    this.#dispatcher = dispatcher
    this.#nowMs = nowMs
    this.#matches = compileMatchers(filterOf(query))
    this.isReceiver = receiverTest(query)
    this.#shows = { active: flag('active'), silenced: flag('silenced'), inhibited: flag('inhibited') }
  }

  views(): readonly AlertView[] {
    return this.#dispatcher.alerts().flatMap((alert) => this.#view(alert) ?? [])
  }

  #view(alert: RoutedAlert): AlertView | undefined {
    const { labels, annotations, startsAtMs, endsAtMs, updatedAtMs = startsAtMs, generatorUrl } = alert
    if (endsAtMs < this.#nowMs || !this.#matches(labels)) return undefined
    const { silencedBy, inhibitedBy } = this.#dispatcher.muteState(labels, this.#nowMs)
    const isActive = silencedBy.length === 0 && inhibitedBy.length === 0
    const { active, silenced, inhibited } = this.#shows
    if ((!active && isActive) || (!silenced && silencedBy.length > 0) || (!inhibited && inhibitedBy.length > 0))
      return undefined
    const json = {
      annotations: annotations.toRecord(),
      // The API cannot express an unknown end. The year 9999 is the last one that clients accept.
      endsAt: endsAtMs === Infinity ? '9999-12-31T23:59:59.000Z' : printTime(endsAtMs),
      fingerprint: fingerprintOf(labels),
      receivers: receiversOf(this.#dispatcher, alert).map((name) => ({ name })),
      startsAt: printTime(startsAtMs),
      status: { inhibitedBy, mutedBy: [], silencedBy, state: isActive ? 'active' : 'suppressed' },
      updatedAt: printTime(updatedAtMs),
      generatorURL: generatorUrl,
      labels: labels.toRecord(),
    }
    return { alert, json }
  }
}

function receiversOf(dispatcher: Dispatcher, alert: RoutedAlert): readonly string[] {
  return dispatcher.routesOf(alert).map(([, { name }]) => name)
}

/** Returns the answer of `GET /api/v2/alerts`, sorted by fingerprint. Throws Refusal. */
export function listAlerts(dispatcher: Dispatcher, query: URLSearchParams, nowMs: number): readonly object[] {
  const alerts = new AlertQuery(dispatcher, query, nowMs)
  return alerts
    .views()
    .filter(({ alert }) => receiversOf(dispatcher, alert).some(alerts.isReceiver))
    .toSorted((a, b) => compareText(fingerprintOf(a.alert.labels), fingerprintOf(b.alert.labels)))
    .map(({ json }) => json)
}

interface GroupView {
  readonly labels: Labels
  readonly receiver: string
  readonly views: AlertView[]
}

/** Returns the answer of `GET /api/v2/alerts/groups`: the alerts of each route by group labels. Throws Refusal. */
export function listGroups(dispatcher: Dispatcher, query: URLSearchParams, nowMs: number): readonly object[] {
  const alerts = new AlertQuery(dispatcher, query, nowMs)
  const groups = new Map<string, GroupView>()
  for (const view of alerts.views()) {
    for (const [route, receiver] of dispatcher.routesOf(view.alert)) {
      if (!alerts.isReceiver(receiver.name)) continue
      const labels = groupLabels(route, view.alert.labels)
      const key = `${route.key} ${labels.key}`
      const group = groups.get(key) ?? { labels, receiver: receiver.name, views: [] }
      group.views.push(view)
      groups.set(key, group)
    }
  }
  return [...groups.values()]
    .toSorted((a, b) => compareAlertLabels(a.labels, b.labels) || compareText(a.receiver, b.receiver))
    .map(({ labels, receiver, views }) => ({
      labels: labels.toRecord(),
      receiver: { name: receiver },
      alerts: views.toSorted((a, b) => compareAlertLabels(a.alert.labels, b.alert.labels)).map(({ json }) => json),
    }))
}
