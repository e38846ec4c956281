import { createHash, timingSafeEqual } from 'node:crypto'
import { MsgpackReader } from '../../../ingest/agents/index.ts'

/** Name of the server in signatures; it must not reveal the host name. */
const SERVER_NAME = 'sluice'

const TRUE = Buffer.of(0xc3)
const FALSE = Buffer.of(0xc2)

/** Encodes a string of up to 255 bytes. */
function packedText(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.of(0xd9, bytes.length), bytes])
}

function packedBytes(bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(0xc4, bytes.length), bytes])
}

/** Returns the greeting that requires the shared key; `nonce` must be unique to the connection. */
export function helloMessage(nonce: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.of(0x92),
    packedText('HELO'),
    Buffer.of(0x83),
    packedText('nonce'),
    packedBytes(nonce),
    // `auth` is empty, so no user and password are requested.
    packedText('auth'),
    packedBytes(Buffer.alloc(0)),
    packedText('keepalive'),
    TRUE,
  ])
}

export interface Pong {
  readonly isLetIn: boolean
  readonly bytes: Buffer
}

function digestOf(salt: Uint8Array, name: Uint8Array, nonce: Uint8Array, sharedKey: string): string {
  return createHash('sha512').update(salt).update(name).update(nonce).update(sharedKey).digest('hex')
}

function pong(reason: string, digest: string): Pong {
  const isLetIn = reason === ''
  const bytes = [Buffer.of(0x95), packedText('PONG'), isLetIn ? TRUE : FALSE]
  const rest = [reason, isLetIn ? SERVER_NAME : '', digest].map(packedText)
  return { isLetIn, bytes: Buffer.concat([...bytes, ...rest]) }
}

/** Returns the answer to the sender's `["PING", name, salt, digest, user, password]`. */
export function pongFor(ping: Buffer, nonce: Uint8Array, sharedKey: string): Pong {
  const reader = new MsgpackReader(ping)
  const items = reader.list()
  const parts: Buffer[] = []
  for (let i = 0; i < items && i < 4; i++) {
    const payload = reader.payload()
    if (payload === undefined) break
    parts.push(ping.subarray(payload.from, payload.to))
  }
  const [word, name, salt, digest] = parts
  if (String(word) !== 'PING' || name === undefined || salt === undefined || digest === undefined)
    return pong('a PING with the shared key is expected before messages', '')
  const expected = Buffer.from(digestOf(salt, name, nonce, sharedKey))
  if (digest.length !== expected.length || !timingSafeEqual(digest, expected)) return pong('shared key mismatch', '')
  return pong('', digestOf(salt, Buffer.from(SERVER_NAME), nonce, sharedKey))
}
