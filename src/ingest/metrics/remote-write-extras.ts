import type protobuf from 'protobufjs'
import { toNumber } from '../protobuf.ts'

type Reader = protobuf.Reader

/** An exemplar of a series; `labels` reads a field of its labels, which both versions write in their own way. */
export function readExemplar(
  reader: Reader,
  end: number,
  labels: (wireType: number) => void,
): { readonly value: number; readonly timeMs: number } {
  let value = 0
  let timeMs = 0
  while (reader.pos < end) {
    const tag = reader.uint32()
    const field = tag >>> 3
    if (field === 1) labels(tag & 7)
    else if (field === 2) value = reader.double()
    else if (field === 3) timeMs = toNumber(reader.int64())
    else reader.skipType(tag & 7)
  }
  return { value, timeMs }
}

/** What version 2 tells of a series' metric: a type, and where its texts stand among the symbols. */
export interface SeriesMetadata {
  readonly type: number
  readonly helpRef: number
  readonly unitRef: number
}

export function readSeriesMetadata(reader: Reader, end: number): SeriesMetadata {
  let type = 0
  let helpRef = 0
  let unitRef = 0
  while (reader.pos < end) {
    const tag = reader.uint32()
    const field = tag >>> 3
    if (field === 1) type = reader.int32()
    else if (field === 3) helpRef = reader.uint32()
    else if (field === 4) unitRef = reader.uint32()
    else reader.skipType(tag & 7)
  }
  return { type, helpRef, unitRef }
}
