import type { ElementType } from '../layout.ts'

export type Elements = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array

export const elementBytes: { readonly [T in ElementType]: number } = { u8: 1, u16: 2, u32: 4, i32: 4, f64: 8 }

export function typeOf(array: Elements): ElementType {
  if (array instanceof Uint8Array) return 'u8'
  if (array instanceof Uint16Array) return 'u16'
  if (array instanceof Uint32Array) return 'u32'
  return array instanceof Int32Array ? 'i32' : 'f64'
}

export function bytesOf(array: Elements): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}

export function emptyArray(type: ElementType, length: number): Elements {
  switch (type) {
    case 'u8':
      return new Uint8Array(length)
    case 'u16':
      return new Uint16Array(length)
    case 'u32':
      return new Uint32Array(length)
    case 'i32':
      return new Int32Array(length)
    case 'f64':
      return new Float64Array(length)
  }
}
