import zlib from 'node:zlib'
import { BYTES_PER_CHECKPOINT } from '../../base/index.ts'

/** Node has these from 22.15 on; before, batches are stored as they came. */
const { ZstdCompress, zstdCompressSync } = zlib as Partial<typeof zlib>

/** Payloads of fewer bytes are stored as they are. */
const PACKED_FROM_BYTES = 1024
/** Where what is left of it has room for a whole payload, zstd packs it at once, without a copy of what it looks back at: with 1 MiB that was one payload in five. */
const OUTPUT_BYTES = 2 * 1024 * 1024
/** Each has some three megabytes. */
const MOST_IDLE = 4
/** Lines look like the ones right before them: the 512 KiB that level 1 looks back at fit the cache of no core, and save one byte in 400. */
const params = { [zlib.constants.ZSTD_c_compressionLevel]: 1, [zlib.constants.ZSTD_c_windowLog]: 18 }

/** Packs one payload after another, each as a frame of its own, in memory that it keeps. */
class Compressor {
  readonly #stream: zlib.ZstdCompress
  #pieces: Uint8Array[] = []

  constructor(made: typeof zlib.ZstdCompress) {
    this.#stream = new made({ chunkSize: OUTPUT_BYTES, flush: zlib.constants.ZSTD_e_end, params })
    this.#stream.on('data', (piece: Uint8Array) => this.#pieces.push(piece))
    // Whoever waits for a payload is told.
    this.#stream.on('error', () => {})
  }

  /** One call at a time, none after one that rejected. */
  pack(payload: Uint8Array): Promise<readonly Uint8Array[]> {
    return new Promise((resolve, reject) => {
      this.#stream.write(payload, (error) => {
        if (error !== null && error !== undefined) return reject(error)
        while (this.#stream.read() !== null);
        resolve(this.#pieces)
        this.#pieces = []
      })
    })
  }

  end(): void {
    this.#stream.destroy()
  }
}

/**
 * Packs payloads with zstd. New memory for each, a megabyte and more, would have the thread look through its heap after every fifteen; and
 * clearing it took a fifth of the time.
 */
export class BatchPacker {
  readonly #idle: Compressor[] = []
  #isEnded = false

  /** The pieces of what is packed; `undefined` where the payload is to be stored as it is. It is not to change until it is packed. */
  async pack(payload: Uint8Array): Promise<readonly Uint8Array[] | undefined> {
    if (ZstdCompress === undefined || zstdCompressSync === undefined || payload.length < PACKED_FROM_BYTES)
      return undefined
    // Lines take a quarter of their bytes about: one buffer with room for that, where the standard ones of 16 KiB would be filled and joined.
    if (payload.length < BYTES_PER_CHECKPOINT)
      return [zstdCompressSync(payload, { params, chunkSize: Math.ceil(payload.length / 3) })]
    const compressor = this.#idle.pop() ?? new Compressor(ZstdCompress)
    try {
      const pieces = await compressor.pack(payload)
      if (this.#idle.length >= MOST_IDLE || this.#isEnded) compressor.end()
      else this.#idle.push(compressor)
      return pieces
    } catch (error) {
      compressor.end()
      throw error
    }
  }

  /** Gives its memory back. */
  end(): void {
    this.#isEnded = true
    for (const compressor of this.#idle.splice(0)) compressor.end()
  }
}
