import { printJsonExact, type Labels } from '../../data/index.ts'
import {
  monitorAuthor,
  type Actor,
  type DocumentBody,
  type DocumentStore,
  type StoredDocument,
} from '../../resources/index.ts'
import { isFiring } from '../alert.ts'
import { Evaluator, type EvaluatorStep, type MonitorStatus, type Tick } from '../evaluator.ts'
import {
  monitorTables,
  type MonitorDefinition,
  type MonitorRecord,
  type QueryOutcome,
  type TemplateEnvironment,
} from '../monitors/index.ts'
import {
  AlertmanagerApi,
  DeliveryRunner,
  Dispatcher,
  type ApiAnswer,
  type Delivery,
  type DispatcherState,
  type NotifyConfig,
  type SendOutcome,
  type RoutedAlert,
  type SendClock,
} from '../notify/index.ts'
import type { TemplateQuery, TemplateSample } from '../templates/index.ts'
import { deadMansAlert } from './dead-mans-switch.ts'
import {
  decodeHistory,
  decodeRecord,
  encodeHistory,
  encodeRecord,
  historyEntry,
  type HistoryEntry,
} from './record-json.ts'
import { EvaluationQueue, roundsOf, type EvaluationRound } from './evaluation-queue.ts'
import { SharedWrite } from './shared-write.ts'
import { StoredSilences } from './stored-silences.ts'

/** Maximum number of stored state changes of a monitor. */
const MAX_HISTORY = 100

/**
 * Maximum length of the labels in a monitor's stored state changes, UTF-16 units. They are written again at each state
 * change.
 */
const MAX_HISTORY_CHARS = 256 * 1024

/** Maximum time until an edit or a silence takes effect if no evaluation is due, ms. */
const MAX_SLEEP_MS = 1000

export interface AlertingOptions {
  /** Id of the backend whose monitors are evaluated. */
  readonly backend: string
  /** Value of the label `backend` of outgoing alerts. Default: no such label. */
  readonly backendLabel?: string | undefined
  /** Store of monitors, silences and evaluation states. */
  readonly store: DocumentStore
  readonly config: NotifyConfig
  readonly environment: Omit<TemplateEnvironment, 'query'>
  readonly clock: SendClock
  /** Runs the queries of a monitor at its scheduled time with the permissions of its author. Must not reject. */
  readonly runQueries: (definition: MonitorDefinition, atMs: number, document: StoredDocument) => Promise<QueryOutcome>
  /** Runs a query inside a template with the permissions of the monitor's author. */
  readonly runTemplateQuery: (
    text: string,
    definition: MonitorDefinition,
    atMs: number,
    document: StoredDocument,
  ) => Promise<readonly TemplateSample[]>
  /**
   * True if the author of a silence may see labels of rows in these tables. `tables` is `undefined` for alerts from
   * other programs.
   */
  readonly maySilence: (silence: StoredDocument, tables: readonly string[] | undefined, labels: Labels) => boolean
  /** Attempts a delivery once. Must not reject. */
  readonly send: (delivery: Delivery) => Promise<SendOutcome>
  /**
   * Called for errors that no caller receives: a state that could not be written, or a receiver that fails or is
   * unknown.
   */
  readonly onFault: (message: string) => void
  /** Returns the delay of the evaluations of a source, ms. By default, evaluations are not delayed. */
  readonly offsetOf?: (source: string, intervalMs: number) => number
}

/** Counters since the start of the service. */
export interface AlertingFigures {
  evaluations: number
  failures: number
  /** Delay of the latest evaluation after its scheduled time, ms. */
  latenessMs: number
  /** Number of due evaluations that wait in the queue. */
  waiting: number
  delivered: number
  failedDeliveries: number
}

/** Returns the newest entries of a history, oldest first: at least one, and more within the limits. */
function latestEntries(history: readonly HistoryEntry[]): readonly HistoryEntry[] {
  let first = history.length
  let chars = 0
  while (first > Math.max(0, history.length - MAX_HISTORY)) {
    chars += history[first - 1]?.labels.chars ?? 0
    if (chars > MAX_HISTORY_CHARS && first < history.length) break
    first--
  }
  return history.slice(first)
}

const STATE_PREFIX = 'monitor:'
const NOTIFICATIONS = 'notifications'

/**
 * Evaluates the monitors of one backend and notifies receivers. States are on disk before a notification is sent, and a
 * restart continues from them.
 */
