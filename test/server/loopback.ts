import { standardFunctions } from '../../src/functions/index.ts'
import type { ScopeTools } from '../../src/policy/scope/index.ts'
import { routes, type QueryWorkers, type ServerContext } from '../../src/server/index.ts'
import { CallAnswerer } from '../../src/server/worker/answer-call.ts'
import { standardCatalog } from '../../src/store/index.ts'
import type { AnswerEnd } from '../../src/workers/index.ts'

/** With `SLUICE_TEST_WORKERS=1` every app of the tests of the server answers its queries as a worker would. */
export const answersByWorker = process.env['SLUICE_TEST_WORKERS'] === '1'

const standardTools: ScopeTools = { catalog: standardCatalog, functions: standardFunctions }

/** All that a worker does with a request, in this thread, over the services of a context: requests are copied as messages are. */
export function loopback(context: ServerContext, tools = standardTools): QueryWorkers {
  const answerer = new CallAnswerer(routes, context, () => tools)
  return {
    ready: () => 1,
    answer: async ({ signal, breakOff, keyId: _, ...rest }) => {
      const { head, body, hasFailed } = await answerer.answer(structuredClone({ ...rest, nowNs: 0n }), signal)
      if (body === null || body instanceof Uint8Array) return { head, body, ended: undefined }
      const chunks = body[Symbol.asyncIterator]()
      const ended = Promise.withResolvers<AnswerEnd>()
      const stream = new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            try {
              const { done, value } = await chunks.next()
              if (done !== true) return controller.enqueue(value)
              ended.resolve({ isBroken: false, hasFailed: hasFailed?.() ?? false })
              return controller.close()
            } catch (error) {
              ended.resolve({ isBroken: true, hasFailed: true })
              await breakOff?.()
              return breakOff === undefined ? controller.error(error) : controller.close()
            }
          },
          cancel() {
            ended.resolve({ isBroken: true, hasFailed: true })
            void chunks.return?.()
          },
        },
        { highWaterMark: 0 },
      )
      return { head, body: stream, ended: ended.promise }
    },
  }
}
