import { SluiceError, invariant } from '../../base/index.ts'
import type { Identity } from '../auth/auth.ts'
import { dropBody } from '../../workers/index.ts'
import type { HttpAnswer } from '../http/answer.ts'
import { ENCODING_FLAGS } from '../http/request-headers.ts'
import type { QueryWorkers, ServerContext } from '../routes/definition/context.ts'
import type { Exchange } from './exchange.ts'
import { HttpFault } from '../errors/http-fault.ts'
import type { AnyRoute } from '../routes/definition/route.ts'

/** An authenticated request that a query worker answers. */
export interface LetIn {
  readonly route: AnyRoute
  readonly path: ReadonlyMap<string, string>
  readonly identity: Identity
  readonly body: Uint8Array | undefined
  readonly exchange: Exchange
  readonly signal: AbortSignal
}

/** Returns the caller's data scopes for workers. Throws if the caller's restrictions cannot be serialized. */
function scopeOf({ scope, storedScopes }: Identity): 'everything' | readonly unknown[] {
  if (scope === undefined) return 'everything'
  invariant(storedScopes !== undefined, 'a scope that was not made of stored ones cannot be told to a worker')
  return storedScopes
}

/** Recreates the error of a worker from its stack trace, for the log. */
function errorOf(stack: string): Error {
  const error = new Error(stack.split('\n', 1)[0])
  error.stack = stack
  return error
}

function workerFault(error: unknown): unknown {
  const isLost = error instanceof SluiceError && error.code === 'engine/worker-lost'
  return isLost ? new HttpFault(503, error.diagnostics, { 'Retry-After': '1' }) : error
}

/** Passes a request to a query worker, which reads the body, runs the query and formats the answer. */
export async function answerByWorker(workers: QueryWorkers, call: LetIn, { log }: ServerContext): Promise<HttpAnswer> {
  const { route, path, identity, body, exchange, signal } = call
  const { request, traceId } = exchange
  const answer = await workers
    .answer({
      route: route.name,
      path,
      search: request.url.includes('?') ? new URL(request.url).search : '',
      accept: request.headers.get('accept'),
      contentType: request.headers.get('content-type'),
      encodingFlags: request.headers.get(ENCODING_FLAGS),
      body,
      backend: identity.backend,
      scope: scopeOf(identity),
      keyId: identity.keyId,
      traceId,
      signal,
    })
    .catch((error: unknown) => {
      throw workerFault(error)
    })
  const { status, headers, error } = answer.head
  if (error !== undefined && !request.signal.aborted)
    log.error({ traceId, route: route.name, error: errorOf(error) }, 'internal error')
  if (signal.aborted) dropBody(answer.body)
  signal.throwIfAborted()
  return { status, headers, body: answer.body }
}
