import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { Transform } from 'node:stream'

/** Content encodings of answers. */
export type Packing = 'br' | 'zstd' | 'gzip'

interface Packer {
  /** Compresses a body at once, for repeated use. */
  readonly whole: (bytes: Uint8Array) => Promise<Uint8Array>
  /** Compresses a stream for one waiting client. */
  readonly stream: () => Transform
}

/** Zstandard is available in Node from 22.15 on. */
const { zstdCompress, createZstdCompress } = zlib as Partial<Pick<typeof zlib, 'zstdCompress' | 'createZstdCompress'>>

const brotli = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)

/** Brotli qualities: the highest that takes about as long as gzip, and one for answers that a client waits for. */
const WHOLE_QUALITY = 9
const STREAM_QUALITY = 4

/**
 * Zstandard level for answers that a client waits for. For log lines this level is twice as fast as the default level,
 * and the compression ratio is 4.4 instead of 4.6.
 */
const STREAM_LEVEL = 1

function quality(value: number): zlib.BrotliOptions {
  return { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: value } }
}

const packers = new Map<Packing, Packer>([
  [
    'br',
    {
      whole: (bytes) => brotli(bytes, quality(WHOLE_QUALITY)),
      stream: () => zlib.createBrotliCompress(quality(STREAM_QUALITY)),
    },
  ],
  ['gzip', { whole: (bytes) => gzip(bytes), stream: () => zlib.createGzip() }],
])
if (zstdCompress !== undefined && createZstdCompress !== undefined)
  packers.set('zstd', {
    whole: promisify(zstdCompress),
    stream: () => createZstdCompress({ params: { [zlib.constants.ZSTD_c_compressionLevel]: STREAM_LEVEL } }),
  })

function packerOf(packing: Packing): Packer {
  const packer = packers.get(packing)
  if (packer === undefined) throw new RangeError(`nothing packs ${packing}`)
  return packer
}

/** Compresses bytes in a thread of the system's pool. */
export async function packed(bytes: Uint8Array, packing: Packing): Promise<Uint8Array> {
  return packerOf(packing).whole(bytes)
}

/** Returns a stream that compresses in a thread of the system's pool. */
export function newPacker(packing: Packing): Transform {
  return packerOf(packing).stream()
}

/** Flushes a compressing stream. Resolves when the output for all input has been emitted. */
export function flushPacker(packer: Transform): Promise<void> {
  const { flush } = packer as unknown as { readonly flush: (done: () => void) => void }
  return new Promise((resolve) => flush.call(packer, resolve))
}

/** Weights in an `Accept-Encoding` header by encoding. */
function weights(header: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const entry of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    const value = weight === undefined ? 1 : Number(weight.slice(2))
    if (name !== '') found.set(name, Number.isFinite(value) ? value : 0)
  }
  return found
}

/**
 * Returns the encoding with the highest weight in an `Accept-Encoding` header; among equal weights, the first in
 * `preferred`.
 */
export function packingFor(header: string | null, preferred: readonly Packing[]): Packing | undefined {
  if (header === null) return undefined
  const given = weights(header)
  const weightOf = (name: string): number => given.get(name) ?? given.get('*') ?? 0
  let best: Packing | undefined
  let bestWeight = 0
  for (const packing of preferred) {
    const weight = packers.has(packing) ? weightOf(packing) : 0
    if (weight > bestWeight) [best, bestWeight] = [packing, weight]
  }
  return best
}
