import { createHash } from 'node:crypto'
import {
  TEMPLATE_WINDOW_MS,
  decodeOutcome,
  samplesOfOutcome,
  templateQuery,
  type OutcomeJson,
  type QueryOutcome,
  type TemplateSample,
} from '../../alerting/index.ts'
import type { SendClock } from '../../alerting/notify/index.ts'
import type { AlertingService, TestClock } from '../../alerting/service/index.ts'
import { Labels, printJsonExact, type PlainJson } from '../../data/index.ts'
import { decode, monitorModel } from '../../wire/index.ts'
import { monitorAuthor, type DocumentStore, type StoredDocument } from '../../resources/index.ts'
import type { Access } from '../auth/auth-context.ts'
import { textOfAnswer } from '../http/answer.ts'
import type { AlertingAccess, ServerContext } from '../routes/definition/context.ts'
import { labelVisibility } from '../search/label-visibility.ts'
import { defaultBackendId } from '../backends/tenant.ts'

/** Receivers and routes of notifications, for `createServer`. */
export interface AlertingSettings {
  /** Text of a configuration in Alertmanager's form. Default: no receiver; states are kept and shown. */
  readonly notify?: string | undefined
  /** Reads a secret that the configuration keeps in a file or an environment variable. */
  readonly readSecret?: ((source: { readonly file: string } | { readonly env: string }) => string) | undefined
  /** Time moves only by `POST /test/clock`, for tests. */
  readonly testClock?: TestClock | undefined
}

/** Receivers of a server without a configuration: alerts are shown, nobody is notified. */
const NO_RECEIVERS = 'route: { receiver: none }\nreceivers: [{ name: none }]\n'

/** One evaluation, its repetitions included, takes at most this long, in milliseconds (M15). */
const EVALUATION_MS = 30_000

/** Pauses before a query is repeated that met a busy server, in milliseconds (M15). */
const RETRY_PAUSES_MS: readonly number[] = [1000, 3000]

/** Key under which evaluations wait for query workers, so that all monitors together have the share of one caller. */
const KEY_ID = 'alerting'

