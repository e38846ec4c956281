import { version } from '../../../base/index.ts'
import type { Dispatcher } from '../dispatcher.ts'
import { filterOf, listAlerts, listGroups } from './alert-views.ts'
import { decodePostedAlerts } from './posted-alerts.ts'
import { Refusal, invalid, parseBody, type ApiAnswer } from './refusal.ts'
import {
  expireSilence,
  listSilences,
  postSilence,
  silenceView,
  type SilenceStore,
  type StoredSilence,
} from './silences.ts'
import { printTime } from './times.ts'

export interface AlertmanagerApiTools {
  readonly dispatcher: Dispatcher
  readonly silences: SilenceStore
  readonly nowMs: () => number
  /** Start time of the service, reported in its status, Unix ms. Default: now. */
  readonly startedAtMs?: number
  /** Creates an id for a new silence, a UUID. */
  readonly makeId: () => string
  /** Called after alerts or silences have changed. */
  readonly onChange?: () => void
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const V1_MESSAGE =
  'The Alertmanager v1 API was deprecated in version 0.16.0 and is removed as of version 0.27.0 - please use the equivalent route in the v2 API'

interface ApiRequest {
  readonly query: URLSearchParams
  readonly body: string
  /** The last path segment, decoded; empty if the route has none. */
  readonly id: string
}

type Handler = (request: ApiRequest) => ApiAnswer | Promise<ApiAnswer>

/** Alertmanager's API version 2 over a dispatcher and silences, as a function without HTTP. */
export class AlertmanagerApi {
  readonly #tools: AlertmanagerApiTools
  readonly #startedAtMs: number

  /** Handlers by path and method. A path that ends in `/` is followed by an id. */
  readonly #routes: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
    '/api/v2/alerts': { GET: (request) => this.#getAlerts(request), POST: (request) => this.#postAlerts(request) },
    '/api/v2/alerts/groups': { GET: (request) => this.#getGroups(request) },
    '/api/v2/receivers': { GET: () => this.#getReceivers() },
    '/api/v2/silences': { GET: (request) => this.#getSilences(request), POST: (request) => this.#postSilence(request) },
    '/api/v2/silence/': {
      GET: (request) => this.#getSilence(request),
      DELETE: (request) => this.#deleteSilence(request),
    },
    '/api/v2/status': { GET: () => this.#getStatus() },
  }

  constructor(tools: AlertmanagerApiTools) {
    this.#tools = tools
    this.#startedAtMs = tools.startedAtMs ?? tools.nowMs()
  }

  /** Answers a request; `path` begins with `/api/`. Rejects only for errors of the store. */
  async handle(method: string, path: string, query: URLSearchParams, body: string): Promise<ApiAnswer> {
    if (path.startsWith('/api/v1/')) return { status: 410, body: { status: 'deprecated', error: V1_MESSAGE } }
    const prefix = path.startsWith('/api/v2/silence/') ? '/api/v2/silence/' : path
    const handlers = Object.hasOwn(this.#routes, prefix) ? this.#routes[prefix] : undefined
    if (handlers === undefined) return { status: 404, body: { code: 404, message: `path ${path} was not found` } }
    const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined
    if (handler === undefined) {
      const message = `method ${method} is not allowed, but [${Object.keys(handlers).join(',')}] are`
      return { status: 405, body: { code: 405, message } }
    }
    try {
      return await handler({ query, body, id: path.slice(prefix.length) })
    } catch (error) {
      if (error instanceof Refusal) return error.answer
      throw error
    }
  }

  #getAlerts({ query }: ApiRequest): ApiAnswer {
    const { dispatcher, nowMs } = this.#tools
    return { status: 200, body: listAlerts(dispatcher, query, nowMs()) }
  }

  #postAlerts({ body }: ApiRequest): ApiAnswer {
    const { dispatcher, nowMs, onChange } = this.#tools
    const { resolveTimeoutMs } = dispatcher.config
    const { alerts, faults } = decodePostedAlerts(parseBody('alerts', body), nowMs(), resolveTimeoutMs)
    dispatcher.receive(alerts, nowMs())
    onChange?.()
    return faults.length === 0 ? { status: 200 } : { status: 400, body: faults.join('; ') }
  }

  #getGroups({ query }: ApiRequest): ApiAnswer {
    const { dispatcher, nowMs } = this.#tools
    return { status: 200, body: listGroups(dispatcher, query, nowMs()) }
  }

  #getReceivers(): ApiAnswer {
    const { receivers } = this.#tools.dispatcher.config
    return { status: 200, body: [...receivers.keys()].map((name) => ({ name })) }
  }

  #getSilences({ query }: ApiRequest): ApiAnswer {
    const { silences, nowMs } = this.#tools
    return { status: 200, body: listSilences(silences, filterOf(query), nowMs()) }
  }

  async #postSilence({ body }: ApiRequest): Promise<ApiAnswer> {
    const { silences, nowMs, makeId, onChange } = this.#tools
    const silenceID = await postSilence(silences, parseBody('silence', body), nowMs(), makeId)
    onChange?.()
    return { status: 200, body: { silenceID } }
  }

  #findSilence(id: string): StoredSilence {
    if (!UUID.test(id)) throw invalid('type', `silenceID in path must be of type uuid: ${JSON.stringify(id)}`)
    const silence = this.#tools.silences.get(id)
    if (silence === undefined) throw new Refusal(404, undefined)
    return silence
  }

  #getSilence({ id }: ApiRequest): ApiAnswer {
    return { status: 200, body: silenceView(this.#findSilence(id), this.#tools.nowMs()) }
  }

  async #deleteSilence({ id }: ApiRequest): Promise<ApiAnswer> {
    const { silences, nowMs, onChange } = this.#tools
    await expireSilence(silences, this.#findSilence(id), nowMs())
    onChange?.()
    return { status: 200 }
  }

  #getStatus(): ApiAnswer {
    const versionInfo = { branch: '', buildDate: '', buildUser: '', goVersion: '', revision: '', version }
    const body = {
      cluster: { peers: [], status: 'disabled' },
      // Left empty, because the configuration may contain secrets.
      config: { original: '' },
      uptime: printTime(this.#startedAtMs),
      versionInfo,
    }
    return { status: 200, body }
  }
}
