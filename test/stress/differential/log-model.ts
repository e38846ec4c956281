import { SluiceError } from '../../../src/base/index.ts'
import { serve, type EditReply, type Service, type ServiceReply, type ServiceRequest } from './http-service.ts'
import { modelEngine, type LogEngine } from './log-engine.ts'

const decoder = new TextDecoder()
/** Number of tenants whose rows stay in memory. Rows of other tenants are parsed again when needed. */
const MOST_ENGINES = 8

function textOf({ body }: ServiceRequest): string {
  return new URLSearchParams(decoder.decode(body)).get('query') ?? ''
}

/**
 * Starts the row model as a service with the reference implementation's HTTP API. The service stands in for a real
 * server. `edit` changes its replies to queries, so that tests can imitate a faulty server.
 */
export async function startLogModel(nowNs: bigint, edit: EditReply = (reply) => reply): Promise<Service> {
  const lines = new Map<string, string>()
  const engines = new Map<string, LogEngine>()
  const tenantOf = ({ headers }: ServiceRequest): string =>
    `${String(headers['accountid'])}:${String(headers['projectid'])}`

  async function query(request: ServiceRequest): Promise<ServiceReply> {
    const text = textOf(request)
    const tenant = tenantOf(request)
    let engine = engines.get(tenant)
    if (engine === undefined) {
      if (engines.size >= MOST_ENGINES) engines.clear()
      engine = modelEngine(lines.get(tenant) ?? '', nowNs)
      engines.set(tenant, engine)
    }
    try {
      const rows = await engine.answer(text)
      return { type: 'application/stream+json', body: rows.map((row) => `${row}\n`).join('') }
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      return { status: 400, type: 'text/plain', body: error.message }
    }
  }

  return serve((request) => {
    switch (request.path) {
      case '/insert/jsonline':
        lines.set(tenantOf(request), decoder.decode(request.body))
        return { body: '' }
      case '/internal/force_flush':
        return { body: '' }
      case '/select/logsql/query':
        return query(request).then((reply) => edit(reply, textOf(request)))
      default:
        return { status: 404, body: 'unsupported path' }
    }
  })
}
