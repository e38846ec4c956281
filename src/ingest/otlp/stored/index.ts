export { firstField, otlpJson, otlpTrace, protobufJson, traceBytes } from './encode.ts'
export { OTLP_FIELDS, STORED_FIELDS, isAttributeField } from './fields.ts'
export { RESOURCE_OF_FIELDS, spanOf, storedSpan } from './read.ts'
export type {
  AttributeValue,
  Attributes,
  InstrumentationScope,
  SpanEvent,
  SpanKind,
  SpanLink,
  SpanStatus,
  StoredSpan,
} from './span.ts'
