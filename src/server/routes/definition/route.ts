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

/** One kind of success, for the OpenAPI document. */
export interface RouteAnswer {
  readonly status: number
  readonly description: string
  readonly schema?: z.ZodType
  /** `application/json` unless it says otherwise. */
  readonly contentType?: string
}

/** A query parameter, for the OpenAPI document; the handler reads and checks it. */
export interface RouteParameter {
  readonly name: string
  readonly description: string
  readonly schema: z.ZodType
}

/** Everything a handler may know of one request. */
export interface Call<B> {
  readonly body: B
  /** The body of a route that takes data in; such a route has no other. */
  readonly packed?: PackedBody | undefined
  /** The same of a route that is `inParts`: hands on parts of the body, as they come. */
  readonly parts?: ((take: TakePart) => Promise<void>) | undefined
  /** Members of the path pattern, decoded. */
  readonly path: ReadonlyMap<string, string>
  readonly query: URLSearchParams
  readonly headers: RequestHeaders
  /** Whose key came with the request; in a query worker, nobody's. */
  readonly identity: Identity
  /** What services need to know of the caller. */
  readonly caller: Caller
  readonly traceId: string
  readonly context: ServerContext
  readonly memory: AnswerShare
  /** Asks the route of `asks` on behalf of the caller, whose key is looked at again, in the line of its queries. */
  readonly ask?: ((body: Uint8Array) => Promise<Answer>) | undefined
}

/** One operation of the API: where it lives, who may use it, what it takes, what it gives. */
export interface Route<S extends z.ZodType = z.ZodType> {
  /** Operation id in the OpenAPI document and label in the metrics. */
  readonly name: string
  readonly method: Method
  /** With `{name}` for members, for example `/api/monitors/{id}`. */
  readonly path: string
  /** Other paths that lead here, with the same members. */
  readonly alsoAt?: readonly string[]
  readonly summary: string
  readonly role: Role
  /** Without it the request has no body. */
  readonly body?: S
  /** Types of body that the route reads; `application/json` when absent. */
  readonly bodyTypes?: readonly string[]
  /** Marks a route that takes data in: its body has a limit and a memory of its own, and comes as `packed`. */
  readonly isIngest?: true
  /** Of a route that takes data in: its body may be of any length, and comes as `parts`. */
  readonly inParts?: true
  /** Content encodings taken beside `identity`; the bytes come to the route as they are. */
  readonly bodyEncodings?: readonly string[]
  /**
   * Reads the body when it is something else than JSON that the schema takes as it is; the result is what the handler
   * gets. `isJson` is false under a type of `bodyTypes` that is not one of JSON.
   */
  readonly readBody?: (bytes: Uint8Array, isJson: boolean) => z.output<S>
  readonly parameters?: readonly RouteParameter[]
  readonly answers: readonly RouteAnswer[]
  /** True when it reads stored rows or the text of a query: it waits for its turn, and runs in a worker where there are some. */
  readonly isQuery: boolean
  /**
   * A query route that reads and checks the body, in a worker where there are some: what it takes is more than the thread of all
   * requests should do. Where it answers 200, this one gets what that answer says in JSON for its body.
   */
  readonly checkedBy?: AnyRoute
  /** A query route that this one asks, again and again, in a worker where there are some. */
  readonly asks?: AnyRoute
  /** Tells errors as clients of this route read them, beside the envelope or instead of it, and chooses their status. */
  readonly shapeError?: ErrorForm['shapeError']
  /** What `shapeError` makes of the envelope, for the OpenAPI document. */
  readonly errors?: ErrorForm['errors']
  /** Routes whose services are absent do not exist. */
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
