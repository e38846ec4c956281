import { z } from 'zod'
import { parseJsonPlain, type PlainJson } from '../../../data/index.ts'
import type { Caller } from '../../auth/caller.ts'
import { json } from '../../http/respond.ts'
import type { ServerContext } from './context.ts'
import type { AnyRoute, Call } from './route.ts'

/** A query that the server itself starts: no request over HTTP reaches it. */
export interface InternalQuery<Request, Answer> {
  readonly name: string
  readonly summary: string
  /** Reads a request that was written as JSON. */
  readonly read: (request: PlainJson) => Request
  /** Resolves to a value that can be written as JSON. */
  readonly run: (request: Request, caller: Caller, context: ServerContext) => Promise<Answer>
  /** Whether an answer is a failure that a later attempt may not have. Default: never. */
  readonly isTemporary?: (answer: Answer) => boolean
}

/** The query as a route, by which a worker runs it. */
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
    handle: async ({ body, caller, context }: Call<Request>) => json(await run(body, caller, context)),
  }
}
