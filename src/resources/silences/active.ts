import { parseRfc3339 } from '../../base/index.ts'
import type { DocumentBody } from '../document-store.ts'

interface Span {
  readonly startNs: bigint
  readonly endNs: bigint
}

/** Parsed times, cached by body, since bodies are immutable and lists inspect all silences. */
const spans = new WeakMap<DocumentBody, Span>()

function spanOf(body: DocumentBody): Span {
  let span = spans.get(body)
  if (span === undefined) spans.set(body, (span = { startNs: timeOf(body, 'startsAt'), endNs: timeOf(body, 'endsAt') }))
  return span
}

function timeOf(body: DocumentBody, name: string): bigint {
  const text = body[name]
  return (typeof text === 'string' ? parseRfc3339(text) : undefined) ?? 0n
}

export function startsAtNs(body: DocumentBody): bigint {
  return spanOf(body).startNs
}

export function endsAtNs(body: DocumentBody): bigint {
  return spanOf(body).endNs
}

/** True from the start of a silence (inclusive) to its end (exclusive). */
export function isActive(body: DocumentBody, nowNs: bigint): boolean {
  return startsAtNs(body) <= nowNs && nowNs < endsAtNs(body)
}
