import { BUFFER_BYTES } from '../../base/index.ts'
import type { Admission } from '../admission/admission.ts'
import { parseJsonPlain } from '../../data/index.ts'
import { isStream } from '../../workers/index.ts'
import { textOfAnswer, watchedBody, type HttpAnswer } from '../http/answer.ts'
import type { AnswerMemory } from '../http/answer-memory.ts'
import { authenticate, type Identity } from '../auth/auth.ts'
import { answerByWorker } from './answer-by-worker.ts'
import type { BodyMemory } from '../http/body-memory.ts'
import { taggedAnswer } from '../http/tagged-answer.ts'
import {
  checkBodyHeaders,
  readBody,
  receiveBody,
  receiveChunks,
  type PackedBody,
  type TakeChunk,
} from '../http/body.ts'
import type { ServerContext } from '../routes/definition/context.ts'
import { decodedBody } from '../routes/definition/decoded-body.ts'
import type { Exchange } from './exchange.ts'
import { fault } from '../errors/http-fault.ts'
import type { RequestsInWork } from '../admission/requests-in-work.ts'
import type { AnyRoute, RouteCall } from '../routes/definition/route.ts'
import { queryTextOf } from './slow-query.ts'
import type { StepwiseTask } from '../admission/turns.ts'
import { workForRequest } from '../admission/work-for-request.ts'

/** State that all requests of one app share. */
export interface AppState {
  readonly context: ServerContext
  readonly admission: Admission
  /** Memory of the answers that this thread builds. */
  readonly memory: AnswerMemory
  /** Memory of the bodies of ingest requests. */
  readonly bodies: BodyMemory
  readonly inWork: RequestsInWork
  readonly turns: StepwiseTask
}

/**
 * Answers a request. Checks, in this order: key and role (401, 403), body headers (415, 413), body (400, 413), schema
 * (400), and a slot for a query (429, 503). Then it calls the route.
 */
export async function answerRoute(
  route: AnyRoute,
  path: ReadonlyMap<string, string>,
  exchange: Exchange,
  state: AppState,
): Promise<HttpAnswer> {
  const { request, traceId } = exchange
  const { context, admission, turns, memory, bodies, inWork } = state
  exchange.shapeError = route.shapeError ?? exchange.shapeError
  const { controller, end } = inWork.begin(request.signal)
  let leave: (() => void) | undefined
  let bodyBytes = 0
  const release = (error?: unknown): void => {
    leave?.()
    bodies.release(bodyBytes, exchange.keyId)
    bodyBytes = 0
    end()
    if (error !== undefined) controller.abort(error)
  }
  try {
    if (context.isDamaged?.() === true) throw fault('damaged', {})
    const identity = await authenticate(request, route.role, context)
    exchange.keyId = identity.keyId
    await turns.turn(identity.keyId)
    if (route.isQuery) admission.refuseFull(identity.keyId)
    if (!context.isReady()) throw fault('busy', { reason: 'it is still starting' }, { 'Retry-After': '1' })
    const reserve = (count: number): void => {
      bodies.reserve(count, identity.keyId)
      bodyBytes += count
    }
    const free = (count: number): void => {
      bodies.release(count, identity.keyId)
      bodyBytes -= count
    }
    const receiving = { exchange, context, keyId: identity.keyId, reserve, release: free }
    const chunks = chunksOf(route, receiving)
    const packed = chunks === undefined ? await packedOf(route, receiving) : undefined
    const bytes = route.isIngest === true ? undefined : await bytesOf(route, exchange, context)
    if (route.isQuery) exchange.queryText = () => queryTextOf(request.url, bytes)
    if (!route.isQuery && route.isIngest !== true) await turns.take(identity.keyId)
    const { signal } = controller
    const callOf = (whose: Identity): Omit<RouteCall<never>, 'body'> => ({
      path,
      query: new URL(request.url).searchParams,
      headers: request.headers,
      identity: whose,
      caller: {
        backend: whose.backend,
        scope: whose.scope,
        signal,
        readsText: (member, text) => {
          exchange.source = { member: `$.${member}`, text }
        },
      },
      traceId,
      context,
      memory: memory.of(whose.keyId),
    })
    /** Calls another route for the same request with the permissions of `whose`, in the query queue of that key. */
    const answerOf = async (other: AnyRoute, whose: Identity, asks: Uint8Array | undefined): Promise<HttpAnswer> => {
      const leaveLine = await admission.enter(whose.keyId, signal)
      try {
        if (context.workers !== undefined) {
          const call = { route: other, path, identity: whose, body: asks, exchange, signal }
          return await answerByWorker(context.workers, call, context)
        }
        const body = decodedBody(other, asks, exchange, request.headers) as never
        return await workForRequest(signal, context.limits, () => other.handle({ ...callOf(whose), body }))
      } finally {
        leaveLine()
      }
    }
    const asked = route.asks
    const ask =
      asked === undefined
        ? undefined
        : async (asks: Uint8Array): Promise<HttpAnswer> =>
            answerOf(asked, await authenticate(request, route.role, context), asks)
    const verdict = route.checkedBy === undefined ? undefined : await answerOf(route.checkedBy, identity, bytes)
    if (verdict !== undefined && verdict.status !== 200) {
      release()
      return verdict
    }
    // Yields again, because several checks that ran at the same time end together.
    if (verdict !== undefined) await turns.turn(identity.keyId)
    const { workers } = route.isQuery ? context : { workers: undefined }
    // The body is decoded in the thread that answers.
    const bodyOf = (): unknown => {
      if (verdict !== undefined) return parseJsonPlain(textOfAnswer(verdict))
      return workers === undefined ? decodedBody(route, bytes, exchange, request.headers) : undefined
    }
    const body = bodyOf()
    if (route.isQuery) leave = await admission.enter(identity.keyId, controller.signal)
    const handle = (): ReturnType<typeof route.handle> =>
      route.handle({
        // The route's schema has validated the body; the type of a route in a list does not include the body's type.
        body: body as never,
        packed,
        chunks,
        ...callOf(identity),
        isWebSocket: exchange.transport?.isWebSocket,
        ask,
      })
    const answer =
      workers === undefined
        ? await (route.isQuery ? workForRequest(signal, context.limits, handle) : handle())
        : await answerByWorker(workers, { route, path, identity, body: bytes, exchange, signal }, context)
    if (!isStream(answer.body)) {
      release()
      return route.isTagged === true ? taggedAnswer(answer, request.headers) : answer
    }
    const watched = watchedBody(answer.body, (error) => {
      release(error)
      exchange.finish(error)
    })
    return { ...answer, body: watched }
  } catch (error) {
    const wasStopped = controller.signal.aborted && !request.signal.aborted
    release(error)
    if (wasStopped) throw fault('stopping', { reason: 'it is being stopped' }, { 'Retry-After': '1' })
    throw error
  }
}

