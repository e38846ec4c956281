import { setTimeout } from 'node:timers/promises'
import { present } from '../../base/index.ts'
import { fault } from '../errors/http-fault.ts'
import type { RequestHeaders } from './request-headers.ts'
import { bodyPackings, unpackStream } from './unpack-stream.ts'

const JSON_TYPES = ['application/json'] as const

function mediaType(header: string): { readonly type: string; readonly charset: string | undefined } {
  const [type = '', ...parameters] = header.split(';')
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/i.exec(parameter)?.[1])
    .find((found) => found !== undefined)
  return { type: type.trim().toLowerCase(), charset: charset?.toLowerCase() }
}

/** Returns the media type in the headers, in lower case; `undefined` if missing. */
export function mediaTypeOf(headers: RequestHeaders): string | undefined {
  const header = headers.get('content-type')
  return header === null ? undefined : mediaType(header).type
}

/** True for a JSON media type, and if there is none. */
export function isJsonType(type: string | undefined): boolean {
  return type === undefined || /^application\/(?:[a-z0-9.!#$&^_-]+\+)?json$/.test(type)
}

function isAccepted(type: string, accepted: readonly string[]): boolean {
  return accepted.includes(type) || (accepted.includes('application/json') && isJsonType(type))
}

function encodingOf(headers: RequestHeaders): string {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? ''
  return encoding === '' ? 'identity' : encoding
}

/** Throws unless the headers describe a body that can be read: type, character set, encoding, length. */
export function checkBodyHeaders(
  headers: RequestHeaders,
  limitBytes: number,
  accepted: readonly string[] = JSON_TYPES,
  encodings: readonly string[] = [],
): void {
  const encoding = encodingOf(headers)
  if (encoding !== 'identity' && !encodings.includes(encoding)) {
    const taken = ['identity', ...encodings].join(', ')
    throw fault('wrong-encoding', { found: encoding.slice(0, 40) }, { 'Accept-Encoding': taken })
  }
  const header = headers.get('content-type')
  if (header !== null) {
    const { type, charset } = mediaType(header)
    if (!isAccepted(type, accepted)) throw fault('wrong-content-type', { found: type.slice(0, 80), accepted })
    if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')
      throw fault('wrong-encoding', { found: charset.slice(0, 40) })
  }
  const length = Number(headers.get('content-length') ?? 0)
  if (length > limitBytes) throw fault('body-too-large', { limitBytes }, { Connection: 'close' })
}

/** A received body as it was sent, possibly compressed. The consumer of the body empties `chunks`. */
export interface PackedBody {
  readonly chunks: Uint8Array[]
  /** `identity`, or the content encoding of the request. */
  readonly encoding: string
  /** Key of the request; undefined if its limits are not tracked by key. */
  readonly keyId?: string | undefined
}

/** Called before bytes are buffered; throws if there is no memory for them. */
export type Reserve = (bytes: number) => void

/** Reads a body chunk by chunk; chunks are immutable. */
export interface BodyReader {
  /** Reads the next chunk. Rejects if the body ends before it is complete. */
  readonly read: () => Promise<{ readonly done?: boolean; readonly value?: Uint8Array | undefined }>
  /** Stops reading the body. */
  readonly cancel: () => Promise<unknown>
}

/** Reads chunks up to the limit; memory for each is reserved first. */
async function chunksOf(reader: BodyReader, limitBytes: number, reserve: Reserve = () => {}): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = []
  let total = 0
  for (;;) {
    // An incomplete body is reported as the client's fault, whatever the transport's error is.
    const { done, value } = await reader.read().catch(() => {
      throw fault('body-cut', { what: 'it ended early' })
    })
    if (done === true || value === undefined) break
    total += value.byteLength
    if (total > limitBytes) {
      void reader.cancel().catch(() => {})
      throw fault('body-too-large', { limitBytes }, { Connection: 'close' })
    }
    try {
      reserve(value.byteLength)
    } catch (error) {
      void reader.cancel().catch(() => {})
      throw error
    }
    chunks.push(value)
  }
  return chunks
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
}

/** Reads the body of a route that accepts no content encodings. */
export async function readBody(request: Request, limitBytes: number): Promise<Uint8Array> {
  const length = request.headers.get('content-length')
  // A body with a `Content-Length` can be read in one call. Reading it as a stream would need a second request object.
  if (length !== null && Number(length) <= limitBytes) {
    const bytes = await request.arrayBuffer().catch(() => {
      throw fault('body-cut', { what: 'it ended early' })
    })
    if (bytes.byteLength <= limitBytes) return new Uint8Array(bytes)
    throw fault('body-too-large', { limitBytes }, { Connection: 'close' })
  }
  return request.body === null ? new Uint8Array() : joined(await chunksOf(request.body.getReader(), limitBytes))
}

/**
 * Receives a body without decompressing it. A `reader` avoids the stream of the request, which would copy each chunk.
 */
export async function receiveBody(
  request: Request,
  reader: BodyReader | undefined,
  limitBytes: number,
  keyId: string,
  reserve: Reserve,
): Promise<PackedBody> {
  const from = reader ?? request.body?.getReader()
  const chunks = from === undefined ? [] : await chunksOf(from, limitBytes, reserve)
  return { chunks, encoding: encodingOf(request.headers), keyId }
}

/**
 * Processes a part of a body. Resolves to the number of bytes at its end that begin the next part, or `undefined` to
 * stop.
 */
export type TakeChunk = (chunk: PackedBody, isLast: boolean) => Promise<number | undefined>

export interface ChunkOptions {
  /** Minimum size of a part that is processed at once, bytes. */
  readonly chunkBytes: number
  /** Maximum size of an incomplete record at the end of a part, bytes. */
  readonly limitBytes: number
  readonly keyId: string
  readonly reserve: Reserve
  readonly release: (bytes: number) => void
}

/** Returns the last `bytes` bytes of a list of chunks; bytes are copied if they begin inside a chunk. */
function endOf(chunks: readonly Uint8Array[], bytes: number): Uint8Array[] {
  const end: Uint8Array[] = []
  let left = bytes
  for (let i = chunks.length - 1; left > 0; i--) {
    const chunk = present(chunks[i], 'what was taken')
    end.unshift(chunk.byteLength <= left ? chunk : chunk.slice(-left))
    left -= chunk.byteLength
  }
  return end
}

/** Pause of a sender after which the complete records received so far are processed, ms. */
const PAUSE_MS = 1000

/** Resolves to true after the time, or to false as soon as the promise settles. */
async function isLaterThan(result: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController()
  const pause = setTimeout(ms, true, { signal: timer.signal }).catch(() => true)
  const first = await Promise.race([
    result.then(
      () => false,
      () => false,
    ),
    pause,
  ])
  timer.abort()
  return first
}

/**
 * Receives a body of any length, decompresses it and passes it on part by part. The sender must wait while a part is
 * processed. Throws `server/body-too-large` if a record is too long, and `server/body-cut`.
 */
export async function receiveChunks(
  { body, headers }: Request,
  { chunkBytes, limitBytes, keyId, reserve, release }: ChunkOptions,
  take: TakeChunk,
): Promise<void> {
  if (body === null) return
  const encoding = encodingOf(headers)
  const reader = (bodyPackings.includes(encoding) ? unpackStream(body, encoding) : body).getReader()
  let chunks: Uint8Array[] = []
  let held = 0
  let enough = chunkBytes
  try {
    let next: ReturnType<typeof reader.read> | undefined
    let handedOn = 0
    for (;;) {
      next ??= reader.read()
      // When the sender pauses, complete records are stored even if they are few.
      if (held === handedOn || !(await isLaterThan(next, PAUSE_MS))) {
        const { done, value } = await next.catch(() => {
          throw fault('body-cut', { what: 'it ended early' })
        })
        if (done) break
        next = undefined
        reserve(value.byteLength)
        held += value.byteLength
        chunks.push(value)
        if (held < enough) continue
      }
      const left = await take({ chunks: [...chunks], encoding: 'identity', keyId }, false)
      if (left === undefined) return
      if (left > limitBytes) throw fault('body-too-large', { limitBytes }, { Connection: 'close' })
      // If no record ended in the part, the part is passed on again once its size has doubled.
      enough = left < held ? left + chunkBytes : held * 2
      chunks = endOf(chunks, left)
      release(held - left)
      held = left
      handedOn = left
    }
    if (held > 0) await take({ chunks, encoding: 'identity', keyId }, true)
  } finally {
    release(held)
    void reader.cancel().catch(() => {})
  }
}

/** Decompresses a body. Throws `server/body-too-large`, `server/body-cut`. */
export async function unpackBody(
  { chunks, encoding }: PackedBody,
  limitBytes: number,
  reserve: Reserve,
): Promise<Uint8Array> {
  if (!bodyPackings.includes(encoding)) return joined(chunks)
  return joined(await chunksOf(unpackStream(chunks, encoding).getReader(), limitBytes, reserve))
}
