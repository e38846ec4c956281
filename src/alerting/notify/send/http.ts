import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { errorCode, version } from '../../../base/index.ts'
import type { Credentials } from '../config/index.ts'
import type { SendOutcome } from '../types.ts'
import { RefusedAddress, type AddressPolicy } from './addresses.ts'
import { withDeadline, type SendClock } from './clock.ts'

/** Maximum number of response bytes that are read before the connection is closed. */
const MAX_ANSWER_BYTES = 64 * 1024

/** Statuses below 500 that are retried (ruling M56). */
const LATER: ReadonlySet<number> = new Set([408, 425, 429])

export interface PostRequest {
  readonly url: string
  /** Body of the request, JSON. */
  readonly body: string
  readonly idempotencyKey: string
  readonly credentials: Credentials | undefined
}

/** Dependencies of a sender. */
export interface SendTools {
  readonly addresses: AddressPolicy
  readonly clock: SendClock
}

function authorizationOf(credentials: Credentials): string {
  if (credentials.kind === 'token') return `${credentials.scheme} ${credentials.token.reveal()}`
  const pair = `${credentials.username}:${credentials.password.reveal()}`
  return `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`
}

/** Parses a `Retry-After` header (seconds or date) to a delay in ms. */
function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs
  return ms >= 0 ? ms : undefined
}

/** Returns the outcome for a response status. The body is left out, since it may echo a secret. */
function outcomeOfStatus(status: number, retryAfter: string | undefined, nowMs: number): SendOutcome {
  if (status >= 200 && status < 300) return { kind: 'success' }
  const reason = `The receiver answered with status ${status}.`
  if (status < 500 && !LATER.has(status)) return { kind: 'failed', reason }
  const delayMs = retryAfterMs(retryAfter, nowMs)
  return { kind: 'retry', reason, ...(delayMs === undefined ? {} : { retryAfterMs: delayMs }) }
}

/** Returns the outcome for an error before a response. The outcome shows only the error's code. */
export function outcomeOfError(error: unknown): SendOutcome {
  if (error instanceof RefusedAddress) {
    const reason = 'The address is private. Name its host or range in `allow_addresses` to permit it.'
    return { kind: 'failed', reason }
  }
  if (error instanceof Error && error.name === 'AbortError')
    return { kind: 'retry', reason: 'The receiver did not answer in 10 s.' }
  return { kind: 'retry', reason: `The receiver could not be reached (${errorCode(error) ?? 'unknown error'}).` }
}

/**
 * Reads a response to its end, so that the receiver's connection is not cut. Its status counts even if reading fails.
 */
function drain(answer: IncomingMessage): Promise<void> {
  return new Promise((done) => {
    let bytes = 0
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_ANSWER_BYTES) answer.destroy()
    })
    answer.on('close', done)
    answer.on('error', () => done())
  })
}

function post({ url, body, idempotencyKey, credentials }: PostRequest, signal: AbortSignal, tools: SendTools) {
  return new Promise<SendOutcome>((done, fail) => {
    const target = new URL(url)
    const host = target.hostname.replaceAll(/^\[|\]$/g, '')
    // Sockets call the lookup function only for names, so a literal address is checked here.
    if (isIP(host) !== 0 && !tools.addresses.isAllowed(host, host)) throw new RefusedAddress()
    const options: RequestOptions = {
      method: 'POST',
      // A new connection for each request: a reused one could go to an address that the name no longer has.
      agent: false,
      lookup: tools.addresses.lookup,
      signal,
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        'User-Agent': `Sluice/${version}`,
        'Idempotency-Key': idempotencyKey,
        ...(credentials === undefined ? {} : { Authorization: authorizationOf(credentials) }),
      },
    }
    let outcome: SendOutcome | undefined
    const request = (target.protocol === 'https:' ? httpsRequest : httpRequest)(target, options, (answer) => {
      const known = outcomeOfStatus(answer.statusCode ?? 0, answer.headers['retry-after'], tools.clock.nowMs())
      outcome = known
      void drain(answer).then(() => done(known))
    })
    request.on('error', (error) => (outcome === undefined ? fail(error) : done(outcome)))
    request.end(body)
  })
}

/** Posts JSON once, for at most 10 s. Does not follow redirects. Never rejects. */
export async function postJson(request: PostRequest, tools: SendTools): Promise<SendOutcome> {
  try {
    return await withDeadline(tools.clock, (signal) => post(request, signal, tools))
  } catch (error) {
    return outcomeOfError(error)
  }
}