const systemClock: SendClock = {
  nowMs: () => Date.now(),
  schedule: (delayMs, run) => {
    const timer = setTimeout(run, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** Shifts each monitor by whole seconds of its interval (M3), so that evaluations spread evenly. */
function offsetOf(id: string, intervalMs: number): number {
  const seconds = Math.max(1, Math.floor(intervalMs / 1000))
  return (createHash('sha256').update(id).digest().readUInt32BE() % seconds) * 1000
}

/** Rights of a monitor's author now. Throws an Error with the reason if the author may not read. */
async function rightsOf(
  document: StoredDocument,
  backend: string | undefined,
  context: ServerContext,
): Promise<Access> {
  const { email } = monitorAuthor(document)
  const reached = await context.access?.accessOf(email, backend, false)
  if (reached === 'none' || reached?.roles?.has('read') === false)
    throw new Error(
      'the author of the monitor may not read this data any more; somebody with access must save its model',
    )
  return reached ?? { roles: undefined, scope: undefined }
}

/** A type, not an interface: it is written as JSON. */
// oxlint-disable-next-line typescript/consistent-type-definitions
type QueriesRequest = {
  readonly queries: PlainJson
  readonly intervalMs: number
  readonly atMs: number
}

/** Whether the author of a silence may see an alert. An author without access silences nothing. */
function maySilence(
  { body }: StoredDocument,
  tables: readonly string[] | undefined,
  labels: Labels,
  backend: string | undefined,
  { access }: ServerContext,
): boolean {
  const email = typeof body['email'] === 'string' ? body['email'] : undefined
  const reached = access?.accessOf(email, backend, false)
  if (reached === undefined) return true
  // Rights that are not at hand at once are not assumed.
  if (reached === 'none' || reached instanceof Promise) return false
  if (reached.scope === undefined) return true
  return tables !== undefined && labelVisibility(reached.scope, tables)(labels)
}

/** Runs the queries of monitors on the server's workers, with the rights of their authors. */
class MonitorQueries {
  readonly #context: ServerContext
  readonly #backend: string | undefined
  readonly #clock: SendClock
  readonly #end: AbortSignal

  constructor(context: ServerContext, backend: string | undefined, clock: SendClock, end: AbortSignal) {
    this.#context = context
    this.#backend = backend
    this.#clock = clock
    this.#end = end
  }

  /** Runs the queries of a monitor. Never rejects: every fault is the outcome of the evaluation. */
  run(intervalMs: number, atMs: number, document: StoredDocument): Promise<QueryOutcome> {
    const model = document.body['model'] as { readonly queries?: PlainJson } | undefined
    return this.#run({ queries: model?.queries ?? [], intervalMs, atMs }, document)
  }

  /** Runs the query of a template. Rejects with the reason if it fails. */
  async runText(text: string, atMs: number, document: StoredDocument): Promise<readonly TemplateSample[]> {
    const queries = [templateQuery(text)] as unknown as PlainJson
    return samplesOfOutcome(await this.#run({ queries, intervalMs: TEMPLATE_WINDOW_MS, atMs }, document))
  }

  async #run(request: QueriesRequest, document: StoredDocument): Promise<QueryOutcome> {
    const signal = AbortSignal.any([AbortSignal.timeout(EVALUATION_MS), this.#end])
    try {
      const rights = await rightsOf(document, this.#backend, this.#context)
      for (const pauseMs of RETRY_PAUSES_MS) {
        const outcome = await this.#attempt(request, rights, signal)
        if (outcome !== 'busy') return outcome
        await new Promise<void>((done) => this.#clock.schedule(pauseMs, done))
      }
      const outcome = await this.#attempt(request, rights, signal)
      return outcome === 'busy' ? { error: 'the server was too busy to run the queries' } : outcome
    } catch (error) {
      if (signal.aborted) return { error: `the queries took longer than ${EVALUATION_MS / 1000} s` }
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }

  async #attempt(
    request: QueriesRequest,
    { scope, storedScopes = [] }: Access,
    signal: AbortSignal,
  ): Promise<QueryOutcome | 'busy'> {
    const { workers, monitorQueries } = this.#context
    const backend = this.#backend
    if (workers === undefined) {
      const queries = decode(monitorModel, { queries: request.queries }).queries ?? []
      const caller = { backend, scope, signal, readsText: () => undefined }
      const outcome = await monitorQueries?.run({ ...request, queries }, caller)
      return outcome === undefined ? { error: 'the server has no data to query' } : decodeOutcome(outcome)
    }
    const { head, body } = await workers.answer({
      route: 'monitorQueries',
      path: new Map(),
      search: '',
      accept: null,
      contentType: 'application/json',
      body: new TextEncoder().encode(printJsonExact(request)),
      backend,
      scope: scope === undefined ? 'everything' : storedScopes,
      keyId: KEY_ID,
      traceId: `alerting-${request.atMs}`,
      signal,
    })
    const text = textOfAnswer({ ...head, body })
    if (head.status === 503) return 'busy'
    const json: unknown = JSON.parse(text)
    if (head.status === 200) return decodeOutcome(json as OutcomeJson)
    return { error: (json as { readonly message?: string }).message ?? `the query answered with ${head.status}` }
  }
}

/** The parts of the module that only a server with alerting loads. */
async function loadModules() {
  const [{ AlertingService }, notify] = await Promise.all([
    import('../../alerting/service/index.ts'),
    import('../../alerting/notify/index.ts'),
  ])
  return { AlertingService, ...notify }
}

type Modules = Awaited<ReturnType<typeof loadModules>>

/** The services of all backends of a server. */
export class ServerAlerting implements AlertingAccess {
  readonly #modules: Modules
  readonly #config: ReturnType<Modules['readNotifyConfig']>
  readonly #clock: SendClock
  readonly #services = new Map<string, AlertingService>()
  readonly #end = new AbortController()
  #hasStarted = false

  readonly #testClock: TestClock | undefined

  private constructor(modules: Modules, { notify = NO_RECEIVERS, readSecret, testClock }: AlertingSettings) {
    this.#modules = modules
    this.#config = modules.readNotifyConfig(notify, readSecret ?? (() => ''))
    this.#testClock = testClock
    this.#clock = testClock ?? systemClock
    if (testClock !== undefined) this.moveClock = (toMs) => this.#move(testClock, toMs)
  }

  /** Moves the test clock; missing with the clock of the system. */
  readonly moveClock?: (toMs: number) => Promise<void>

  /** The first move sets the time; evaluation begins there. */
  async #move(clock: TestClock, toMs: number): Promise<void> {
    await clock.moveTo(toMs, () => this.#idle())
    if (this.#hasStarted) return
    this.#hasStarted = true
    for (const service of this.#services.values()) service.start()
    await this.#idle()
  }

  async #idle(): Promise<void> {
    await Promise.all([...this.#services.values()].map((service) => service.idle()))
  }

  /** Rejects with SluiceError `notify-config/…` for a configuration that cannot be read. */
  static async create(settings: AlertingSettings): Promise<ServerAlerting> {
    return new ServerAlerting(await loadModules(), settings)
  }

  of(backend: string): AlertingService | undefined {
    return this.#services.get(backend)
  }

  /** Restores states and begins to evaluate. */
  start(context: ServerContext, documents: DocumentStore): void {
    const { AlertingService, AddressPolicy, sendDelivery } = this.#modules
    const config = this.#config
    const clock = this.#clock
    const tools = { addresses: new AddressPolicy(config.allowAddresses), clock }
    for (const id of context.backends) {
      // A request to the only backend names none.
      const backend = context.backends.length === 1 ? undefined : id
      const queries = new MonitorQueries(context, backend, clock, this.#end.signal)
      const service = new AlertingService({
        backend: backend ?? defaultBackendId,
        backendLabel: backend,
        store: documents,
        config,
        environment: { externalLabels: Labels.empty, externalUrl: config.externalUrl },
        clock,
        // With a test clock, evaluations are at multiples of the interval.
        ...(this.#testClock === undefined ? { offsetOf } : {}),
        runQueries: ({ intervalMs }, atMs, document) => queries.run(intervalMs, atMs, document),
        runTemplateQuery: (text, atMs, document) => queries.runText(text, atMs, document),
        maySilence: (silence, tables, labels) => maySilence(silence, tables, labels, backend, context),
        send: (delivery) => sendDelivery(delivery, tools),
        onFault: (message) => context.log.error({ backend: id, fault: message }, 'alerting'),
      })
      this.#services.set(backend ?? defaultBackendId, service)
    }
    this.#hasStarted = this.#testClock === undefined
    if (this.#hasStarted) for (const service of this.#services.values()) service.start()
  }

  /** Ends all evaluations and deliveries; states are on disk. */
  async close(): Promise<void> {
    const closing = [...this.#services.values()].map((service) => service.close())
    this.#end.abort()
    await Promise.all(closing)
  }
}
