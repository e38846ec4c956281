import { createReadStream, createWriteStream, existsSync, renameSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, createZstdCompress } from 'node:zlib'

interface Packing {
  readonly pack: () => Duplex
  /** The function of `node:zlib` that decompresses it. */
  readonly unpack: string
}

/** Compression formats by the ending of the file name, as both sides know them. */
const packings: Readonly<Record<string, Packing>> = {
  gz: { pack: () => createGzip(), unpack: 'createGunzip' },
  zst: { pack: () => createZstdCompress(), unpack: 'createZstdDecompress' },
}

export const packingNames = Object.keys(packings)

/** Compresses a file into the same folder, unless the compressed file exists. Returns its path. */
export async function packFile(file: string, ending: string): Promise<string> {
  const packed = `${file}.${ending}`
  if (existsSync(packed)) return packed
  const partial = `${packed}.partial`
  await pipeline(createReadStream(file), packings[ending].pack(), createWriteStream(partial))
  renameSync(partial, packed)
  return packed
}

/**
 * Returns a script that decompresses the file in its first argument and discards the output. Its chunks are large, so
 * that threads switch seldom.
 */
export function unpackScript(ending: string): string {
  return `import { createReadStream } from 'node:fs'
import { ${packings[ending].unpack} } from 'node:zlib'
const chunkSize = 1 << 20
createReadStream(process.argv[2], { highWaterMark: chunkSize }).pipe(${packings[ending].unpack}({ chunkSize })).resume()
`
}
