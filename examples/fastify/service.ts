import fastify, { type FastifyInstance } from 'fastify'
import { SluiceError, createEngine, createMemoryStore } from 'sluice'

/** The most rows of an answer. */
const ROWS = 1000

/** A service that keeps log records of its customers, and lets each customer query its own. */
export function createService(): FastifyInstance {
  const store = createMemoryStore()
  const { writer } = store.table('logs')
  const engine = createEngine({
    tables: store.tables,
    limits: { memoryBytes: 64 << 20, timeoutMs: 5000, answerRows: ROWS },
  })
  const service = fastify()

  service.post<{ Params: { customer: string }; Body: Record<string, unknown>[] }>(
    '/:customer/logs',
    { schema: { body: { type: 'array', items: { type: 'object' }, maxItems: 10_000 } } },
    ({ params, body }, reply) => {
      // Written last, so that a record cannot say that it is another customer's.
      writer.appendObjects(body.map((record) => ({ ...record, customer: params.customer })))
      return reply.code(204).send()
    },
  )

  service.get<{ Params: { customer: string }; Querystring: { query?: string } }>(
    '/:customer/search',
    async ({ params, query }, reply) => {
      // A scope is not a part of the text: no query can see around it.
      const scope = { logs: `customer:=${JSON.stringify(params.customer)}` }
      // A reader that has gone needs no answer.
      const cancel = new AbortController()
      reply.raw.once('close', () => cancel.abort())
      try {
        return await engine.query(query.query ?? '*', { scope, signal: cancel.signal, overLimit: 'partial' }).toArray()
      } catch (error) {
        if (!(error instanceof SluiceError)) throw error
        const errors = error.diagnostics.map(({ code, message, fixes }) => ({
          code,
          message,
          fixes: fixes.map(({ title }) => title),
        }))
        return reply.code(400).send({ errors })
      }
    },
  )
  return service
}
