import {
  Dispatcher,
  NotificationLog,
  SilenceSet,
  completeTimes,
  readNotifyConfig,
  webhookPayload,
  type Delivery,
} from '../../src/alerting/notify/index.ts'
import { Labels } from '../../src/data/index.ts'
import type { LabelMatcher } from '../../src/plan/index.ts'
import { readCases } from './alerts-cases.ts'
import { checkAll, type Outcome, type Vector, type Verdict } from './outcome.ts'

type Pairs = Readonly<Record<string, string>>

interface PostedAlert {
  readonly labels: Pairs
  readonly annotations?: Pairs
  readonly starts: number | null
  readonly ends: number | null
  readonly generatorURL?: string
}

interface Event {
  readonly at: number
  readonly post?: readonly PostedAlert[]
  readonly silence?: string
  readonly starts?: number
  readonly ends?: number
  readonly matchers?: readonly { readonly name: string; readonly op: LabelMatcher['op']; readonly value: string }[]
  readonly expire?: string
  readonly answers?: readonly number[]
}

interface ExpectedDelivery {
  readonly at: number
  readonly to: string
  readonly answered: number
  readonly alerts: readonly { readonly startsAt: number; readonly endsAt: number | null }[]
}

interface RouteOptions {
  readonly group_by?: readonly string[]
  readonly group_wait?: number
  readonly group_interval?: number
  readonly repeat_interval?: number
  readonly continue?: boolean
}

interface DeliveryCase extends Vector {
  readonly id: string
  readonly tags: readonly string[]
  readonly route: RouteOptions
  readonly receiver: { readonly send_resolved: boolean; readonly max_alerts?: number }
  readonly routes: readonly (RouteOptions & { readonly match: string; readonly to: string })[]
  readonly inhibit: readonly { readonly source: string; readonly target: string; readonly equal: readonly string[] }[]
  readonly events: readonly Event[]
  readonly until: number
  readonly deliveries: readonly ExpectedDelivery[]
}

/** Time zero of a case in ms since 1970. */
const ZERO_MS = 1_800_000_000_000
const TOLERANCE_S = 0.3
const RETRY_TOLERANCE_S = 1
/** Replaces the random number of every retry pause. The value brings the pauses close to the recorded ones. */
const RANDOM = 0.6
/** Most steps of one case. A dispatcher that takes more is assumed to loop forever. */
const MAX_STEPS = 1_000

const DURATIONS = ['group_wait', 'group_interval', 'repeat_interval'] as const

function routeOf(options: RouteOptions): Record<string, unknown> {
  const times = DURATIONS.flatMap((name) => (options[name] === undefined ? [] : [[name, `${options[name]}s`]]))
  const { group_by, continue: isContinued } = options
  return { ...Object.fromEntries(times), ...(group_by && { group_by }), ...(isContinued && { continue: true }) }
}

/** Returns the name under which a receiver of the vectors is configured; the vectors call the default receiver `''`. */
const nameOf = (to: string): string => (to === '' ? 'main' : to)

/**
 * Returns the configuration of the recording. Its route below the root matches the id of the case, so group keys begin
 * with that id.
 */
function configOf(vector: DeliveryCase, resolveTimeout: string) {
  const receivers = new Set(['', ...vector.routes.map(({ to }) => to)])
  const routes = vector.routes.map((child) => ({
    ...routeOf(child),
    matchers: [child.match],
    receiver: nameOf(child.to),
  }))
  const text = JSON.stringify({
    global: { resolve_timeout: resolveTimeout },
    route: {
      receiver: 'main',
      routes: [{ matchers: [`case="${vector.id}"`], receiver: 'main', ...routeOf(vector.route), routes }],
    },
    inhibit_rules: vector.inhibit.map(({ source, target, equal }) => ({
      source_matchers: [source],
      target_matchers: [target],
      equal,
    })),
    receivers: [...receivers].map((to) => ({
      name: nameOf(to),
      webhook_configs: [{ url: 'http://hook.example.com/', ...vector.receiver }],
    })),
  })
  return readNotifyConfig(text, () => '')
}

function relative(text: string): number | null {
  return text.startsWith('0001') ? null : (Date.parse(text) - ZERO_MS) / 1000
}

