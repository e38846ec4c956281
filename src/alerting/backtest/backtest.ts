import { oncePer } from '../../base/index.ts'
import { Labels } from '../../data/index.ts'
import { routedAlert } from '../evaluator.ts'
import type { InstanceState, Reason } from '../instances/index.ts'
import {
  evaluateMonitor,
  initialRecord,
  runTemplateQuery,
  type MonitorDefinition,
  type MonitorRecord,
  type QueryTools,
} from '../monitors/index.ts'
import type { NotifyConfig } from '../notify/index.ts'
import { DeliveryCounter, defaultNotifyConfig, type DeliveryCounts } from './notifications.ts'
import { RoundQueries, type Pause } from './rounds.ts'

export interface BacktestOptions {
  readonly definition: MonitorDefinition
  /** Start and end of the range, Unix ms; the end is exclusive. */
  readonly fromMs: number
  readonly toMs: number
  readonly tools: QueryTools
  /** Configuration of receivers. Default: one receiver, grouped by alert name. */
  readonly config?: NotifyConfig | undefined
  /** Called between queries; if it rejects, the run ends. */
  readonly pause?: Pause
}

/** A change of the state of one instance. */
export interface BacktestTransition {
  readonly atMs: number
  readonly labels: Labels
  readonly from: InstanceState
  readonly to: InstanceState
  readonly reason: Reason | undefined
}

export interface BacktestReport {
  readonly alertName: string
  readonly intervalMs: number
  readonly rounds: number
  /** Times of the first and the last round, Unix ms; NaN without rounds. */
  readonly firstMs: number
  readonly lastMs: number
  /** State changes in time order, at most `MAX_TRANSITIONS`. */
  readonly transitions: readonly BacktestTransition[]
  /** Number of further transitions, which are left out. */
  readonly omittedTransitions: number
  /** Number of notifications by receiver. */
  readonly notifications: ReadonlyMap<string, Readonly<DeliveryCounts>>
  /** Number of rounds by the highest state of the monitor's instances. */
  readonly roundsByState: ReadonlyMap<InstanceState, number>
  /** Number of rounds whose queries failed, and the time of the first of these rounds, Unix ms. */
  readonly errors: { readonly rounds: number; readonly firstMs: number; readonly message: string } | undefined
}

/** Maximum number of transitions in a report. A monitor can have 1,000 in each round. */
export const MAX_TRANSITIONS = 100_000

/** Maximum number of rounds: about two years at one round a minute. More would run for hours. */
export const MAX_ROUNDS = 1_000_000

/** Number of rounds whose answers are in memory together: with 1,000 label sets each, a million numbers. */
const CHUNK_ROUNDS = 1000

/** States from the lowest to the highest. */
export const STATES: readonly InstanceState[] = ['Normal', 'Pending', 'NoData', 'Error', 'Alerting']

function highestState({ state }: MonitorRecord): InstanceState {
  let highest = 0
  for (const instance of state.instances.values()) highest = Math.max(highest, STATES.indexOf(instance.state))
  return STATES[highest] ?? 'Normal'
}

/** Returns the times of all rounds in a range: multiples of the interval. */
export function roundsOf(intervalMs: number, fromMs: number, toMs: number): { firstMs: number; rounds: number } {
  const firstMs = Math.ceil(fromMs / intervalMs) * intervalMs
  return { firstMs, rounds: Math.max(0, Math.ceil((toMs - firstMs) / intervalMs)) }
}

/** State of one backtest. */
class Run {
  readonly #definition: MonitorDefinition
  readonly #tools: QueryTools
  readonly #counter: DeliveryCounter
  readonly #transitions: BacktestTransition[] = []
  readonly #roundsByState = new Map<InstanceState, number>()
  #record = initialRecord
  #omitted = 0
  #errors: BacktestReport['errors']

  constructor({ definition, tools, config = defaultNotifyConfig() }: BacktestOptions) {
    // Removes the notification templates: the report contains no notification texts, and states do not depend on them.
    this.#definition = { ...definition, annotations: [], display: [], labelsOf: oncePer(definition.labelsOf) }
    this.#tools = tools
    this.#counter = new DeliveryCounter(config)
  }

  async run({ fromMs, toMs, pause = () => Promise.resolve() }: BacktestOptions): Promise<BacktestReport> {
    const { alertName, intervalMs } = this.#definition
    const { firstMs, rounds } = roundsOf(intervalMs, fromMs, toMs)
    if (rounds > MAX_ROUNDS) throw new RangeError(`a backtest has at most ${MAX_ROUNDS} rounds, not ${rounds}`)
    const lastMs = firstMs + (rounds - 1) * intervalMs
    const queries = await RoundQueries.open(this.#definition, { firstMs, lastMs, intervalMs }, this.#tools, pause)
    for (let begin = 0; begin < rounds; begin += CHUNK_ROUNDS) {
      await pause()
      const length = Math.min(CHUNK_ROUNDS, rounds - begin)
      const roundsMs = Array.from({ length }, (_, i) => firstMs + (begin + i) * intervalMs)
      const outcomeAt = await queries.read(roundsMs)
      for (const atMs of roundsMs) await this.#round(atMs, await outcomeAt(atMs))
    }
    this.#counter.advance(toMs - 1)
    return {
      alertName,
      intervalMs,
      rounds,
      firstMs: rounds === 0 ? NaN : firstMs,
      lastMs: rounds === 0 ? NaN : lastMs,
      transitions: this.#transitions,
      omittedTransitions: this.#omitted,
      notifications: this.#counter.counts,
      roundsByState: this.#roundsByState,
      errors: this.#errors,
    }
  }

  async #round(atMs: number, outcome: Parameters<typeof evaluateMonitor>[2]): Promise<void> {
    const step = await evaluateMonitor(this.#definition, this.#record, outcome, atMs, {
      externalLabels: Labels.empty,
      externalUrl: '',
      query: (text, queryMs) => runTemplateQuery(text, queryMs, this.#tools),
    })
    const { record, transitions, alerts } = step
    this.#record = record
    // Counts the deliveries that are due before this round first, because they do not include the alerts of this round.
    this.#counter.advance(atMs - 1)
    if (transitions.length > 0) {
      const routed = alerts.map((alert) => routedAlert(this.#definition, alert))
      this.#counter.receive(routed, atMs)
    }
    this.#counter.advance(atMs)
    for (const { from, to } of transitions) {
      const { labels, state, reason } = to
      if (this.#transitions.length === MAX_TRANSITIONS) this.#omitted++
      else this.#transitions.push({ atMs, labels, from, to: state, reason })
    }
    const highest = highestState(record)
    this.#roundsByState.set(highest, (this.#roundsByState.get(highest) ?? 0) + 1)
    if (record.error === undefined) return
    const { firstMs = atMs, message = record.error, rounds = 0 } = this.#errors ?? {}
    this.#errors = { firstMs, message, rounds: rounds + 1 }
  }
}

/**
 * Evaluates a monitor at every round of a range, as if each round were on time. Stores no states and sends no
 * notifications. Throws RangeError for more than `MAX_ROUNDS` rounds. A query that fails is an error of its round.
 */
export function backtest(options: BacktestOptions): Promise<BacktestReport> {
  return new Run(options).run(options)
}
