import type { Labels } from '../../data/index.ts'
import type { Actor, DocumentBody, DocumentStore } from '../../resources/index.ts'
import type { Alert } from '../alert.ts'
import type { SendClock } from '../notify/index.ts'
import {
  RuleGroup,
  readRuleFiles,
  type FileGroup,
  type GroupState,
  type GroupStatus,
  type RuleEnvironment,
  type RuleFile,
  type RuleQueries,
  type SampleSink,
} from '../rules/index.ts'

/** Default interval between evaluations of a group, ms: the default of Prometheus's `evaluation_interval`. */
const DEFAULT_INTERVAL_MS = 60_000

/** Interval after which a firing alert is sent again, ms, as in Prometheus. */
const RESEND_DELAY_MS = 60_000

/** Maximum time between two checks for due groups, ms, so that a group is checked soon after a late evaluation. */
const MAX_SLEEP_MS = 1000

const STATE_PREFIX = 'rules:'

export interface RuleServiceOptions {
  /** Id of the backend in whose documents the states of groups are stored. */
  readonly backend: string
  readonly store: DocumentStore
  readonly clock: SendClock
  /** Monotonic clock for measuring evaluations, ms. */
  readonly monotonicMs: () => number
  readonly queries: RuleQueries
  readonly sink: SampleSink
  /** Labels of this server: visible in templates, and added to alerts that are sent. */
  readonly externalLabels: Labels
  /** Base URL of links to this server. */
  readonly externalUrl: string
  /** Receives alerts for delivery. Called after the state of their group is on disk. */
  readonly receive: (alerts: readonly Alert[]) => Promise<void>
  /** Called for errors that no caller receives, such as a state that could not be written. */
  readonly onFault: (message: string) => void
  /** Returns the delay of the evaluations of a group, ms. By default, evaluations are not delayed. */
  readonly offsetOf?: (id: string, intervalMs: number) => number
}

/** Counters since the start of the service. */
export interface RuleFigures {
  /** Number of evaluations of single rules. */
  evaluations: number
  failures: number
  /** Delay of the latest evaluation of a group after its scheduled time, ms. */
  latenessMs: number
  /** Number of groups that are due while their previous evaluation is in flight. */
  waiting: number
}

interface ScheduledGroup {
  readonly key: string
  group: RuleGroup
  /** Time of the next evaluation: a multiple of the interval plus the offset. */
  nextMs: number
  /** The evaluation in flight. */
  running: Promise<void> | undefined
  /** New definition that replaces the group after the evaluation in flight. */
  next: RuleGroup | undefined
  isRemoved: boolean
  /** The stored state as JSON; empty if there is none. */
  saved: string
}

/** Returns the unique key of a group's document, from the names of file and group. */
function keyOf({ file, definition }: FileGroup): string {
  return `${STATE_PREFIX}${JSON.stringify([file, definition.name])}`
}

/**
 * Evaluates the groups of rule files. Groups are independent. A group has at most one evaluation in flight, and skips
 * the rounds that it misses. Its state is on disk before its alerts are delivered, and a restart continues from it.
 */
export class RuleService {
  readonly figures: RuleFigures = { evaluations: 0, failures: 0, latenessMs: 0, waiting: 0 }
  readonly #options: RuleServiceOptions
  readonly #actor: Actor
  readonly #environment: RuleEnvironment
  readonly #running = new Set<Promise<void>>()
  /** Texts of the files by name. */
  #texts: ReadonlyMap<string, string> = new Map()
  #groups: ReadonlyMap<string, ScheduledGroup> = new Map()
  #cancelTimer: () => void = () => {}
  #isClosed = false
  /** Error of the latest write; empty after a success. */
  #writeFault = ''

