import { Labels } from '../../../data/index.ts'
import { completeTimes } from '../merge.ts'
import type { RoutedAlert } from '../types.ts'
import { invalid, memberOf, missing, typed } from './refusal.ts'
import { timeAt } from './times.ts'

const WHAT = 'alerts'

/** Valid alerts of a body, and the errors of the others. */
export interface PostedAlerts {
  readonly alerts: readonly RoutedAlert[]
  readonly faults: readonly string[]
}

function pairsAt(
  object: Readonly<Record<string, unknown>>,
  name: string,
): Readonly<Record<string, string>> | undefined {
  const record = typed(WHAT, memberOf(object, name), 'object', name)
  if (record === undefined) return undefined
  const pairs = Object.entries(record).map(([key, value]) => [
    key,
    typed(WHAT, value, 'string', `${name}.${key}`) ?? '',
  ])
  return Object.fromEntries(pairs) as Readonly<Record<string, string>>
}

function isUri(text: string): boolean {
  return text.startsWith('/') || URL.canParse(text)
}

function faultOf({ startsAtMs, endsAtMs }: RoutedAlert, labels: Labels): string | undefined {
  if (endsAtMs < startsAtMs) return 'start time must be before end time'
  if (labels.size === 0) return 'at least one label pair required'
  return labels.has('') ? 'invalid label set: invalid name ""' : undefined
}

/**
 * Decodes the body of `POST /api/v2/alerts`. An alert without an end ends after `resolveTimeoutMs`. Throws Refusal if
 * the body has another form.
 */
export function decodePostedAlerts(body: unknown, nowMs: number, resolveTimeoutMs: number): PostedAlerts {
  if (body === undefined) throw missing('alerts')
  const items = typed(WHAT, body, 'array', 'alerts') ?? []
  const read = items.map((item, i) => {
    const object = typed(WHAT, item, 'object', String(i)) ?? {}
    const generatorUrl = typed(WHAT, memberOf(object, 'generatorURL'), 'string', 'generatorURL') ?? ''
    const labels = pairsAt(object, 'labels')
    const [startsAtMs, endsAtMs] = [timeAt(WHAT, object, 'startsAt'), timeAt(WHAT, object, 'endsAt')]
    const annotations = Labels.of(pairsAt(object, 'annotations') ?? {})
    if (generatorUrl !== '' && !isUri(generatorUrl))
      throw invalid('type', `${i}.generatorURL in body must be of type uri: ${JSON.stringify(generatorUrl)}`)
    if (labels === undefined) throw missing(`${i}.labels`)
    const alert = { labels: Labels.of(labels), annotations, startsAtMs, endsAtMs, generatorUrl }
    return completeTimes(alert, nowMs, resolveTimeoutMs)
  })
  const faults = read.map((alert) => faultOf(alert, alert.labels))
  return {
    alerts: read.filter((_, i) => faults[i] === undefined),
    faults: faults.filter((fault) => fault !== undefined),
  }
}
