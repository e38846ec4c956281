import type { Bytes } from '../../base/index.ts'

/** What a builder has left whose rows are sealed, for the next one of its field. Anything may be in it. */
export interface SpareColumn {
  readonly codes: Uint32Array<ArrayBuffer>
  readonly numbers: Float64Array<ArrayBuffer>
  readonly bytes: Bytes
  readonly ends: Uint32Array<ArrayBuffer>
  readonly rows: Uint32Array<ArrayBuffer>
}

/** In bytes. */
export function spareBytes({ codes, numbers, bytes, ends, rows }: SpareColumn): number {
  return codes.byteLength + numbers.byteLength + bytes.length + ends.byteLength + rows.byteLength
}
