import { standardFunctions } from '../../../src/functions/index.ts'
import type { ScopeTools } from '../../../src/policy/scope/index.ts'
import { routes, type IngestService, type QueryWorkers, type ServerContext } from '../../../src/server/index.ts'
import { CallAnswerer } from '../../../src/server/worker/answer-call.ts'
import { errorOf, serializedError } from '../../../src/server/worker/serialized-error.ts'
import { standardCatalog } from '../../../src/store/index.ts'
import { AnswerMemory } from '../../../src/server/http/answer-memory.ts'

/** If true, every app in the server tests answers queries through worker messages. Set by `SLUICE_TEST_WORKERS=1`. */
export const answersByWorker = process.env['SLUICE_TEST_WORKERS'] === '1'

/** Wraps a service so that its calls and answers are copied as messages between threads. */
export function ingestLoopback(service: IngestService | undefined): IngestService | undefined {
  if (service === undefined || !answersByWorker) return service
  return {
    ingest: async (request) => {
      try {
        return structuredClone(await service.ingest(structuredClone(request)))
      } catch (error) {
        throw errorOf(structuredClone(serializedError(error)))
      }
    },
  }
}

const standardTools: ScopeTools = { catalog: standardCatalog, functions: standardFunctions }

/**
 * Answers queries in this thread exactly as a worker would, over the services of a context. Requests are copied as in
 * messages between threads.
 */
export function loopback(context: ServerContext, tools = standardTools): QueryWorkers {
  const answerer = new CallAnswerer(routes, context, () => tools, new AnswerMemory(context.limits.answersBytes))
  return {
    ready: () => 1,
    hasStarted: () => true,
    answer: ({ signal, ...rest }) => answerer.answer(structuredClone({ ...rest, nowNs: 0n }), signal),
  }
}
