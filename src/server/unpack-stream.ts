import { Readable } from 'node:stream'
import zlib from 'node:zlib'

/** Node has it from 22.15 on. */
const { createZstdDecompress, constants } = zlib as Partial<Pick<typeof zlib, 'createZstdDecompress'>> &
  Pick<typeof zlib, 'constants'>

/** A frame may ask for a window of this size, 32 MiB; what levels up to 19 make asks for 8 MiB at most. */
const MAX_WINDOW_LOG = 25

/** How bodies may be packed that routes which take data in unpack: their names in `Content-Encoding`. */
export const bodyPackings: readonly string[] = [
  'gzip',
  'deflate',
  ...(createZstdDecompress === undefined ? [] : ['zstd']),
]

/** What packed bytes unpack to, piece by piece; the stream fails on bytes that are not so packed. */
export function unpackStream(chunks: readonly Uint8Array[], packing: string): ReadableStream<Uint8Array> {
  if (packing === 'zstd' && createZstdDecompress !== undefined) {
    const unpacked = createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: MAX_WINDOW_LOG } })
    const source = Readable.from(chunks)
    source.on('error', (error) => unpacked.destroy(error))
    unpacked.on('close', () => source.destroy())
    return Readable.toWeb(source.pipe(unpacked))
  }
  const packed = ReadableStream.from(chunks) as ReadableStream<Uint8Array<ArrayBuffer>>
  return packed.pipeThrough(new DecompressionStream(packing === 'gzip' ? 'gzip' : 'deflate'))
}
