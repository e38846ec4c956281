import { printJsonExact, type PlainJson } from '../../data/index.ts'
import type { StoredDocument } from '../document-store.ts'
import { monitorDurationNs } from './duration.ts'

/** A monitor in the form that Prometheus's API has for alerting rules. */
export interface HeldMonitor {
  readonly id: string
  readonly title: string
  /** Text of each query: as written, or as JSON if it is an object. */
  readonly queries: readonly string[]
  /** Seconds between two evaluations; 0 if not given. */
  readonly intervalSeconds: number
  readonly pendingSeconds: number
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

function memberOf(value: PlainJson | undefined, name: string): PlainJson | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return (value as Readonly<Record<string, PlainJson>>)[name]
}

function textOf(value: PlainJson | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : printJsonExact(value)
}

function textsOf(value: PlainJson | undefined): Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, textOf(text)]))
}

function secondsOf(value: PlainJson | undefined): number {
  return typeof value === 'string' ? Number(monitorDurationNs(value) ?? 0n) / 1e9 : 0
}

export function heldMonitor({ id, body }: StoredDocument): HeldMonitor {
  const queries = memberOf(body['model'], 'queries')
  const times = body['evaluationInterval']
  const severity = textOf(body['severity'])
  return {
    id,
    title: textOf(body['title']) || id,
    queries: (Array.isArray(queries) ? queries : []).map((query: PlainJson) =>
      textOf(memberOf(query, 'expression') ?? memberOf(query, 'pipeline') ?? memberOf(query, 'sqlPipeline')),
    ),
    intervalSeconds: secondsOf(memberOf(times, 'interval')),
    pendingSeconds: secondsOf(memberOf(times, 'pendingFor')),
    labels: { ...(severity === '' ? {} : { severity }), ...textsOf(body['labels']) },
    annotations: textsOf(body['annotations']),
  }
}