/** Converts a delivery to the form of the vectors. */
function recordOf(delivery: Delivery, id: string, answered: number, nowMs: number) {
  const { integration } = delivery
  const max = integration.kind === 'webhook' && integration.maxAlerts > 0 ? integration.maxAlerts : Infinity
  const payload = webhookPayload(delivery, max)
  const withoutCase = ({ case: _, ...others }: Pairs): Pairs => others
  return {
    at: (nowMs - ZERO_MS) / 1000,
    to: delivery.receiver === 'main' ? '' : delivery.receiver,
    answered,
    status: payload.status,
    groupLabels: { ...payload.groupLabels },
    commonLabels: withoutCase(payload.commonLabels),
    commonAnnotations: { ...payload.commonAnnotations },
    groupKey: payload.groupKey.replaceAll(id, 'CASE'),
    truncatedAlerts: payload.truncatedAlerts,
    alerts: payload.alerts.map((alert) => ({
      status: alert.status,
      labels: withoutCase(alert.labels),
      annotations: { ...alert.annotations },
      startsAt: relative(alert.startsAt),
      endsAt: relative(alert.endsAt),
      ...(alert.generatorURL === '' ? {} : { generatorURL: alert.generatorURL }),
    })),
  }
}

type Recorded = ReturnType<typeof recordOf>

function run(vector: DeliveryCase, resolveTimeout: string): readonly Recorded[] {
  const config = configOf(vector, resolveTimeout)
  const silences = new SilenceSet()
  const dispatcher = new Dispatcher(config, silences, new NotificationLog(), { random: () => RANDOM })
  const answers: number[] = []
  const found: Recorded[] = []
  const advanceTo = (untilMs: number, isIncluded: boolean): void => {
    for (let steps = 0; ; steps++) {
      if (steps > MAX_STEPS) throw new Error('the dispatcher does not come to rest')
      const nowMs = dispatcher.nextWakeMs
      if (isIncluded ? nowMs > untilMs : nowMs >= untilMs) return
      for (const delivery of dispatcher.advance(nowMs)) {
        const answered = answers.shift() ?? 200
        found.push(recordOf(delivery, vector.id, answered, nowMs))
        const isLater = answered >= 500 || answered === 429
        const reason = `status ${answered}`
        dispatcher.answered(
          delivery,
          answered < 300 ? { kind: 'success' } : { kind: isLater ? 'retry' : 'failed', reason },
          nowMs,
        )
      }
    }
  }
  const msOf = (seconds: number): number => ZERO_MS + Math.round(seconds * 1000)
  for (const event of vector.events) {
    const nowMs = msOf(event.at)
    advanceTo(nowMs, false)
    answers.push(...(event.answers ?? []))
    if (event.silence !== undefined) {
      const matchers = (event.matchers ?? []).map(({ name, op, value }) => ({ label: name, op, value }))
      silences.set({
        id: event.silence,
        startsAtMs: msOf(event.starts ?? event.at),
        endsAtMs: msOf(event.ends ?? 0),
        matchers,
      })
    }
    if (event.expire !== undefined) silences.delete(event.expire)
    const alerts = (event.post ?? []).map(({ labels, annotations = {}, starts, ends, generatorURL = '' }) =>
      completeTimes(
        {
          labels: Labels.of({ ...labels, case: vector.id }),
          annotations: Labels.of(annotations),
          startsAtMs: starts === null ? undefined : msOf(starts),
          endsAtMs: ends === null ? undefined : msOf(ends),
          generatorUrl: generatorURL,
        },
        nowMs,
        config.resolveTimeoutMs,
      ),
    )
    dispatcher.receive(alerts, nowMs)
  }
  advanceTo(msOf(vector.until), true)
  return found
}

/** True if two values are deeply equal, where numbers may differ by the tolerance. */
function isAlike(a: unknown, b: unknown, tolerance: number): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) <= tolerance + 1e-9
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].every((name) => isAlike(a[name as never], b[name as never], tolerance))
}

function compare(vector: DeliveryCase, found: readonly Recorded[]): Verdict {
  const tolerance = vector.tags.includes('retry') ? RETRY_TOLERANCE_S : TOLERANCE_S
  const left = [...found]
  for (const [i, expected] of vector.deliveries.entries()) {
    // Ruling M56 of the monitor specification: after status 429, the next attempt follows a pause instead of waiting
    // for the next flush.
    const isAfter429 = vector.deliveries[i - 1]?.answered === 429
    const index = left.findIndex((each) =>
      isAlike(isAfter429 ? { ...each, at: expected.at } : each, expected, tolerance),
    )
    if (index === -1) return { failure: `expected ${JSON.stringify(expected)}, left ${JSON.stringify(left)}` }
    left.splice(index, 1)
  }
  return left.length === 0 ? undefined : { failure: `unexpected ${JSON.stringify(left)}` }
}

/** Checks which deliveries a dispatcher makes, and at which times of a virtual clock. */
export async function checkAlertDelivery(directory: string): Promise<readonly Outcome[]> {
  const file = readCases<DeliveryCase>(directory, 'delivery.json')
  if (file === undefined) return []
  const { resolve_timeout: resolveTimeout } = file.others['settings'] as { readonly resolve_timeout: string }
  return [await checkAll('delivery.json', file.cases, (vector) => compare(vector, run(vector, resolveTimeout)))]
}
