import type { Labels } from '../../../data/index.ts'
import type { RuleQueries, SampleSink } from '../queries.ts'

/** Dependencies of a group's evaluation. */
export interface RuleEnvironment {
  readonly queries: RuleQueries
  readonly sink: SampleSink
  /** Labels of this server: visible in templates, and added to alerts that are sent. */
  readonly externalLabels: Labels
  /** Base URL of links to this server. */
  readonly externalUrl: string
  /** Default interval between evaluations of a group, ms. */
  readonly intervalMs: number
  /** Interval after which a firing alert is sent again, ms. */
  readonly resendDelayMs: number
  /** Monotonic clock for measuring evaluations, ms. */
  readonly monotonicMs: () => number
}
