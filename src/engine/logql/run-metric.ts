import type { Budget } from '../../base/index.ts'
import type { LogRows, SeriesTimes } from '../../backends/columnar/series/index.ts'
import type { SeriesPlan } from '../../plan/series/index.ts'
import type { SampleSource } from '../../store/samples/index.ts'
import { runPrepared, type PromqlResult } from '../metrics/promql.ts'

/** A source without samples, because LogQL reads only log rows. */
const noSamples: SampleSource = { select: () => [], series: () => [] }

/** Evaluates a metric query over log rows, at one time or at each step of a range. Throws `SluiceError`. */
export async function runLogqlMetric(
  plan: SeriesPlan,
  times: SeriesTimes,
  { logs, budget }: { readonly logs: LogRows; readonly budget: Budget },
): Promise<PromqlResult> {
  return runPrepared(plan, undefined, times, { source: noSamples, logs, budget })
}
