import type { KeyValue } from '../messages.ts'

/** The value of an attribute with its type, as it was sent. */
export type AttributeValue =
  | { readonly type: 'string'; readonly value: string }
  /** A signed integer of 64 bits. */
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'array'; readonly value: readonly AttributeValue[] }
  | { readonly type: 'map'; readonly value: Attributes }
  /** `value` is base64. */
  | { readonly type: 'bytes'; readonly value: string }
  /** An attribute that was sent without a value. */
  | { readonly type: 'empty' }

/** Attributes by name, in no particular order. */
export type Attributes = ReadonlyMap<string, AttributeValue>

export type SpanKind = 'unspecified' | 'internal' | 'server' | 'client' | 'producer' | 'consumer'
export type SpanStatus = 'unset' | 'ok' | 'error'

export interface SpanEvent {
  /** Time of the event, nanoseconds since 1970. */
  readonly timeNs: bigint
  readonly name: string
  readonly attributes: Attributes
}

export interface SpanLink {
  /** Trace id in lower-case hex. */
  readonly traceId: string
  readonly spanId: string
  readonly traceState: string
  readonly attributes: Attributes
}

export interface InstrumentationScope {
  readonly name: string
  readonly version: string
  readonly attributes: Attributes
}

/** A span restored from a row of the table `spans`. Strings that were not sent are empty. */
export interface StoredSpan {
  /** Trace id in lower-case hex. */
  readonly traceId: string
  readonly spanId: string
  /** Id of the parent span in lower-case hex; empty for a root span. */
  readonly parentId: string
  readonly name: string
  readonly kind: SpanKind
  readonly status: SpanStatus
  readonly statusMessage: string
  /** Start of the span, nanoseconds since 1970. */
  readonly startNs: bigint
  /** Duration in nanoseconds; 0 if the span has no end. */
  readonly durationNs: bigint
  readonly traceState: string
  /** Attributes of the span, without those of its resource and scope. */
  readonly attributes: Attributes
  readonly resource: Attributes
  readonly scope: InstrumentationScope
  readonly events: readonly SpanEvent[]
  readonly links: readonly SpanLink[]
}

/**
 * Content of the fields `otlp` and `otlp_shared` of a row: details of the span, its resource and its scope that no
 * other field can represent. Attributes are in OTLP/JSON.
 */
export interface OtlpField {
  readonly attributes?: readonly KeyValue[] | undefined
  readonly resource?: readonly KeyValue[] | undefined
  readonly scope?: readonly KeyValue[] | undefined
  /**
   * Names of attributes that were sent as doubles with whole values, which their fields cannot distinguish from
   * integers.
   */
  readonly doubles?: readonly string[] | undefined
  readonly traceState?: string | undefined
  readonly durationNs?: string | undefined
}
