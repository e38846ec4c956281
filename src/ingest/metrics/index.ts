/** Readers of metric samples, in a separate folder so that reading logs does not load protobuf. */
export * from './exposition.ts'
export * from './metric-lines.ts'
export * from './metric-sample.ts'
export * from './print-metric-lines.ts'
export { LENGTH_DELIMITED, STALE_HIGH, STALE_LOW, toNumber, VARINT } from '../protobuf.ts'
export * from './remote-write.ts'
export * from '../snappy.ts'
