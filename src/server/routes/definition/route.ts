import type { z } from 'zod'
import type { Answer } from '../../http/answer.ts'
import type { AnswerShare } from '../../http/answer-memory.ts'
import type { Identity } from '../../auth/auth.ts'
import type { PackedBody, TakePart } from '../../http/body.ts'
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
  /** Default: `application/json`. */
  readonly contentType?: string
}

/** A query parameter, for the OpenAPI document; the handler parses it. */
export interface RouteParameter {
  readonly name: string
  readonly description: string
  readonly schema: z.ZodType
}

/** A request as a handler sees it. */
export interface Call<B> {
  readonly body: B
  /** Body of an ingest route, which has no other. */
  readonly packed?: PackedBody | undefined
  /** The same for a route with `inParts`: passes on parts of the body as they arrive. */
  readonly parts?: ((take: TakePart) => Promise<void>) | undefined
  /** Path parameters, decoded. */
  readonly path: ReadonlyMap<string, string>
  readonly query: URLSearchParams
  readonly headers: RequestHeaders
  /** The sender of the request; empty in a query worker. */
  readonly identity: Identity
  /** The caller, for services. */
  readonly caller: Caller
  readonly traceId: string
  readonly context: ServerContext
  readonly memory: AnswerShare
  /** True if an answer of status 101 opens a WebSocket; each piece of its body is a message then. */
  readonly isWebSocket?: boolean | undefined
  /** Runs the route of `asks` for the caller, whose key is checked again, in the queue of its queries. */
  readonly ask?: ((body: Uint8Array) => Promise<Answer>) | undefined
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
  /** Schema of the body; without it there is no body. */
  readonly body?: S
  /** Accepted content types. Default: `application/json`. */
  readonly bodyTypes?: readonly string[]
  /** Marks an ingest route: its body has its own limit and memory, and comes as `packed`. */
  readonly isIngest?: true
  /** For an ingest route: the body may have any length, and comes as `parts`. */
  readonly inParts?: true
  /** Accepted content encodings beside `identity`; the route receives the bytes unchanged. */
  readonly bodyEncodings?: readonly string[]
  /**
   * Parses a body that is not plain JSON for the schema; the handler receives the result. `isJson` is false for
   * non-JSON content types.
   */
  readonly readBody?: (bytes: Uint8Array, isJson: boolean) => z.output<S>
  readonly parameters?: readonly RouteParameter[]
  readonly answers: readonly RouteAnswer[]
  /** True if it reads stored rows or a query text: it is queued, and runs in a worker if there are some. */
  readonly isQuery: boolean
  /** True if answers have an entity tag, so that a client with `If-None-Match` gets 304 for what it has. */
  readonly isTagged?: true
  /** True if it changes only the version that `If-Match` names, when the request has the header. */
  readonly takesIfMatch?: true
  /**
   * A query route that parses and validates the body, in a worker if there are some, since that takes too long for the
   * request thread. If it answers 200, this route receives that answer's JSON as its body.
   */
  readonly checkedBy?: AnyRoute
  /** A query route that this one calls repeatedly, in a worker if there are some. */
  readonly asks?: AnyRoute
  /** Formats errors for the clients of this route, and chooses their status. */
  readonly shapeError?: ErrorForm['shapeError']
  /** Schema of such errors, for the OpenAPI document. */
  readonly errors?: ErrorForm['errors']
  /** Routes whose services are missing do not exist. */
  readonly isAvailable: (context: ServerContext) => boolean
  readonly handle: (call: Call<z.output<S>>) => Promise<Answer>
}

/** A route whose body type only its own file knows. */
export type AnyRoute = Omit<Route, 'handle' | 'readBody'> & {
  readonly readBody?: (bytes: Uint8Array, isJson: boolean) => unknown
  readonly handle: (call: Call<never>) => Promise<Answer>
}

export function defineRoute<S extends z.ZodType>(route: Route<S>): AnyRoute {
  return route
}
