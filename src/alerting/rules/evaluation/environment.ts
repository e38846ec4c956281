import type { Labels } from '../../../data/index.ts'
import type { RuleQueries, SampleSink } from '../queries.ts'

/** Everything outside a group that its evaluation needs. */
export interface RuleEnvironment {
  readonly queries: RuleQueries
  readonly sink: SampleSink
  /** Labels of this server: visible to templates, and added to the alerts that are sent. */
  readonly externalLabels: Labels
  /** Base URL of links to this server. */
  readonly externalUrl: string
  /** Time in ms between evaluations of groups that do not state one. */
  readonly intervalMs: number
  /** Time in ms after which a firing alert is sent again. */
  readonly resendDelayMs: number
  /** Clock in ms that only ever moves on, for the duration of evaluations. */
  readonly monotonicMs: () => number
}
