import { timesPeer } from '../../measure.ts'

/** What is asked of the ratios to a peer: their geometric mean, and each of them. */
export const MOST_MEAN = 0.8
export const MOST_EACH = 1.5

export interface Timed {
  readonly id: string
  readonly ownMs: number
  readonly peerMs: number
}

/** How we stand beside a peer: how many times its time ours is, in the geometric mean, and which questions take far longer. */
export interface MetricStanding {
  readonly mean: number
  readonly slower: readonly string[]
}

/** Times below `EQUAL_BELOW_MS` count as equal where one question is judged, not in the mean. */
export function metricStanding(times: readonly Timed[]): MetricStanding {
  const logs = times.reduce((sum, { ownMs, peerMs }) => sum + Math.log(ownMs / peerMs), 0)
  return {
    mean: Math.exp(logs / times.length),
    slower: times.filter(({ ownMs, peerMs }) => timesPeer(ownMs, peerMs) > MOST_EACH).map(({ id }) => id),
  }
}