/** Checks the body headers. If they are valid, sends `100 Continue` to a client that waits for it. */
function checkBody({ request, transport }: Exchange, { bodyTypes, bodyEncodings }: AnyRoute, limitBytes: number): void {
  checkBodyHeaders(request.headers, limitBytes, bodyTypes, bodyEncodings)
  transport?.goOn?.()
}

/** Context for receiving the body of an ingest route. */
interface Receiving {
  readonly exchange: Exchange
  readonly context: ServerContext
  readonly keyId: string
  readonly reserve: (bytes: number) => void
  readonly release: (bytes: number) => void
}

/** Receives the body of a route with `inChunks`. */
function chunksOf(
  route: AnyRoute,
  { exchange, context: { limits }, ...receiving }: Receiving,
): ((take: TakeChunk) => Promise<void>) | undefined {
  if (route.inChunks === undefined) return undefined
  const { request, transport } = exchange
  checkBody(exchange, route, Infinity)
  transport?.mayLast?.()
  const limitBytes = limits.ingestBodyBytes
  const options = { chunkBytes: Math.min(BUFFER_BYTES, limitBytes), limitBytes, ...receiving }
  return (take) => receiveChunks(request, options, take)
}

/** Receives the body of an ingest route as a whole. */
async function packedOf(
  route: AnyRoute,
  { exchange, context: { limits }, keyId, reserve }: Receiving,
): Promise<PackedBody | undefined> {
  if (route.isIngest !== true) return undefined
  const { request, transport } = exchange
  checkBody(exchange, route, limits.ingestBodyBytes)
  return receiveBody(request, transport?.body?.(), limits.ingestBodyBytes, keyId, reserve)
}

async function bytesOf(
  route: AnyRoute,
  exchange: Exchange,
  { limits }: ServerContext,
): Promise<Uint8Array | undefined> {
  if (route.body === undefined) return undefined
  checkBody(exchange, route, limits.bodyBytes)
  return readBody(exchange.request, limits.bodyBytes)
}
