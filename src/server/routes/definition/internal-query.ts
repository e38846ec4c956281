import { z } from 'zod'
import { parseJsonPlain, type PlainJson } from '../../../data/index.ts'
import type { Caller } from '../../auth/caller.ts'
import { json } from '../../http/respond.ts'
import type { ServerContext } from './context.ts'
import type { AnyRoute, RouteCall } from './route.ts'

/** A query that the server itself starts. It is not reachable over HTTP. */
export interface InternalQuery<Request, Answer> {
  readonly name: string
  readonly summary: string
  /** Parses a request from JSON. */
  readonly read: (request: PlainJson) => Request
  /** Runs the query. Resolves to a value that can be serialized as JSON. */
  readonly run: (request: Request, caller: Caller, context: ServerContext) => Promise<Answer>
  /** True if an answer is a failure after which a retry may succeed. Default: never. */
  readonly isTemporary?: (answer: Answer) => boolean
}

/** Defines the query as a route, so that a worker can run it. */
export function internalRoute<Request>({
  name,
  summary,
  read,
  run,
}: Omit<InternalQuery<Request, unknown>, 'isTemporary'>): AnyRoute {
  return {
    name,
    method: 'POST',
    path: `/internal/${name}`,
    summary,
    role: 'read',
    body: z.unknown(),
    readBody: (bytes) => read(parseJsonPlain(new TextDecoder().decode(bytes))),
    answers: [],
    isQuery: true,
    isAvailable: () => true,
    handle: async ({ body, caller, context }: RouteCall<Request>) => json(await run(body, caller, context)),
  }
}
