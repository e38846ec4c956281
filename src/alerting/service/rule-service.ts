import type { Labels } from '../../data/index.ts'
import type { Actor, Body, DocumentStore } from '../../resources/index.ts'
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

/** Time between evaluations of groups that state none, as Prometheus's `evaluation_interval`, in milliseconds. */
const DEFAULT_INTERVAL_MS = 60_000

/** Time after which a firing alert is sent again, as Prometheus has it, in milliseconds. */
const RESEND_DELAY_MS = 60_000

/** A group whose evaluation was late becomes due again within this time, in milliseconds. */
const MAX_SLEEP_MS = 1000

const STATE_PREFIX = 'rules:'

export interface RuleServiceOptions {
  /** Id of the backend whose documents hold the states of groups. */
  readonly backend: string
  readonly store: DocumentStore
  readonly clock: SendClock
  /** Clock in milliseconds that only ever moves on, for the duration of evaluations. */
  readonly monotonicMs: () => number
  readonly queries: RuleQueries
  readonly sink: SampleSink
  /** Labels of this server: visible to templates, and added to the alerts that are sent. */
  readonly externalLabels: Labels
  /** Base URL of links to this server. */
  readonly externalUrl: string
  /** Takes alerts for receivers. Called when the state of their group is on disk. */
  readonly receive: (alerts: readonly Alert[]) => Promise<void>
  /** Called for faults that no caller sees, such as a state that could not be written. */
  readonly onFault: (message: string) => void
  /** Shifts the evaluations of a group, in milliseconds. Default: none. */
  readonly offsetOf?: (id: string, intervalMs: number) => number
}

/** Counts of the service since its start. */
export interface RuleFigures {
  /** Evaluations of single rules. */
  evaluations: number
  failures: number
  /** Milliseconds by which the latest evaluation of a group began after its scheduled time. */
  latenessMs: number
  /** Groups that are due while their previous evaluation is in flight. */
  waiting: number
}

interface ScheduledGroup {
  readonly key: string
  group: RuleGroup
  /** The next evaluation on the grid of the group. */
  nextMs: number
  /** The evaluation in flight. */
  running: Promise<void> | undefined
  /** Replaces the group after the evaluation in flight. */
  next: RuleGroup | undefined
  isRemoved: boolean
  /** The state on disk as JSON; empty for none. */
  saved: string
}

/** Identifies a group in documents: no other pair of file and group has the same key. */
function keyOf({ file, definition }: FileGroup): string {
  return `${STATE_PREFIX}${JSON.stringify([file, definition.name])}`
}

/**
 * Evaluates the groups of rule files. Groups are independent: each has at most one evaluation in flight, and skips the
 * rounds that it misses. The state of a group is on disk before its alerts are handed over; a start continues from it.
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
  /** The fault of the latest write; empty after a success. */
  #writeFault = ''

  /** Throws SourceError for a faulty file, and SluiceError `rules/duplicate-file`. */
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

  /** Begins to evaluate at the scheduled times, until `close`. */
  start(): void {
    if (this.#isClosed) return
    this.run()
    const { clock } = this.#options
    let nextMs = clock.nowMs() + MAX_SLEEP_MS
    for (const entry of this.#groups.values()) if (entry.running === undefined) nextMs = Math.min(nextMs, entry.nextMs)
    this.#cancelTimer = clock.schedule(Math.max(0, nextMs - clock.nowMs()), () => this.start())
  }

  /** Begins the evaluations that are due now. */
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

  /** Waits for the evaluations in flight, whose alerts are no longer handed over, and begins no further one. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelTimer()
    await this.idle()
  }

  /** States of all groups, in the order of the files. */
  status(): readonly GroupStatus[] {
    return [...this.#groups.values()].map(({ group }) => group.status())
  }

  /**
   * Replaces the rules by those of new versions of the files. Rules with the same name and labels in the same group keep
   * their alerts; groups of unchanged files go on. Throws like the constructor, and then changes nothing.
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

  /** The first time on the grid of a group that is not before `fromMs`. */
  #firstTick(key: string, { intervalMs }: RuleGroup, fromMs: number): number {
    const offsetMs = this.#options.offsetOf?.(key, intervalMs) ?? 0
    return Math.ceil((fromMs - offsetMs) / intervalMs) * intervalMs + offsetMs
  }

  /** Replaces a group now, or after its evaluation in flight: only then its state is whole. */
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
    // A group without rules only ends the series of those that it had.
    else this.#track(next.evaluate(nowMs).then(() => this.#save(entry)))
  }

  #begin(entry: ScheduledGroup, nowMs: number): void {
    const { intervalMs } = entry.group
    // The latest time that is due: earlier ones were missed.
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
    // The end of the service interrupts queries; that is no fault of a rule.
    if (this.#isClosed) return
    const { rules } = group.status()
    figures.evaluations += rules.length
    figures.failures += rules.filter(({ health }) => health === 'err').length
    await this.#save(entry)
    if (alerts.length > 0) await this.#options.receive(alerts)
  }

  /** Writes the state of a group if it has changed. */
  async #save(entry: ScheduledGroup): Promise<void> {
    // Another version of the files has a group of this name again.
    if (entry.isRemoved && this.#groups.has(entry.key)) return
    const state = entry.group.exportState()
    const text = state.alerts.length === 0 ? '' : JSON.stringify(state)
    if (text === entry.saved) return
    if (await this.#write(entry.key, text === '' ? undefined : (state as unknown as Body))) entry.saved = text
  }

  /** False if the write fails, which is reported once until a write succeeds. */
  async #write(key: string, body: Body | undefined): Promise<boolean> {
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
