import zlib from 'node:zlib'
import { BYTES_PER_CHECKPOINT } from '../../base/index.ts'

/** Compression functions of Node 22.15 and later; `undefined` in older versions, which store batches uncompressed. */
const { ZstdCompress, zstdCompressSync } = zlib as Partial<typeof zlib>

/** Payloads with fewer bytes are stored uncompressed. */
const PACKED_FROM_BYTES = 1024
/**
 * Size of zstd's output buffer, bytes. If the free part of the buffer is large enough for a whole payload, zstd
 * compresses directly into it and does not copy its window.
 */
const OUTPUT_BYTES = 2 * 1024 * 1024
/** Maximum number of idle compressors. Each holds about 3 MB. */
const MOST_IDLE = 4
/**
 * Level 1 with a window of 256 KiB. The default window of 512 KiB saves very little space, and it does not fit into the
 * cache of a core.
 */
const params = { [zlib.constants.ZSTD_c_compressionLevel]: 1, [zlib.constants.ZSTD_c_windowLog]: 18 }

/** Compresses payloads one after another into separate frames, and reuses the memory of the zstd stream. */
class Compressor {
  readonly #stream: zlib.ZstdCompress
  #chunks: Uint8Array[] = []

  constructor(made: typeof zlib.ZstdCompress) {
    this.#stream = new made({ chunkSize: OUTPUT_BYTES, flush: zlib.constants.ZSTD_e_end, params })
    this.#stream.on('data', (chunk: Uint8Array) => this.#chunks.push(chunk))
    // The error is reported to the caller of `pack`; without a listener it would end the process.
    this.#stream.on('error', () => {})
  }

  /** Compresses a payload. Calls must not overlap, and no call is allowed after one that rejected. */
  pack(payload: Uint8Array): Promise<readonly Uint8Array[]> {
    return new Promise((resolve, reject) => {
      this.#stream.write(payload, (error) => {
        if (error !== null && error !== undefined) return reject(error)
        while (this.#stream.read() !== null);
        resolve(this.#chunks)
        this.#chunks = []
      })
    })
  }

  end(): void {
    this.#stream.destroy()
  }
}

/**
 * Compresses payloads with zstd and reuses the compressors' memory. Allocating buffers of over 1 MB per payload would
 * cause frequent garbage collections.
 */
export class BatchPacker {
  readonly #idle: Compressor[] = []
  #isEnded = false

  /**
   * Returns the compressed chunks; `undefined` if the payload should be stored uncompressed. The caller must not change
   * the payload until the promise resolves.
   */
  async pack(payload: Uint8Array): Promise<readonly Uint8Array[] | undefined> {
    if (ZstdCompress === undefined || zstdCompressSync === undefined || payload.length < PACKED_FROM_BYTES)
      return undefined
    // Lines compress to about 1/4 of their size. One buffer of 1/3 of the size avoids joining many buffers of 16 KiB.
    if (payload.length < BYTES_PER_CHECKPOINT)
      return [zstdCompressSync(payload, { params, chunkSize: Math.ceil(payload.length / 3) })]
    const compressor = this.#idle.pop() ?? new Compressor(ZstdCompress)
    try {
      const chunks = await compressor.pack(payload)
      if (this.#idle.length >= MOST_IDLE || this.#isEnded) compressor.end()
      else this.#idle.push(compressor)
      return chunks
    } catch (error) {
      compressor.end()
      throw error
    }
  }

  /** Frees the memory of the idle compressors. */
  end(): void {
    this.#isEnded = true
    for (const compressor of this.#idle.splice(0)) compressor.end()
  }
}
