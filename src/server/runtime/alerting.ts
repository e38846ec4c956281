import { createHash } from 'node:crypto'
import {
  TEMPLATE_WINDOW_MS,
  decodeOutcome,
  samplesOfOutcome,
  templateQuery,
  type QueryOutcome,
  type TemplateSample,
} from '../../alerting/index.ts'
import type { SendClock } from '../../alerting/notify/index.ts'
import type { GroupStatus } from '../../alerting/rules/index.ts'
import type { AlertingFigures, AlertingService, TestClock } from '../../alerting/service/index.ts'
import { Labels, type PlainJson } from '../../data/index.ts'
import { monitorAuthor, type DocumentStore, type StoredDocument } from '../../resources/index.ts'
import type { Access } from '../auth/auth-context.ts'
import type { AlertingAccess, ServerContext } from '../routes/definition/context.ts'
import { monitorQueries, type MonitorQueriesBody } from '../routes/monitor-queries.ts'
import { labelVisibility } from '../search/label-visibility.ts'
import type { ServerAlertingFigures } from './alerting-gauges.ts'
import { InternalQueries, systemClock } from './internal-queries.ts'
import { ServerRules, type RuleSource } from './rules.ts'

/** Alerting settings for `createServer`. */
export interface AlertingSettings {
  /** Text of a configuration in Alertmanager's format. Default: no receivers; states are still evaluated and shown. */
  readonly notify?: string | undefined
  /** Reads a secret that the configuration refers to in a file or an environment variable. */
  readonly readSecret?: ((source: { readonly file: string } | { readonly env: string }) => string) | undefined
  /** Prometheus rule files, evaluated over the first backend. A function is called again every 10 s. */
  readonly rules?: RuleSource | undefined
  /** Labels of this server: visible in templates, and added to alerts of rules. */
  readonly externalLabels?: Readonly<Record<string, string>> | undefined
  /** For tests: time advances only by `POST /test/clock`. */
  readonly testClock?: TestClock | undefined
}

/** Configuration of a server without receivers: alerts are shown, but no notifications are sent. */
const NO_RECEIVERS = 'route: { receiver: none }\nreceivers: [{ name: none }]\n'

/**
 * Returns the offset of evaluations within the interval of their source or group, in whole seconds (M3). Different
 * offsets spread the load.
 */
function offsetOf(source: string, intervalMs: number): number {
  const seconds = Math.max(1, Math.floor(intervalMs / 1000))
  return (createHash('sha256').update(source).digest().readUInt32BE() % seconds) * 1000
}

/**
 * Returns the current permissions of a monitor's author. Throws an Error with the reason if the author may not read.
 */
async function rightsOf(document: StoredDocument, backend: string, context: ServerContext): Promise<Access> {
  const { email } = monitorAuthor(document)
  const reached = await context.access?.accessOf(email, backend, false)
  if (reached === 'none' || reached?.roles?.has('read') === false)
    throw new Error(
      'the author of the monitor may not read this data any more; somebody with access must save its model',
    )
  return reached ?? { roles: undefined, scope: undefined }
}

/** True if the author of a silence may see an alert. Silences of an author without access have no effect. */
function maySilence(
  { body }: StoredDocument,
  tables: readonly string[] | undefined,
  labels: Labels,
  backend: string,
  { access }: ServerContext,
): boolean {
  const email = typeof body['email'] === 'string' ? body['email'] : undefined
  const reached = access?.accessOf(email, backend, false)
  if (reached === undefined) return true
  // Permissions that are not available synchronously count as none.
  if (reached === 'none' || reached instanceof Promise) return false
  if (reached.scope === undefined) return true
  return tables !== undefined && labelVisibility(reached.scope, tables)(labels)
}

/** Runs the queries of monitors on the server's workers, with the permissions of their authors. */
class MonitorQueries {
  readonly #context: ServerContext
  readonly #backend: string
  readonly #queries: InternalQueries

  constructor(context: ServerContext, backend: string, queries: InternalQueries) {
    this.#context = context
    this.#backend = backend
    this.#queries = queries
  }

  /** Runs the queries of a monitor. Never rejects: every error is the outcome of the evaluation. */
  run(intervalMs: number, atMs: number, document: StoredDocument): Promise<QueryOutcome> {
    const model = document.body['model'] as { readonly queries?: PlainJson } | undefined
    return this.#run({ queries: model?.queries ?? [], intervalMs, atMs }, intervalMs, document)
  }

