import { BYTES_PER_CHECKPOINT } from '../../base/index.ts'
import { Readable, type Duplex } from 'node:stream'
import zlib from 'node:zlib'

/** Node has it from 22.15 on. */
const { createZstdDecompress, constants } = zlib as Partial<Pick<typeof zlib, 'createZstdDecompress'>> &
  Pick<typeof zlib, 'constants'>

/** A frame may ask for a window of this size, 32 MiB; what levels up to 19 make asks for 8 MiB at most. */
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

/** How bodies may be packed that routes which take data in unpack: their names in `Content-Encoding`. */
export const bodyPackings: readonly string[] = [...unpackers.keys()]

/** What packed bytes unpack to, piece by piece; the stream fails on bytes that are not packed by one of `bodyPackings`. */
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
