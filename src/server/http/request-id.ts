const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/

/** Trace id of a request: from a valid `traceparent`, else a new one. */
export function traceIdOf(headers: Headers, randomBytes: (count: number) => Uint8Array): string {
  const given = TRACEPARENT.exec(headers.get('traceparent')?.trim() ?? '')?.[1]
  if (given !== undefined && !/^0+$/.test(given)) return given
  return Buffer.from(randomBytes(16)).toString('hex')
}
