import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { Transform } from 'node:stream'

/** Content encodings of answers. */
export type Packing = 'br' | 'zstd' | 'gzip'

interface Packer {
  /** Compresses all at once, for many readers. */
  readonly whole: (bytes: Uint8Array) => Promise<Uint8Array>
  /** Compresses for one reader who waits. */
  readonly stream: () => Transform
}

/** Zstandard is available in Node from 22.15 on. */
const { zstdCompress, createZstdCompress } = zlib as Partial<Pick<typeof zlib, 'zstdCompress' | 'createZstdCompress'>>

const brotli = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)

/** The highest quality of brotli whose time is about that of gzip, and one for answers that a client waits for. */
const WHOLE_QUALITY = 9
const STREAM_QUALITY = 4

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
  packers.set('zstd', { whole: promisify(zstdCompress), stream: () => createZstdCompress() })

function packerOf(packing: Packing): Packer {
  const packer = packers.get(packing)
  if (packer === undefined) throw new RangeError(`nothing packs ${packing}`)
  return packer
}

/** Compresses bytes outside this thread. */
export async function packed(bytes: Uint8Array, packing: Packing): Promise<Uint8Array> {
  return packerOf(packing).whole(bytes)
}

/** A stream that compresses outside this thread. */
export function newPacker(packing: Packing): Transform {
  return packerOf(packing).stream()
}

/** Resolves when everything that was written has come out. */
export function flushPacker(packer: Transform): Promise<void> {
  const { flush } = packer as unknown as { readonly flush: (done: () => void) => void }
  return new Promise((resolve) => flush.call(packer, resolve))
}

/** Weights of an `Accept-Encoding` header by name. */
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

/** The encoding that an `Accept-Encoding` header weights highest, the first of `preferred` among equals. */
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
