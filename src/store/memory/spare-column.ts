import type { Bytes } from '../../base/index.ts'

/**
 * Buffers that a builder no longer needs after its rows were sealed, for the next builder of the field. Contents
 * undefined.
 */
export interface SpareColumn {
  readonly codes: Uint32Array<ArrayBuffer>
  readonly numbers: Float64Array<ArrayBuffer>
  readonly bytes: Bytes
  readonly ends: Uint32Array<ArrayBuffer>
  readonly rows: Uint32Array<ArrayBuffer>
}

/** Returns the bytes of the buffers. */
export function spareBytes({ codes, numbers, bytes, ends, rows }: SpareColumn): number {
  return codes.byteLength + numbers.byteLength + bytes.length + ends.byteLength + rows.byteLength
}
