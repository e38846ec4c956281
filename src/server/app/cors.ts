import { SluiceError, nowhere } from '../../base/index.ts'
import { setupDiagnostic } from '../errors/setup-diagnostics.ts'
import type { HttpAnswer } from '../http/answer.ts'

/** Time for which a browser remembers the answer to a preflight, seconds. */
const MAX_AGE = '600'

/** Request headers that pages of allowed origins may send, besides those that CORS always permits. */
const SENT = 'Authorization, Content-Type, Accept, If-Match, If-None-Match, X-Backend-Id, X-Request-Id, traceparent'

/** Response headers that pages of allowed origins may read, besides those that CORS always exposes. */
const READ =
  'ETag, Retry-After, X-Request-Id, X-Row-Limit-Reached, X-Query-Warnings, X-Query-Advice, X-Query-Rows-Read, X-Next-Skip, X-Next-Cursor'

/** Throws SluiceError `setup/bad-origin` unless each text is an exact web origin. */
export function checkOrigins(origins: readonly string[]): void {
  for (const origin of origins) {
    const url = URL.parse(origin)
    if (url?.origin !== origin || origin.includes('*') || !/^https?:$/.test(url.protocol))
      throw new SluiceError([setupDiagnostic('bad-origin', { origin }, nowhere)])
  }
}

/**
 * Cross-origin access (CORS): pages of the allowed origins can read answers. The pages need a key: no answer allows
 * credentials, so browsers send no cookies.
 */
export class CrossOrigins {
  readonly #origins: ReadonlySet<string>

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins)
  }

  /** Returns the answer to a preflight request of an allowed origin; `undefined` for any other request. */
  preflight({ method, headers }: Request): HttpAnswer | undefined {
    const wanted = headers.get('access-control-request-method')
    if (method !== 'OPTIONS' || wanted === null || !this.#origins.has(headers.get('origin') ?? '')) return undefined
    return {
      status: 204,
      headers: {
        'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, DELETE',
        'Access-Control-Allow-Headers': SENT,
        'Access-Control-Max-Age': MAX_AGE,
      },
      body: null,
    }
  }

  /** Adds CORS headers to the answer if the request's origin is allowed. */
  permit(answer: HttpAnswer, { headers }: Request): HttpAnswer {
    if (this.#origins.size === 0) return answer
    const origin = headers.get('origin') ?? ''
    const vary = [answer.headers['Vary'], 'Origin'].filter((name) => name !== undefined).join(', ')
    const permission: Readonly<Record<string, string>> = this.#origins.has(origin)
      ? { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': READ }
      : {}
    return { ...answer, headers: { ...answer.headers, Vary: vary, ...permission } }
  }
}
