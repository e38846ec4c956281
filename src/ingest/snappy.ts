import snappy from 'snappyjs'
import { Bytes, WasmKernel } from '../base/index.ts'
import { SLACK_BYTES, unpackSnappyModule } from './wasm/unpack-snappy.ts'

/** Larger blocks are left to the package, so that no thread keeps memory for them. */
const MOST_KERNEL_BYTES = 4 * 1024 * 1024
const STATE_BYTES = 16

let kernel: WasmKernel | undefined

/** What the elements from a place on unpack to; `undefined` where that is not of the length that was told. */
function unpackedByKernel(body: Uint8Array, from: number, length: number): Uint8Array | undefined {
  kernel ??= new WasmKernel(unpackSnappyModule())
  const end = STATE_BYTES + body.length
  const out = end + SLACK_BYTES
  const memory: Bytes = kernel.bytes(out + length + SLACK_BYTES)
  memory.fill(0, 0, STATE_BYTES)
  memory.set(body, STATE_BYTES)
  kernel.run(STATE_BYTES + from, end, out, out + length, 0)
  return memory[0] === 1 ? new Uint8Array(memory.subarray(out, out + length)) : undefined
}

/** What the elements of a packed block add up to; `undefined` when one of them is cut short. */
function unpackedLength(body: Uint8Array, from: number): number | undefined {
  let at = from
  let length = 0
  while (at < body.length) {
    const tag = body[at++] ?? 0
    const kind = tag & 3
    if (kind !== 0) {
      // A copy: its offset takes one, two or four bytes.
      length += kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1
      at += kind === 1 ? 1 : kind === 2 ? 2 : 4
      if (at > body.length) return undefined
      continue
    }
    let size = (tag >> 2) + 1
    if (size > 60) {
      const bytes = size - 60
      if (at + bytes > body.length) return undefined
      size = 1
      for (let i = 0; i < bytes; i++) size += (body[at + i] ?? 0) * 2 ** (8 * i)
      at += bytes
    }
    at += size
    length += size
    if (at > body.length) return undefined
  }
  return length
}

/**
 * The content of a block of Snappy. The package does not mind a block that ends before its announced length, so that is
 * looked at first. Throws an Error that says what is wrong.
 */
export function unpackSnappy(body: Uint8Array, limitBytes: number): Uint8Array {
  let announced = 0
  let at = 0
  for (; ; at++) {
    const byte = body[at]
    if (byte === undefined || at > 4) throw new Error('its length cannot be read')
    announced += (byte & 127) * 2 ** (7 * at)
    if (byte < 128) break
  }
  if (announced > limitBytes) throw new Error(`it unpacks to more than ${limitBytes} bytes`)
  const isForKernel = announced <= MOST_KERNEL_BYTES && body.length <= MOST_KERNEL_BYTES
  const unpacked = isForKernel ? unpackedByKernel(body, at + 1, announced) : undefined
  if (unpacked !== undefined) return unpacked
  if (unpackedLength(body, at + 1) !== announced) throw new Error('it is cut short or too long')
  if (isForKernel) throw new Error('it refers to bytes that are not there')
  return snappy.uncompress(body, limitBytes)
}

/** A block of Snappy. */
export function packSnappy(bytes: Uint8Array): Uint8Array {
  return snappy.compress(bytes)
}
