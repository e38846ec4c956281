import type { Transform } from 'node:stream'
import { WholeBody, isStream, type StreamBody } from '../../workers/index.ts'
import type { HttpAnswer } from './answer.ts'
import { flushPacker, newPacker, packed, packingFor, type Packing } from './pack-body.ts'
import type { RequestHeaders } from './request-headers.ts'

/** Fastest encoding first: an answer is compressed once, while its client waits. */
const PREFERRED: readonly Packing[] = ['zstd', 'gzip', 'br']

/** Minimum size for compression, bytes. A smaller answer fits into one network packet. */
export const MIN_PACKED_BYTES = 1400

const PACKABLE = /^(text\/|application\/(json|x-ndjson|yaml|x-yaml|openmetrics-text)\b)/

function sizeOf(body: string | Uint8Array | WholeBody): number {
  if (body instanceof WholeBody) return body.lengthBytes
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
}

/** A compressed body. Each chunk of a stream is flushed, so that it arrives at once. */
class PackedStream implements StreamBody {
  readonly #body: WholeBody | StreamBody
  readonly #packer: Transform
  readonly #isFlushed: boolean
  #chunks: Uint8Array[] = []
  #hasEnded = false

  constructor(body: WholeBody | StreamBody, packing: Packing) {
    this.#body = body
    this.#isFlushed = isStream(body)
    this.#packer = newPacker(packing)
    // Errors are ignored here, since each write rejects with them.
    this.#packer.on('error', () => undefined)
    this.#packer.on('data', (chunk: Uint8Array) => this.#chunks.push(chunk))
  }

  get failure(): unknown {
    return isStream(this.#body) ? this.#body.failure : undefined
  }

  async next(): Promise<Uint8Array | undefined> {
    while (!this.#hasEnded) {
      let chunk: string | Uint8Array | undefined
      try {
        chunk = await this.#body.next()
      } catch (error) {
        this.#packer.destroy()
        throw error
      }
      if (chunk === undefined) await this.#end()
      else await this.#write(chunk)
      if (this.#chunks.length > 0) break
    }
    if (this.#chunks.length === 0) return undefined
    const bytes = Buffer.concat(this.#chunks)
    this.#chunks = []
    return bytes
  }

  cancel(): void {
    this.#hasEnded = true
    this.#packer.destroy()
    this.#body.cancel()
  }

  /** Resolves when the compressor has consumed the chunk, so that the chunk's memory may be reused. */
  async #write(chunk: string | Uint8Array): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#packer.write(chunk, (error) => (error ? reject(error) : resolve()))
    })
    if (this.#isFlushed) await flushPacker(this.#packer)
  }

  async #end(): Promise<void> {
    this.#hasEnded = true
    const ended = new Promise<void>((resolve, reject) => {
      this.#packer.once('end', resolve)
      this.#packer.once('error', reject)
    })
    this.#packer.end()
    await ended
  }
}

/**
 * Compresses an answer with an encoding that the client accepts. Answers that are short, of a compressed type, or
 * encoded by their route stay unchanged.
 */
export async function packedAnswer(answer: HttpAnswer, headers: RequestHeaders): Promise<HttpAnswer> {
  const { body } = answer
  const type = answer.headers['Content-Type'] ?? ''
  if (body === null || !PACKABLE.test(type) || answer.headers['Content-Encoding'] !== undefined) return answer
  if (!isStream(body) && sizeOf(body) < MIN_PACKED_BYTES) return answer
  const varying = { ...answer, headers: { ...answer.headers, Vary: 'Accept-Encoding' } }
  const packing = packingFor(headers.get('accept-encoding'), PREFERRED)
  if (packing === undefined) return varying
  const encoded = { ...varying.headers, 'Content-Encoding': packing }
  if (body instanceof WholeBody || isStream(body))
    return { ...varying, headers: encoded, body: new PackedStream(body, packing) }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return { ...varying, headers: encoded, body: await packed(bytes, packing) }
}
