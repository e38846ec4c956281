import { MAX_CACHED, TURN_MS, invariant, nextTurn } from '../../base/index.ts'
import { combineScopes, type ScopeTools } from '../../policy/scope/index.ts'
import type { DataScope } from '../../policy/index.ts'
import type { WorkerAnswer } from '../../workers/index.ts'
import type { HttpAnswer } from '../http/answer.ts'
import type { AnswerMemory } from '../http/answer-memory.ts'
import type { Identity } from '../auth/auth.ts'
import type { ServerContext } from '../routes/definition/context.ts'
import { decodedBody } from '../routes/definition/decoded-body.ts'
import { errorAnswer } from '../http/error-forms.ts'
import { ENCODING_FLAGS, headersOf } from '../http/request-headers.ts'
import type { AnyRoute } from '../routes/definition/route.ts'
import { toErrorResponse, type ErrorContext } from '../errors/to-error-response.ts'
import { workForRequest } from '../admission/work-for-request.ts'
import type { QueryWorkerRequest } from './messages.ts'

/** Placeholder for the sender of a request. Query routes do not use it. */
const nobody: Identity = {
  keyId: '',
  email: undefined,
  roles: new Set(),
  backend: undefined,
  scope: undefined,
  storedScopes: undefined,
}

/** Answers requests to query routes that the main thread has authenticated. */
export class CallAnswerer {
  readonly #routes: ReadonlyMap<string, AnyRoute>
  readonly #context: ServerContext
  readonly #toolsOf: (backend: string | undefined) => ScopeTools
  readonly #memory: AnswerMemory
  readonly #scopes = new Map<string, DataScope>()

  /** `toolsOf` returns the context for compiling the scopes of a backend. */
  constructor(
    routes: readonly AnyRoute[],
    context: ServerContext,
    toolsOf: (backend: string | undefined) => ScopeTools,
    memory: AnswerMemory,
  ) {
    const all = routes.flatMap((route) => [route, route.checkedBy ?? [], route.asks ?? []].flat())
    this.#routes = new Map(all.filter((route) => route.isQuery).map((route) => [route.name, route]))
    this.#context = context
    this.#toolsOf = toolsOf
    this.#memory = memory
  }

  /** Answers a request. `begin` is called after the body has been parsed, before the route runs. */
  async answer(request: QueryWorkerRequest, signal: AbortSignal, begin = (): void => {}): Promise<WorkerAnswer> {
    const { traceId } = request
    const place: { source: ErrorContext['source'] } = { source: undefined }
    let answer: HttpAnswer
    const route = this.#routes.get(request.route)
    const { accept, contentType, encodingFlags } = request
    const sent = headersOf({ accept, 'content-type': contentType, [ENCODING_FLAGS]: encodingFlags })
    try {
      invariant(route !== undefined, 'a route that workers answer')
      const { limits } = this.#context
      const startMs = performance.now()
      const body = workForRequest(signal, limits, () => decodedBody(route, request.body, place, sent))
      // After parsing a large body, yields to the event loop.
      if (performance.now() - startMs > TURN_MS) await nextTurn()
      begin()
      answer = await workForRequest(signal, limits, () =>
        route.handle({
          // The route's schema has validated the body; the type of a route in a list does not include the body's type.
          body: body as never,
          path: request.path,
          query: new URLSearchParams(request.search),
          identity: { ...nobody, backend: request.backend },
          headers: sent,
          caller: {
            backend: request.backend,
            scope: this.#scopeOf(request),
            signal,
            readsText: (member, text) => {
              place.source = { member: `$.${member}`, text }
            },
          },
          traceId,
          context: this.#context,
          memory: this.#memory.of(request.keyId),
        }),
      )
    } catch (error) {
      return this.refuse(request, error, signal, place.source)
    }
    const { status, headers, body } = answer
    return { head: { status, headers, error: undefined }, body }
  }

  /** Returns the answer for a failed request; `source` is the text that error spans refer to. */
  refuse(
    { traceId, route }: QueryWorkerRequest,
    error: unknown,
    signal: AbortSignal,
    source?: ErrorContext['source'],
  ): WorkerAnswer {
    const plain = toErrorResponse(error, { traceId, source })
    const shaped = this.#routes.get(route)?.shapeError?.(error, plain, source, headersOf({})) ?? plain
    const isFault = shaped.status === 500 && !signal.aborted
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const { status, headers, body } = errorAnswer(shaped)
    return { head: { status, headers, error: isFault ? stack : undefined }, body }
  }

  /** Returns the scope of the caller. Throws for a request without a scope. */
  #scopeOf({ scope, backend }: QueryWorkerRequest): DataScope | undefined {
    if (scope === 'everything') return undefined
    invariant(Array.isArray(scope), 'a request says what its caller may see')
    const key = JSON.stringify([backend, scope])
    let made = this.#scopes.get(key)
    if (made === undefined) {
      made = combineScopes(scope, this.#toolsOf(backend))
      invariant(made !== undefined, 'the scopes of a restricted caller restrict')
      if (this.#scopes.size >= MAX_CACHED) this.#scopes.clear()
      this.#scopes.set(key, made)
    }
    return made
  }
}
