import { BYTES_PER_CHECKPOINT } from '../../base/index.ts'
import { Readable, type Duplex } from 'node:stream'
import zlib from 'node:zlib'

/** Zstandard is available in Node from 22.15 on. */
const { createZstdDecompress, constants } = zlib as Partial<Pick<typeof zlib, 'createZstdDecompress'>> &
  Pick<typeof zlib, 'constants'>

/** Maximum window of Zstandard, 32 MiB as a power of two. Levels up to 19 use at most 8 MiB. */
const MAX_WINDOW_LOG = 25

const unpackers = new Map<string, () => Duplex>([
  ['gzip', () => zlib.createGunzip({ chunkSize: BYTES_PER_CHECKPOINT })],
  ['deflate', () => zlib.createInflate({ chunkSize: BYTES_PER_CHECKPOINT })],
  ['br', () => zlib.createBrotliDecompress({ chunkSize: BYTES_PER_CHECKPOINT })],
])
if (createZstdDecompress !== undefined) {
  const params = { [constants.ZSTD_d_windowLogMax]: MAX_WINDOW_LOG }
  unpackers.set('zstd', () => createZstdDecompress({ chunkSize: BYTES_PER_CHECKPOINT, params }))
}

/** Values of `Content-Encoding` that ingest routes accept. */
export const bodyPackings: readonly string[] = [...unpackers.keys()]

/** Decompresses a stream. It fails for bytes that are not in the given encoding. */
export function unpackStream(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  packing: string,
): ReadableStream<Uint8Array> {
  const unpacked = unpackers.get(packing)?.()
  if (unpacked === undefined) throw new RangeError(`nothing unpacks ${packing}`)
  const source = Readable.from(chunks)
  source.on('error', (error) => unpacked.destroy(error))
  unpacked.on('close', () => source.destroy())
  return Readable.toWeb(source.pipe(unpacked))
}
