import zlib from 'node:zlib'
import { GZIP_SLICE_BYTES, MAX_UNPACKED_BYTES, UNPACKED_CHUNK_BYTES } from './tuning.ts'

const FIXED_HEADER_BYTES = 10
const TRAILER_BYTES = 8
const HAS_CHECKSUM = 2
const HAS_EXTRA = 4
const HAS_NAME = 8
const HAS_COMMENT = 16

/** The unused bytes of a stream. */
class Input {
  readonly #iterator: AsyncIterator<Uint8Array>
  bytes: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#iterator = source[Symbol.asyncIterator]()
  }

  /** Waits for more bytes and returns whether at least `count` of them are there. */
  async has(count: number): Promise<boolean> {
    while (this.bytes.length < count) {
      const next = await this.#iterator.next()
      if (next.done === true) return false
      this.bytes = this.bytes.length === 0 ? Buffer.from(next.value) : Buffer.concat([this.bytes, next.value])
    }
    return true
  }

  take(count: number): Buffer {
    const taken = this.bytes.subarray(0, count)
    this.bytes = this.bytes.subarray(count)
    return taken
  }

  async close(): Promise<void> {
    await this.#iterator.return?.()
  }
}

function cut(): Error {
  return new Error('it is cut off')
}

async function taken(input: Input, count: number): Promise<Buffer> {
  if (!(await input.has(count))) throw cut()
  return input.take(count)
}

async function skipText(input: Input): Promise<void> {
  while ((await taken(input, 1))[0] !== 0);
}

/** Skips the header of a member. Throws an error that says what is wrong with the header. */
async function skipHeader(input: Input): Promise<void> {
  const head = await taken(input, FIXED_HEADER_BYTES)
  if (head[0] !== 0x1f || head[1] !== 0x8b) throw new Error('incorrect header check')
  if (head[2] !== 8) throw new Error('unknown compression method')
  const flags = head[3] ?? 0
  if ((flags & HAS_EXTRA) !== 0) await taken(input, (await taken(input, 2)).readUInt16LE())
  if ((flags & HAS_NAME) !== 0) await skipText(input)
  if ((flags & HAS_COMMENT) !== 0) await skipText(input)
  if ((flags & HAS_CHECKSUM) !== 0) await taken(input, 2)
}

/**
 * Yields the content of one member after its header. Throws the error of a damaged member after everything before the
 * damage.
 */
async function* member(input: Input): AsyncGenerator<Uint8Array> {
  const stream = zlib.createInflateRaw({ chunkSize: UNPACKED_CHUNK_BYTES })
  const chunks: Buffer[] = []
  let checksum = 0
  let bytes = 0
  let heldBytes = 0
  let isFull = (): void => {}
  let writing: Promise<void> | undefined
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    heldBytes += chunk.length
    if (heldBytes < MAX_UNPACKED_BYTES) return
    stream.pause()
    isFull()
  })
  // The loop below reads the error from `stream.errored`.
  stream.on('error', () => {})
  const write = async (): Promise<void> => {
    const slice = input.bytes.subarray(0, GZIP_SLICE_BYTES)
    const before = stream.bytesWritten
    await new Promise<void>((resolve) => {
      stream.once('close', resolve)
      stream.write(slice, () => {
        stream.off('close', resolve)
        resolve()
      })
    })
    input.take(stream.bytesWritten - before)
    writing = undefined
  }
  /**
   * Decompresses the next bytes in a thread of Node's pool. Resolves when they are decompressed or `MAX_UNPACKED_BYTES`
   * are there.
   */
  const unpack = async (): Promise<void> => {
    if (writing === undefined && !(await input.has(1))) throw cut()
    heldBytes = 0
    const full = new Promise<void>((resolve) => (isFull = resolve))
    stream.resume()
    await Promise.race([(writing ??= write()), full])
    // The stream reports the end of the content in a separate event loop turn.
    await new Promise((resolve) => setImmediate(resolve))
  }
  try {
    for (let next: Promise<void> | undefined = unpack(); next !== undefined;) {
      await next
      const some = chunks.splice(0)
      next = stream.readableEnded || stream.errored !== null ? undefined : unpack()
      // The error is thrown once the chunks before it have been yielded.
      next?.catch(() => undefined)
      for (const chunk of some) {
        checksum = zlib.crc32(chunk, checksum)
        bytes += chunk.length
        yield chunk
      }
    }
    if (stream.errored !== null) throw stream.errored
  } finally {
    stream.destroy()
  }
  const trailer = await taken(input, TRAILER_BYTES)
  if (trailer.readUInt32LE(0) !== checksum) throw new Error('incorrect data check')
  if (trailer.readUInt32LE(4) !== bytes % 2 ** 32) throw new Error('incorrect length check')
}

/**
 * Yields the content of all members of a gzip file. Zero bytes after the last member are ignored. When a file is
 * damaged, truncated or followed by other bytes, it throws an error after everything that could be decompressed. Node's
 * own stream would drop bytes that it has not yielded yet, so it is not used.
 */
export async function* gzipUnpacked(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const input = new Input(source)
  try {
    for (let members = 0; await input.has(1); members++) {
      if (members > 0 && input.bytes[0] === 0) return
      if (members > 0 && (!(await input.has(2)) || input.bytes[0] !== 0x1f || input.bytes[1] !== 0x8b))
        throw new Error('other bytes follow its end, which are ignored')
      await skipHeader(input)
      yield* member(input)
    }
  } finally {
    await input.close()
  }
}