export class AlertingService {
  readonly figures: AlertingFigures = {
    evaluations: 0,
    failures: 0,
    latenessMs: 0,
    waiting: 0,
    delivered: 0,
    failedDeliveries: 0,
  }
  readonly #options: AlertingOptions
  readonly #actor: Actor
  readonly #evaluator: Evaluator
  readonly #silences: StoredSilences
  readonly #dispatcher: Dispatcher
  readonly #runner: DeliveryRunner
  readonly #history = new Map<string, readonly HistoryEntry[]>()
  readonly #documents = new Map<string, StoredDocument>()
  readonly #queue: EvaluationQueue
  /** Integrations whose latest attempt failed, with the reason. */
  readonly #failing = new Map<string, string>()
  /** Names of receivers that monitors use but the configuration lacks, by monitor, as last reported. */
  #unknownReceivers: ReadonlyMap<string, string> = new Map()
  readonly #running = new Set<Promise<void>>()
  readonly #startedAtMs: number
  #epoch: string | undefined
  /** Writes the notification state. */
  readonly #notifications: SharedWrite
  /** Monitors whose latest state could not be written. Writing is repeated until it succeeds. */
  readonly #unwritten = new Set<string>()
  /** Write errors reported since the last successful write. */
  readonly #writeFaults = new Set<string>()
  #cancelTimer: () => void = () => {}
  #isClosed = false

