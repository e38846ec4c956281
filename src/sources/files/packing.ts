import { CommandError } from '../../base/index.ts'
import { Readable, type Duplex } from 'node:stream'
import zlib from 'node:zlib'
import { bzip2Unpacked } from './bzip2.ts'
import { gzipUnpacked } from './gzip.ts'
import { UNPACKED_CHUNK_BYTES } from './tuning.ts'

/** One way in which files are compressed. */
interface Packing {
  readonly name: string
  /** True if a file with these first bytes has this compression. */
  readonly begins: (head: Uint8Array) => boolean
  /** The pattern of file names, for compressions that cannot be recognised by first bytes. */
  readonly ending?: RegExp
  readonly unpack: (
    source: AsyncIterable<Uint8Array>,
    name: string,
  ) => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>
}

/** The length in bytes of the longest mark of a compression. */
export const PACKING_HEAD_BYTES = 6

function startsWith(...mark: readonly number[]): (head: Uint8Array) => boolean {
  return (head) => mark.every((byte, i) => head[i] === byte)
}

function through(source: AsyncIterable<Uint8Array>, stream: Duplex): AsyncIterable<Uint8Array> {
  const readable = Readable.from(source, { objectMode: false })
  readable.on('error', (error) => stream.destroy(error))
  stream.on('close', () => readable.destroy())
  return readable.pipe(stream)
}

/** Node has this function since 22.15. */
const { createZstdDecompress } = zlib as Partial<typeof zlib>

const packings: readonly Packing[] = [
  { name: 'gzip', begins: startsWith(0x1f, 0x8b), unpack: gzipUnpacked },
  {
    name: 'zstd',
    begins: startsWith(0x28, 0xb5, 0x2f, 0xfd),
    unpack: (source, name) => {
      if (createZstdDecompress !== undefined)
        return through(source, createZstdDecompress({ chunkSize: UNPACKED_CHUNK_BYTES }))
      throw new CommandError(`${name} is packed with zstd, which Node reads from 22.15 on.`)
    },
  },
  {
    name: 'bzip2',
    begins: (head) => startsWith(0x42, 0x5a, 0x68)(head) && (head[3] ?? 0) >= 0x31 && (head[3] ?? 0) <= 0x39,
    unpack: bzip2Unpacked,
  },
  {
    name: 'xz',
    begins: startsWith(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00),
    unpack: async (source) => {
      const { default: xz } = await import('xz-decompress')
      return new xz.XzReadableStream(ReadableStream.from(source))
    },
  },
  {
    name: 'brotli',
    begins: () => false,
    ending: /\.br$/i,
    unpack: (source) => through(source, zlib.createBrotliDecompress({ chunkSize: UNPACKED_CHUNK_BYTES })),
  },
]

/**
 * Returns the compression of a file, found by its first bytes or the ending of its name; `undefined` for a plain file.
 */
export function packingOf(head: Uint8Array, path: string): Packing | undefined {
  return packings.find(({ begins, ending }) => begins(head) || ending?.test(path) === true)
}

/** The error for an input whose end cannot be read. */
export class IncompleteInput extends CommandError {}

/**
 * Yields the content of a compressed file. When the file is damaged or truncated, it throws IncompleteInput after
 * everything that could be decompressed.
 */
export async function* unpacked(
  packing: Packing,
  source: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of await packing.unpack(source, name)) yield chunk
  } catch (error) {
    if (error instanceof CommandError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new IncompleteInput(`${name} is not a complete ${packing.name} file: ${reason}`, 1)
  }
}
