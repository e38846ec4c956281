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

/** The media type that the headers say, in small letters; `undefined` when they say none. */
export function mediaTypeOf(headers: RequestHeaders): string | undefined {
  const header = headers.get('content-type')
  return header === null ? undefined : mediaType(header).type
}

/** Also for a body without a type. */
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

/** Throws unless the headers announce a body that can be read: type, character set, encoding, length. */
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

/** A body as it came. Whoever hands it on elsewhere empties it. */
export interface PackedBody {
  readonly chunks: Uint8Array[]
  /** `identity`, or what the request said of how it is packed. */
  readonly encoding: string
  /** Of the key that it came with; what comes without one has no share of what keys share. */
  readonly keyId?: string | undefined
}

/** To be told of bytes before they are kept; throws when there are too many of them. */
export type Reserve = (bytes: number) => void

/** Gives a body piece by piece; nobody changes a piece afterwards. */
export interface BodyReader {
  /** Rejects where the body ends before its end. */
  readonly read: () => Promise<{ readonly done?: boolean; readonly value?: Uint8Array | undefined }>
  /** No more is wanted. */
  readonly cancel: () => Promise<unknown>
}

/** What a reader gives, of which no more than the limit is ever held; each piece is announced to `reserve` first. */
async function chunksOf(reader: BodyReader, limitBytes: number, reserve: Reserve = () => {}): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = []
  let total = 0
  for (;;) {
    // A body that stops arriving is the client's fault, whatever the transport calls it.
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

/** The bytes of the body of a route that takes no encodings. */
export async function readBody(request: Request, limitBytes: number): Promise<Uint8Array> {
  const length = request.headers.get('content-length')
  // One that says how long it is has no more bytes; asking for its stream would make a second request object of it.
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
 * A body as it comes; unpacking it is for whoever reads it. What a `reader` gives need not become a stream of the request, which
 * would copy each piece.
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

/** Takes a part of a body; resolves to how many bytes at its end the next part begins with, `undefined` when no more is to be read. */
export type TakePart = (part: PackedBody, isLast: boolean) => Promise<number | undefined>

export interface PartsOptions {
  /** A part is handed on when it has so many bytes. */
  readonly partBytes: number
  /** What the next part begins with may have so many. */
  readonly limitBytes: number
  readonly keyId: string
  readonly reserve: Reserve
  readonly release: (bytes: number) => void
}

/** The last bytes of some chunks, in memory of their own where they begin within one. */
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

/** How long a sender may pause before what it has sent so far is handed on. */
const PAUSE_MS = 1000

/** Resolves to true after the time, or to false as soon as there is a result, even a bad one. */
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
 * Hands on a body of any length, unpacked, part by part; nobody looks into it here. The sender waits while a part is in
 * work. Throws `server/body-too-large` for a record that is too long, `server/body-cut`.
 */
export async function receiveParts(
  { body, headers }: Request,
  { partBytes, limitBytes, keyId, reserve, release }: PartsOptions,
  take: TakePart,
): Promise<void> {
  if (body === null) return
  const encoding = encodingOf(headers)
  const reader = (bodyPackings.includes(encoding) ? unpackStream(body, encoding) : body).getReader()
  let chunks: Uint8Array[] = []
  let held = 0
  let enough = partBytes
  try {
    let next: ReturnType<typeof reader.read> | undefined
    let handedOn = 0
    for (;;) {
      next ??= reader.read()
      // A sender that pauses has its whole records stored, however few they are.
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
      // Twice as many when there is no end of a record among them: all are handed on again.
      enough = left < held ? left + partBytes : held * 2
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

/** The bytes of a body, unpacked where this program can. Throws `server/body-too-large`, `server/body-cut`. */
export async function unpackBody(
  { chunks, encoding }: PackedBody,
  limitBytes: number,
  reserve: Reserve,
): Promise<Uint8Array> {
  if (!bodyPackings.includes(encoding)) return joined(chunks)
  return joined(await chunksOf(unpackStream(chunks, encoding).getReader(), limitBytes, reserve))
}