  /** Throws SourceError for an invalid file, and SluiceError `rules/duplicate-file`. */
  constructor(options: RuleServiceOptions, files: readonly RuleFile[]) {
    this.#options = options
    const { backend, store, queries, sink, externalLabels, externalUrl, monotonicMs } = options
    this.#actor = { backend, by: 'alerting', email: undefined }
    this.#environment = {
      queries,
      sink,
      externalLabels,
      externalUrl,
      intervalMs: DEFAULT_INTERVAL_MS,
      resendDelayMs: RESEND_DELAY_MS,
      monotonicMs,
    }
    this.reload(files)
    for (const { id, body } of store.read(backend, (view) => view.list('alerting'))) {
      if (!id.startsWith(STATE_PREFIX)) continue
      const entry = this.#groups.get(id)
      if (entry === undefined) this.#track(this.#write(id, undefined).then(() => undefined))
      else {
        try {
          entry.group.restore(body as unknown as GroupState)
          entry.saved = JSON.stringify(body)
        } catch (error) {
          options.onFault(`the stored state of ${id} cannot be read, so \`for\` begins again: ${String(error)}`)
        }
      }
    }
  }

  /** Evaluates groups at their scheduled times until `close`. */
  start(): void {
    if (this.#isClosed) return
    this.run()
    const { clock } = this.#options
    let nextMs = clock.nowMs() + MAX_SLEEP_MS
    for (const entry of this.#groups.values()) if (entry.running === undefined) nextMs = Math.min(nextMs, entry.nextMs)
    this.#cancelTimer = clock.schedule(Math.max(0, nextMs - clock.nowMs()), () => this.start())
  }

  /** Starts the evaluations that are due. */
  run(): void {
    const nowMs = this.#options.clock.nowMs()
    const due = [...this.#groups.values()].filter(({ nextMs }) => nextMs <= nowMs)
    for (const entry of due) if (entry.running === undefined) this.#begin(entry, nowMs)
    this.figures.waiting = due.filter(({ nextMs }) => nextMs <= nowMs).length
  }

  /** Resolves when no evaluation is in flight, and the states are written. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** Waits for the evaluations in flight, without delivering their alerts, and starts no further ones. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelTimer()
    await this.idle()
  }

  /** Returns the states of all groups in file order. */
  status(): readonly GroupStatus[] {
    return [...this.#groups.values()].map(({ group }) => group.status())
  }

  /**
   * Replaces the rules with new versions of the files. Rules with the same name and labels in the same group keep their
   * alerts; groups of unchanged files continue. On an error it throws like the constructor and changes nothing.
   */
  reload(files: readonly RuleFile[]): void {
    const read = readRuleFiles(files)
    const before = this.#texts
    this.#texts = new Map(files.map(({ name, text }) => [name, text]))
    const known = this.#groups
    this.#groups = new Map(
      read.map((each) => {
        const key = keyOf(each)
        const { file, definition } = each
        const entry = known.get(key)
        if (entry !== undefined && before.get(file) === this.#texts.get(file)) return [key, entry]
        const group = new RuleGroup(file, definition, this.#environment)
        if (entry === undefined) return [key, this.#scheduled(key, group)]
        this.#replace(entry, group)
        return [key, entry]
      }),
    )
    for (const [key, entry] of known) {
      if (this.#groups.has(key)) continue
      entry.isRemoved = true
      const { file, definition } = entry.group
      this.#replace(entry, new RuleGroup(file, { ...definition, rules: [] }, this.#environment))
    }
  }

  #scheduled(key: string, group: RuleGroup): ScheduledGroup {
    const nextMs = this.#firstTick(key, group, this.#options.clock.nowMs())
    return { key, group, nextMs, running: undefined, next: undefined, isRemoved: false, saved: '' }
  }

  /** Returns the first scheduled time of a group at or after `fromMs`. */
  #firstTick(key: string, { intervalMs }: RuleGroup, fromMs: number): number {
    const offsetMs = this.#options.offsetOf?.(key, intervalMs) ?? 0
    return Math.ceil((fromMs - offsetMs) / intervalMs) * intervalMs + offsetMs
  }

  /** Replaces a group now or, since its state is inconsistent during an evaluation, after the evaluation in flight. */
  #replace(entry: ScheduledGroup, next: RuleGroup): void {
    entry.next = next
    if (entry.running === undefined) this.#exchange(entry)
  }

  #exchange(entry: ScheduledGroup): void {
    const { next } = entry
    if (next === undefined) return
    entry.next = undefined
    next.takeOver(entry.group)
    entry.group = next
    const nowMs = this.#options.clock.nowMs()
    if (!entry.isRemoved) entry.nextMs = this.#firstTick(entry.key, next, nowMs)
    // Evaluating a group without rules only writes stale markers for its previous series.
    else this.#track(next.evaluate(nowMs).then(() => this.#save(entry)))
  }

  #begin(entry: ScheduledGroup, nowMs: number): void {
    const { intervalMs } = entry.group
    // The latest due time; earlier ones were missed.
    const atMs = this.#firstTick(entry.key, entry.group, nowMs - intervalMs + 1)
    entry.nextMs = atMs + intervalMs
    entry.running = this.#evaluate(entry, atMs).finally(() => {
      entry.running = undefined
      this.#exchange(entry)
    })
    this.#track(entry.running)
  }

  async #evaluate(entry: ScheduledGroup, atMs: number): Promise<void> {
    const { figures } = this
    const { group } = entry
    figures.latenessMs = Math.max(0, this.#options.clock.nowMs() - atMs)
    const alerts = await group.evaluate(atMs)
    // When the service ends, queries are interrupted; this is not an error of the rule.
    if (this.#isClosed) return
    const { rules } = group.status()
    figures.evaluations += rules.length
    figures.failures += rules.filter(({ health }) => health === 'err').length
    await this.#save(entry)
    if (alerts.length > 0) await this.#options.receive(alerts)
  }

  /** Writes the state of a group if it has changed. */
  async #save(entry: ScheduledGroup): Promise<void> {
    // Another reload has added a group with this name again, whose state must not be overwritten.
    if (entry.isRemoved && this.#groups.has(entry.key)) return
    const state = entry.group.exportState()
    const text = state.alerts.length === 0 ? '' : JSON.stringify(state)
    if (text === entry.saved) return
    if (await this.#write(entry.key, text === '' ? undefined : (state as unknown as DocumentBody))) entry.saved = text
  }

  /** Writes or removes a document. Returns false if this fails. An error is reported once, until a write succeeds. */
  async #write(key: string, body: DocumentBody | undefined): Promise<boolean> {
    try {
      await this.#options.store.write(this.#actor, (tx) => tx.putState(key, body))
      this.#writeFault = ''
      return true
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error)
      if (fault !== this.#writeFault) this.#options.onFault(`the state of rules could not be written: ${fault}`)
      this.#writeFault = fault
      return false
    }
  }

  #track(work: Promise<void>): void {
    const tracked: Promise<void> = work
      .catch((error: unknown) => this.#options.onFault(String(error)))
      .finally(() => this.#running.delete(tracked))
    this.#running.add(tracked)
  }
}
