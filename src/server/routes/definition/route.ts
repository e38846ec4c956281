import type { z } from 'zod'
import type { HttpAnswer } from '../../http/answer.ts'
import type { AnswerShare } from '../../http/answer-memory.ts'
import type { Identity } from '../../auth/auth.ts'
import type { PackedBody, TakeChunk } from '../../http/body.ts'
import type { ServerContext } from './context.ts'
import type { ErrorForm } from '../../http/error-forms.ts'
import type { Role } from '../../auth/keys.ts'
import type { RequestHeaders } from '../../http/request-headers.ts'
import type { Caller } from '../../auth/caller.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A successful answer, for the OpenAPI document. */
export interface RouteAnswer {
  readonly status: number
  readonly description: string
  readonly schema?: z.ZodType
  /** Content type of the answer. Default: `application/json`. */
  readonly contentType?: string
}

/** A query parameter, for the OpenAPI document; the handler parses it. */
export interface RouteParameter {
  readonly name: string
  readonly description: string
  readonly schema: z.ZodType
}

/** A request as the handler of a route receives it. */
export interface RouteCall<B> {
  readonly body: B
  /** The received body, for an ingest route; `body` is empty in that case. */
  readonly packed?: PackedBody | undefined
  /** For a route with `inChunks`: calls the argument with each part of the body as it arrives. */
  readonly chunks?: ((take: TakeChunk) => Promise<void>) | undefined
  /** Path parameters by name, decoded. */
  readonly path: ReadonlyMap<string, string>
  readonly query: URLSearchParams
  readonly headers: RequestHeaders
  /** Sender of the request; empty in a query worker. */
  readonly identity: Identity
  /** The caller of the request, as services receive it. */
  readonly caller: Caller
  readonly traceId: string
  readonly context: ServerContext
  readonly memory: AnswerShare
  /** True if an answer with status 101 opens a WebSocket, in which each chunk of the answer's body is a message. */
  readonly isWebSocket?: boolean | undefined
  /** Runs the route that `Route.asks` names for the caller, in the query queue, after checking the key again. */
  readonly ask?: ((body: Uint8Array) => Promise<HttpAnswer>) | undefined
}

/** One operation of the API: path, role, body and answer. */
export interface Route<S extends z.ZodType = z.ZodType> {
  /** Operation id in the OpenAPI document, and label in metrics. */
  readonly name: string
  readonly method: Method
  /** Path with `{name}` for parameters, such as `/api/monitors/{id}`. */
  readonly path: string
  /** Further paths with the same parameters. */
  readonly alsoAt?: readonly string[]
  readonly summary: string
  readonly role: Role
  /** Schema of the body; a route without a schema has no body. */
  readonly body?: S
  /** Accepted content types. Default: `application/json`. */
  readonly bodyTypes?: readonly string[]
  /**
   * Marks an ingest route. The body of an ingest route has its own size limit and memory, and is passed as `packed`.
   */
  readonly isIngest?: true
  /** For an ingest route: the body may have any length and is passed as `chunks`. */
  readonly inChunks?: true
  /** Accepted content encodings besides `identity`. The route receives the compressed bytes. */
  readonly bodyEncodings?: readonly string[]
  /**
   * Parses a body that is not plain JSON. The result is not validated by the schema. `isJson` is false for other
   * content types.
   */
  readonly readBody?: (bytes: Uint8Array, isJson: boolean) => z.output<S>
  readonly parameters?: readonly RouteParameter[]
  readonly answers: readonly RouteAnswer[]
  /** True if the route reads stored rows or parses a query. It is queued, and runs in a worker if there are any. */
  readonly isQuery: boolean
  /** True if answers have an entity tag, so that a request with a matching `If-None-Match` gets 304. */
  readonly isTagged?: true
  /** True if `If-Match` is supported: the change is made only to the version that the header names. */
  readonly takesIfMatch?: true
  /**
   * A query route that parses and validates the body in a worker, because that takes too long for the main thread. If
   * that route answers 200, its JSON becomes the body of this route.
   */
  readonly checkedBy?: AnyRoute
  /** A query route that this route calls repeatedly, in a worker if there are any. */
  readonly asks?: AnyRoute
  /** Formats errors for the clients of this route, and may change their status. */
  readonly shapeError?: ErrorForm['shapeError']
  /** Schema of formatted errors for the OpenAPI document. */
  readonly errors?: ErrorForm['errors']
  /** Returns false if the services that the route needs are missing; then the route does not exist. */
  readonly isAvailable: (context: ServerContext) => boolean
  readonly handle: (call: RouteCall<z.output<S>>) => Promise<HttpAnswer>
}

/** A route without its body type, for lists of routes. */
export type AnyRoute = Omit<Route, 'handle' | 'readBody'> & {
  readonly readBody?: (bytes: Uint8Array, isJson: boolean) => unknown
  readonly handle: (call: RouteCall<never>) => Promise<HttpAnswer>
}

export function defineRoute<S extends z.ZodType>(route: Route<S>): AnyRoute {
  return route
}