  /** Runs a query inside a template. Rejects with the reason if it fails. */
  async runText(
    text: string,
    intervalMs: number,
    atMs: number,
    document: StoredDocument,
  ): Promise<readonly TemplateSample[]> {
    const request = { queries: [templateQuery(text)] as unknown as PlainJson, intervalMs: TEMPLATE_WINDOW_MS, atMs }
    return samplesOfOutcome(await this.#run(request, intervalMs, document))
  }

  /** Runs queries of a monitor. They must end within its evaluation interval (M15). */
  async #run(request: MonitorQueriesBody, intervalMs: number, document: StoredDocument): Promise<QueryOutcome> {
    try {
      const rights = await rightsOf(document, this.#backend, this.#context)
      return decodeOutcome(await this.#queries.run(monitorQueries, request, rights, intervalMs))
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }
}

/** Loads modules that only a server with alerting needs. */
async function loadModules() {
  const [{ AlertingService, RuleService }, notify] = await Promise.all([
    import('../../alerting/service/index.ts'),
    import('../../alerting/notify/index.ts'),
  ])
  return { AlertingService, RuleService, ...notify }
}

type Modules = Awaited<ReturnType<typeof loadModules>>

/** Alerting services of all backends. */
export class ServerAlerting implements AlertingAccess {
  readonly #modules: Modules
  readonly #config: ReturnType<Modules['readNotifyConfig']>
  readonly #clock: SendClock
  readonly #services = new Map<string, AlertingService>()
  readonly #end = new AbortController()
  #hasStarted = false

  readonly #testClock: TestClock | undefined
  readonly #externalLabels: Labels
  readonly #rules: ServerRules | undefined

  private constructor(modules: Modules, settings: AlertingSettings) {
    const { notify = NO_RECEIVERS, readSecret, testClock, rules, externalLabels } = settings
    this.#modules = modules
    this.#externalLabels = Labels.of(externalLabels ?? {})
    this.#rules = rules && new ServerRules(rules)
    this.#config = modules.readNotifyConfig(notify, readSecret ?? (() => ''))
    this.#testClock = testClock
    this.#clock = testClock ?? systemClock
    if (testClock !== undefined) this.moveClock = (toMs) => this.#move(testClock, toMs)
  }

  /** Moves the test clock; missing if the system's clock is used. */
  readonly moveClock?: (toMs: number) => Promise<void>

  /** The first move sets the time at which evaluation begins. */
  async #move(clock: TestClock, toMs: number): Promise<void> {
    await clock.moveTo(toMs, () => this.#idle())
    if (this.#hasStarted) return
    this.#hasStarted = true
    this.#start()
    await this.#idle()
  }

  #start(): void {
    for (const service of this.#services.values()) service.start()
    this.#rules?.start()
  }

  async #idle(): Promise<void> {
    await this.#rules?.idle()
    await Promise.all([...this.#services.values()].map((service) => service.idle()))
  }

  /**
   * Rejects with SluiceError `notify-config/…` for an invalid configuration of receivers, with SourceError for invalid
   * rules.
   */
  static async create(settings: AlertingSettings): Promise<ServerAlerting> {
    return new ServerAlerting(await loadModules(), settings)
  }

  of(backend: string): AlertingService | undefined {
    return this.#services.get(backend)
  }

  rulesOf(backend: string): readonly GroupStatus[] {
    return this.#rules?.backend === backend ? this.#rules.status() : []
  }

  figures(): ServerAlertingFigures {
    const each = [...this.#services.values()].map(({ figures }) => figures)
    const sum = (name: keyof AlertingFigures): number => each.reduce((total, figures) => total + figures[name], 0)
    return {
      monitors: {
        evaluations: sum('evaluations'),
        failures: sum('failures'),
        latenessMs: Math.max(0, ...each.map(({ latenessMs }) => latenessMs)),
        waiting: sum('waiting'),
        delivered: sum('delivered'),
        failedDeliveries: sum('failedDeliveries'),
      },
      rules: this.#rules?.figures,
    }
  }

  /** Restores the states of monitors and rules, and starts evaluating. */
  start(context: ServerContext, documents: DocumentStore): void {
    const { AlertingService, RuleService, AddressPolicy, sendDelivery } = this.#modules
    const config = this.#config
    const clock = this.#clock
    const tools = { addresses: new AddressPolicy(config.allowAddresses), clock }
    // With a test clock, evaluations are at exact multiples of the interval.
    const spread = this.#testClock === undefined ? { offsetOf } : {}
    const environment = { externalLabels: this.#externalLabels, externalUrl: config.externalUrl }
    for (const id of context.backends) {
      const internal = new InternalQueries(context, id, this.#end.signal)
      const queries = new MonitorQueries(context, id, internal)
      const service = new AlertingService({
        backend: id,
        backendLabel: context.backends.length === 1 ? undefined : id,
        store: documents,
        config,
        environment,
        clock,
        ...spread,
        runQueries: ({ intervalMs }, atMs, document) => queries.run(intervalMs, atMs, document),
        runTemplateQuery: (text, { intervalMs }, atMs, document) => queries.runText(text, intervalMs, atMs, document),
        maySilence: (silence, tables, labels) => maySilence(silence, tables, labels, id, context),
        send: (delivery) => sendDelivery(delivery, tools),
        onFault: (message) => context.log.error({ backend: id, fault: message }, 'alerting'),
      })
      this.#services.set(id, service)
      if (id === context.backends[0])
        this.#rules?.open(RuleService, internal, {
          ...environment,
          ...spread,
          backend: id,
          store: documents,
          clock,
          monotonicMs: this.#testClock === undefined ? () => performance.now() : () => clock.nowMs(),
          receive: (alerts) => service.receive(alerts),
          context,
        })
    }
    this.#hasStarted = this.#testClock === undefined
    if (this.#hasStarted) this.#start()
  }

  /** Ends all evaluations and deliveries. Afterwards states are on disk. */
  async close(): Promise<void> {
    const closing = [...this.#services.values()].map((service) => service.close())
    const rulesClosed = this.#rules?.close()
    this.#end.abort()
    await Promise.all([rulesClosed, ...closing])
  }
}