  constructor(options: AlertingOptions) {
    this.#options = options
    const { backend, store, environment, clock, offsetOf } = options
    this.#actor = { backend, by: 'alerting', email: undefined }
    this.#startedAtMs = clock.nowMs()
    this.#queue = new EvaluationQueue(
      () => clock.nowMs(),
      (round) => this.#track(this.#evaluateRound(round)),
    )
    this.#evaluator = new Evaluator({
      environment,
      ...(offsetOf === undefined ? {} : { offsetOf }),
      onUnusable: ({ id, body }, reason) => {
        const name = printJsonExact(body['title'] ?? id)
        options.onFault(`the monitor ${name} (${id}) is not evaluated until it is edited: ${reason}`)
      },
    })
    this.#silences = new StoredSilences(store, backend, (silence, labels) => this.#maySilence(silence, labels))
    this.#notifications = new SharedWrite(async () => {
      const body = this.#dispatcher.exportState() as unknown as DocumentBody
      await store.write(this.#actor, (tx) => tx.putState(NOTIFICATIONS, body))
      this.#writeFaults.clear()
    })
    this.#dispatcher = this.#restoredDispatcher()
    this.#runner = new DeliveryRunner({
      dispatcher: this.#dispatcher,
      clock,
      send: options.send,
      persist: () => this.#notifications.run(),
      onOutcome: (delivery, outcome) => this.#onOutcome(delivery, outcome),
    })
    this.#restore()
  }

  /** Evaluates monitors at their scheduled times until `close`. */
  start(): void {
    if (this.#isClosed) return
    const { clock, onFault } = this.#options
    try {
      this.#begin()
    } catch (error) {
      onFault(String(error))
    }
    const delayMs = Math.min(MAX_SLEEP_MS, Math.max(0, this.#evaluator.nextMs - clock.nowMs()))
    this.#cancelTimer = clock.schedule(delayMs, () => this.start())
  }

  /**
   * Starts all due evaluations. Resolves when they have ended and changed states are written; the resulting deliveries
   * may still be in flight.
   */
  async run(): Promise<void> {
    this.#begin()
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  #begin(): void {
    const nowMs = this.#options.clock.nowMs()
    this.#readMonitors(nowMs)
    this.#queue.add(roundsOf(this.#evaluator.due(nowMs), (tick) => this.#roundKey(tick)))
    this.figures.waiting = this.#queue.size
    this.#renewDeadMansSwitch(nowMs)
    if (this.#unwritten.size > 0) void this.#track(this.#apply([]))
    this.#runner.wake()
  }

  #renewDeadMansSwitch(nowMs: number): void {
    const { config, backendLabel } = this.#options
    const alert = deadMansAlert(config, backendLabel, this.#startedAtMs, nowMs)
    if (alert !== undefined) this.#dispatcher.receive([alert], nowMs)
  }

  /** Resolves when no evaluation or delivery is in flight and all states are written. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
    await this.#runner.idle()
    await this.#notifications.idle()
  }

  /** Cancels evaluations in flight and starts no further ones. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelTimer()
    this.#queue.clear()
    await Promise.all(this.#running)
    await this.#runner.close()
    await this.#notifications.idle()
  }

  status(id: string): MonitorStatus | undefined {
    this.#readMonitors(this.#options.clock.nowMs())
    return this.#evaluator.status(id)
  }

  /** Returns the reason why a stored monitor cannot be evaluated; `undefined` if it can be evaluated. */
  unusableReason(id: string): string | undefined {
    this.#readMonitors(this.#options.clock.nowMs())
    return this.#evaluator.unusableReason(id)
  }

  /** Returns the latest state changes of a monitor, oldest first. */
  history(id: string): readonly HistoryEntry[] {
    return this.#history.get(id) ?? []
  }

  /** Returns the dispatcher, for access to alerts, groups and failed deliveries. */
  get dispatcher(): Dispatcher {
    return this.#dispatcher
  }

  /** Returns the ids of the silences that suppress an instance of a monitor now. */
  silencedBy(id: string, labels: Labels): readonly string[] {
    return this.#silences.silencedBy(this.#outgoingLabels(id, labels), this.#options.clock.nowMs())
  }

  /** Receives alerts of rule files. Resolves when they are on disk; deliveries may still be in flight. */
  async receive(alerts: readonly RoutedAlert[]): Promise<void> {
    this.#dispatcher.receive(alerts, this.#options.clock.nowMs())
    await this.#notifications.run().catch(this.#onUnwritten)
    this.#runner.wake()
  }

  /** Ends an alert that `autoResolve: false` keeps firing. Returns false if no such alert is firing. */
  async resolve(id: string, labels: Labels): Promise<boolean> {
    const step = this.#evaluator.resolve(id, labels, this.#options.clock.nowMs())
    if (step === undefined) return false
    await this.#apply([step])
    return true
  }

  /**
   * Attempts a failed delivery again. Returns false if no delivery has this id or if its group has no alerts any more.
   */
  resend(id: string): boolean {
    const isFound = this.#dispatcher.resend(id, this.#options.clock.nowMs())
    this.#runner.wake()
    return isFound
  }

  #maySilence(silence: StoredDocument, labels: Labels): boolean {
    const status = this.#evaluator.status(labels.get('monitor_id'))
    const tables = status === undefined ? undefined : monitorTables(status.definition.queries)
    return this.#options.maySilence(silence, tables, labels)
  }

  /**
   * Returns the labels that receivers and silences see: those of an alert, the monitor's id, and the backend if there
   * are several (M28).
   */
  #outgoingLabels(id: string, labels: Labels): Labels {
    const { backendLabel } = this.#options
    const named = labels.with('monitor_id', id)
    return backendLabel === undefined ? named : named.with('backend', backendLabel)
  }

  #outgoing(id: string, alert: RoutedAlert): RoutedAlert {
    return { ...alert, labels: this.#outgoingLabels(id, alert.labels) }
  }

  /** Answers a request of Alertmanager's API. Posted alerts are on disk when it resolves. */
  async alertmanager(
    actor: Actor,
    makeId: () => string,
    request: { readonly method: string; readonly path: string; readonly query: URLSearchParams; readonly body: string },
  ): Promise<ApiAnswer> {
    const api = new AlertmanagerApi({
      dispatcher: this.#dispatcher,
      silences: this.#silences.storeFor(actor),
      nowMs: () => this.#options.clock.nowMs(),
      startedAtMs: this.#startedAtMs,
      makeId,
    })
    const answer = await api.handle(request.method, request.path, request.query, request.body)
    if (request.method !== 'GET') {
      await this.#notifications.run()
      this.#runner.wake()
    }
    return answer
  }

  /** Restores the dispatcher. If its stored state cannot be read, firing alerts are notified again. */
  #restoredDispatcher(): Dispatcher {
    const { backend, store, config, clock, onFault } = this.#options
    const saved = store.read(backend, (view) => view.get('alerting', NOTIFICATIONS))
    try {
      if (saved !== undefined)
        return Dispatcher.restore(config, this.#silences, saved.body as unknown as DispatcherState, clock.nowMs())
    } catch (error) {
      onFault(`the stored log of notifications cannot be read, so firing alerts are notified again: ${String(error)}`)
    }
    return new Dispatcher(config, this.#silences)
  }

  #restore(): void {
    const { backend, store, clock, onFault } = this.#options
    const nowMs = clock.nowMs()
    const records = new Map<string, MonitorRecord>()
    for (const { id: key, body } of store.read(backend, (view) => view.list('alerting'))) {
      if (!key.startsWith(STATE_PREFIX)) continue
      const id = key.slice(STATE_PREFIX.length)
      try {
        records.set(id, decodeRecord(body))
        this.#history.set(id, decodeHistory(body['history']))
      } catch (error) {
        onFault(`the stored state of the monitor ${id} cannot be read, so it starts as Normal: ${String(error)}`)
      }
    }
    this.#readMonitors(nowMs, records)
    const firing = [...this.#evaluator.statuses()].flatMap((status) => {
      const { id } = status.definition
      return this.#evaluator.alertsOf(status).map((alert) => this.#outgoing(id, alert))
    })
    const keys = new Set(firing.map(({ labels }) => labels.key))
    // A monitor that was deleted while the service was stopped has no state that ends its alerts, so they end here
    // (M39).
    const ended = this.#dispatcher
      .alerts()
      .filter((alert) => alert.isTimeout !== true && alert.labels.get('monitor_id') !== '' && isFiring(alert, nowMs))
      .filter(({ labels }) => !keys.has(labels.key))
    this.#dispatcher.receive([...firing, ...ended.map((alert) => ({ ...alert, endsAtMs: nowMs }))], nowMs)
    const deleted = [...records.keys()].filter((id) => !this.#documents.has(id))
    for (const id of deleted) this.#history.delete(id)
    if (deleted.length === 0) return
    void this.#track(
      store.write(this.#actor, (tx) => {
        for (const id of deleted) tx.putState(`${STATE_PREFIX}${id}`, undefined)
      }),
    )
  }

  /** Applies edits of monitors since the last call. */
  #readMonitors(nowMs: number, records?: Parameters<Evaluator['update']>[2]): void {
    const { backend, store } = this.#options
    const epoch = store.epoch()
    if (epoch === this.#epoch) return
    this.#epoch = epoch
    const monitors = store.read(backend, (view) => view.list('monitor'))
    this.#documents.clear()
    for (const document of monitors) this.#documents.set(document.id, document)
    const steps = this.#evaluator.update(monitors, nowMs, records)
    this.#queue.keepOnly(() => new Set([...this.#evaluator.statuses()].map((status) => this.#roundKey(status))))
    this.#reportUnknownReceivers()
    if (steps.length > 0) void this.#track(this.#apply(steps))
  }

  #reportUnknownReceivers(): void {
    const { config, onFault } = this.#options
    const found = new Map<string, string>()
    for (const { definition } of this.#evaluator.statuses()) {
      const { id, alertName, notification } = definition
      const unknown = notification.receivers.filter((name) => !config.receivers.has(name))
      if (unknown.length === 0) continue
      const names = unknown.map((name) => JSON.stringify(name)).join(', ')
      found.set(id, names)
      if (this.#unknownReceivers.get(id) === names) continue
      onFault(`\`routing\` of the monitor ${JSON.stringify(alertName)} names receivers that do not exist: ${names}`)
    }
    this.#unknownReceivers = found
  }

  /** Tracks work in flight. An error is reported. Resolves when the work has ended, even with an error. */
  #track(work: Promise<void>): Promise<void> {
    const tracked: Promise<void> = work
      .catch((error: unknown) => this.#options.onFault(String(error)))
      .finally(() => this.#running.delete(tracked))
    this.#running.add(tracked)
    return tracked
  }

  /** Returns a key of a monitor's queries and author. Monitors with equal keys share the answers. */
  #roundKey({ definition: { id }, source }: Pick<MonitorStatus, 'definition' | 'source'>): string {
    const document = this.#documents.get(id)
    return JSON.stringify([document && monitorAuthor(document).email, source])
  }

  /** Runs the queries of a round once and evaluates its monitors from the answer. */
  async #evaluateRound({ atMs, ticks }: EvaluationRound): Promise<void> {
    this.figures.waiting = this.#queue.size
    // Skips monitors that were edited meanwhile, since they have other queries (M43).
    const current = ticks.filter(({ definition }) => this.#evaluator.status(definition.id)?.definition === definition)
    const [first] = current
    const document = first && this.#documents.get(first.definition.id)
    if (first === undefined || document === undefined) return
    const { clock, runQueries } = this.#options
    this.figures.latenessMs = Math.max(0, clock.nowMs() - atMs)
    const outcome = await runQueries(first.definition, atMs, document)
    await Promise.all(current.map((tick) => this.#evaluate(tick, outcome)))
  }

  async #evaluate(tick: Tick, outcome: QueryOutcome): Promise<void> {
    const document = this.#documents.get(tick.definition.id)
    // When the service ends, queries are interrupted; this is not an error of the monitor.
    if (document === undefined || this.#isClosed) return
    this.figures.evaluations++
    if ('error' in outcome) this.figures.failures++
    const { runTemplateQuery } = this.#options
    const query: TemplateQuery = (text, atMs) => runTemplateQuery(text, tick.definition, atMs, document)
    const step = await this.#evaluator.evaluate(tick, outcome, query)
    if (step !== undefined) await this.#apply([step])
  }

  /** Passes alerts to the dispatcher and writes changed states; deliveries begin afterwards. */
  async #apply(steps: readonly EvaluatorStep[]): Promise<void> {
    for (const { id, transitions } of steps) {
      if (transitions.length === 0) continue
      const history = [...(this.#history.get(id) ?? []), ...transitions.map(historyEntry)]
      this.#history.set(id, latestEntries(history))
    }
    // Passed to the dispatcher first, so that a single write contains the states and the resolved alerts.
    this.#dispatcher.receive(
      steps.flatMap(({ id, alerts }) => alerts.map((alert) => this.#outgoing(id, alert))),
      this.#options.clock.nowMs(),
    )
    const changed = new Set([...this.#unwritten, ...steps.filter(({ isChanged }) => isChanged).map(({ id }) => id)])
    // If alerts only keep firing, the state that a restart needs does not change.
    const hasTransitions = this.#unwritten.size > 0 || steps.some(({ transitions }) => transitions.length > 0)
    if (changed.size > 0) await this.#writeStates([...changed], hasTransitions)
    this.#runner.wake()
  }

  /** Writes the states of monitors, together with the notification state if alerts have changed. Reports an error. */
  async #writeStates(ids: readonly string[], withNotifications: boolean): Promise<void> {
    const { store } = this.#options
    for (const id of ids) this.#unwritten.delete(id)
    const notifications = withNotifications ? (this.#dispatcher.exportState() as unknown as DocumentBody) : undefined
    const states = ids.map((id): readonly [string, DocumentBody | undefined] => {
      const status = this.#evaluator.status(id)
      if (status === undefined) return [`${STATE_PREFIX}${id}`, undefined]
      const history = encodeHistory(this.history(id))
      return [`${STATE_PREFIX}${id}`, { ...encodeRecord(status.record), history }]
    })
    try {
      await store.write(this.#actor, (tx) => {
        for (const [id, body] of states) tx.putState(id, body)
        if (notifications !== undefined) tx.putState(NOTIFICATIONS, notifications)
      })
      this.#epoch = store.epoch() === this.#epoch ? this.#epoch : undefined
      this.#writeFaults.clear()
    } catch (error) {
      for (const id of ids) this.#unwritten.add(id)
      this.#reportUnwritten('the state of alerts', error)
    }
  }

  #onOutcome({ receiver, integration }: Delivery, outcome: SendOutcome): void {
    if (outcome.kind === 'success') this.figures.delivered++
    else this.figures.failedDeliveries++
    const name = `${receiver}/${integration.id}`
    // Only a change of the reason is reported; the list of failed deliveries has every failure.
    const reason = outcome.kind === 'success' ? undefined : outcome.reason
    if (reason !== undefined && reason !== this.#failing.get(name))
      this.#options.onFault(`notifications to ${name} fail: ${reason}`)
    if (reason === undefined) this.#failing.delete(name)
    else this.#failing.set(name, reason)
    this.#notifications.run().catch(this.#onUnwritten)
  }

  readonly #onUnwritten = (error: unknown): void => this.#reportUnwritten('the log of notifications', error)

  /** Reports a write error once, until a write succeeds. */
  #reportUnwritten(what: string, error: unknown): void {
    const fault = `${what} could not be written: ${error instanceof Error ? error.message : String(error)}`
    if (this.#writeFaults.has(fault)) return
    this.#writeFaults.add(fault)
    this.#options.onFault(fault)
  }
}
