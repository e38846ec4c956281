const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/

/** Matches ids that are accepted from clients: safe in headers, logs and shells. */
const REQUEST_ID = /^[\w.-]{1,64}$/

/**
 * Returns the trace id of a request: a well-formed `X-Request-Id` of the client, else the trace id of a valid
 * `traceparent`, else a new one.
 */
export function traceIdOf(headers: Headers, randomBytes: (count: number) => Uint8Array): string {
  const own = headers.get('x-request-id')
  if (own !== null && REQUEST_ID.test(own)) return own
  const given = TRACEPARENT.exec(headers.get('traceparent')?.trim() ?? '')?.[1]
  if (given !== undefined && !/^0+$/.test(given)) return given
  return Buffer.from(randomBytes(16)).toString('hex')
}
