import { parseRfc3339 } from '../../base/index.ts'
import type { Body } from '../document-store.ts'

function timeOf(body: Body, name: string): bigint {
  const text = body[name]
  return (typeof text === 'string' ? parseRfc3339(text) : undefined) ?? 0n
}

export function startsAtNs(body: Body): bigint {
  return timeOf(body, 'startsAt')
}

export function endsAtNs(body: Body): bigint {
  return timeOf(body, 'endsAt')
}

/** Whether a silence holds at an instant: from its start on, up to and without its end, to the nanosecond. */
export function isActive(body: Body, nowNs: bigint): boolean {
  return startsAtNs(body) <= nowNs && nowNs < endsAtNs(body)
}
