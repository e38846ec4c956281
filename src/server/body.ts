import { fault } from './http-fault.ts'

const JSON_TYPES = ['application/json'] as const

function mediaType(header: string): { readonly type: string; readonly charset: string | undefined } {
  const [type = '', ...parameters] = header.split(';')
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/i.exec(parameter)?.[1])
    .find((found) => found !== undefined)
  return { type: type.trim().toLowerCase(), charset: charset?.toLowerCase() }
}

function isAccepted(type: string, accepted: readonly string[]): boolean {
  return (
    accepted.includes(type) ||
    (accepted.includes('application/json') && /^application\/[a-z0-9.!#$&^_-]+\+json$/.test(type))
  )
}

function encodingOf(headers: Headers): string {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? ''
  return encoding === '' ? 'identity' : encoding
}

/** Throws unless the headers announce a body that can be read: type, character set, encoding, length. */
export function checkBodyHeaders(
  headers: Headers,
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

/** The bytes of a request as they come, unpacked where this program can. */
function unpacked(request: Request): ReadableStream<Uint8Array> | null {
  const encoding = encodingOf(request.headers)
  if (request.body === null || (encoding !== 'gzip' && encoding !== 'deflate')) return request.body
  return request.body.pipeThrough(new DecompressionStream(encoding))
}

/**
 * The bytes of a body, of which no more than the limit is ever held; each piece is announced to `reserve` first. Only
 * routes that take encodings at all get packed bodies here.
 */
export async function readBody(
  request: Request,
  limitBytes: number,
  reserve: (bytes: number) => void = () => {},
): Promise<Uint8Array> {
  const body = unpacked(request)
  if (body === null) return new Uint8Array()
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let total = 0
  for (;;) {
    // A body that stops arriving is the client's fault, whatever the transport calls it.
    const { done, value } = await reader.read().catch(() => {
      throw fault('body-cut', { what: 'it ended early' })
    })
    if (done) break
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
  const [only] = chunks
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
}
