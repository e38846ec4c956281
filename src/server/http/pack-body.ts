import { promisify } from 'node:util'
import zlib from 'node:zlib'

/** Content encodings of answers. */
export type Packing = 'br' | 'zstd' | 'gzip'

type Pack = (bytes: Uint8Array) => Promise<Uint8Array>

/** Zstandard is available in Node from 22.15 on. */
const { zstdCompress } = zlib as Partial<Pick<typeof zlib, 'zstdCompress'>>

const brotli = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)

/** The highest quality of brotli whose window and search still take about the time of gzip. */
const BROTLI_QUALITY = 9

const packers = new Map<Packing, Pack>([
  ['br', (bytes) => brotli(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })],
  ['gzip', (bytes) => gzip(bytes)],
])
if (zstdCompress !== undefined) packers.set('zstd', promisify(zstdCompress))

/** Compresses bytes outside this thread. */
export async function packed(bytes: Uint8Array, packing: Packing): Promise<Uint8Array> {
  const pack = packers.get(packing)
  if (pack === undefined) throw new RangeError(`nothing packs ${packing}`)
  return pack(bytes)
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
