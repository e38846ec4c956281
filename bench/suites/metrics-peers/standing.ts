import { timesPeer } from '../../measure.ts'

/** Limits of the ratios to a peer: of their geometric mean and of each. */
export const MOST_MEAN = 0.8
export const MOST_EACH = 1.5

export interface Timed {
  readonly id: string
  readonly ownMs: number
  readonly peerMs: number
}

/** Our times compared with a peer's: the geometric mean of the ratios, and the questions that take far longer. */
export interface MetricStanding {
  readonly mean: number
  readonly slower: readonly string[]
}

/** Computes the comparison. Times below `EQUAL_BELOW_MS` count as equal for a single question, but not in the mean. */
export function metricStanding(times: readonly Timed[]): MetricStanding {
  const logs = times.reduce((sum, { ownMs, peerMs }) => sum + Math.log(ownMs / peerMs), 0)
  return {
    mean: Math.exp(logs / times.length),
    slower: times.filter(({ ownMs, peerMs }) => timesPeer(ownMs, peerMs) > MOST_EACH).map(({ id }) => id),
  }
}
