import type { Attributes, StoredSpan } from '../../../src/ingest/otlp/stored/index.ts'

const none: Attributes = new Map()

/** Creates a span with the given properties. */
export function span(spanId: string, given: Partial<StoredSpan> = {}): StoredSpan {
  return {
    traceId: '1',
    spanId,
    parentId: '',
    name: spanId,
    kind: 'internal',
    status: 'unset',
    statusMessage: '',
    startNs: 1_000_000_000n,
    durationNs: 1_000_000n,
    traceState: '',
    attributes: none,
    resource: none,
    scope: { name: '', version: '', attributes: none },
    events: [],
    links: [],
    ...given,
  }
}
