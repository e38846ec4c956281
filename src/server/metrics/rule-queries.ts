import { ruleResult, type RuleResult } from '../../alerting/rules/index.ts'
import { Budget, SluiceError, runCooperatively, type BudgetLimits } from '../../base/index.ts'
import { rowsOf, toText, type Labels, type Row } from '../../data/index.ts'
import type { Engine } from '../../engine/index.ts'
import { promqlErrorText, queryPromql, type PromqlOptions } from '../../engine/metrics/index.ts'
import { metricLines, readMetricLines } from '../../ingest/metrics/index.ts'
import type { NewSample, SampleSource } from '../../store/index.ts'
import type { Caller } from '../auth/caller.ts'
import { labelScope } from '../search/label-scope.ts'

/** A query of a rule as JSON. It is a type alias because interfaces are not assignable to `PlainJson`. */
// oxlint-disable-next-line typescript/consistent-type-definitions
export type RuleQueryRequest = {
  readonly language: 'promql' | 'logsql'
  readonly text: string
  /** Evaluation time, Unix ms. */
  readonly atMs: number
  /**
   * Length of the window before the evaluation time that a log query reads, ms; `null` if the query selects its time
   * range itself.
   */
  readonly windowMs: number | null
}

/** The answer as JSON: samples are lines that `sampleLine` writes, values in rows are strings. */
export type RuleQueryAnswer =
  | { readonly samples: string }
  | { readonly rows: readonly Readonly<Record<string, string>>[] }
  | { readonly error: string }

/** Runs the queries of rules. An invalid query gives an answer with `error`. */
export interface RuleQueryService {
  run(request: RuleQueryRequest, caller: Caller): Promise<RuleQueryAnswer>
}

interface RuleQueryOptions {
  readonly engineOf: (backend: string | undefined) => Engine
  readonly sourceOf: (backend: string | undefined) => SampleSource
  readonly limits: BudgetLimits
  readonly parallelism?: PromqlOptions['parallelism']
}

/** Encodes a sample as a JSON line that ingest and `decodeSamples` decode without loss. */
export function sampleLine(labels: Labels, { timeMs, value, isStale, histogram }: NewSample): string {
  const slice = {
    timesMs: Float64Array.of(timeMs),
    values: Float64Array.of(value),
    staleness: isStale === true ? Uint8Array.of(1) : undefined,
    histograms: histogram && [histogram],
    startTimesMs: undefined,
  }
  return [...metricLines(labels, slice)].join('')
}

/** Decodes sample lines. Rejects with an Error for a label set that is too large. */
export async function decodeSamples(lines: string): Promise<RuleResult> {
  // Every line has a time, so the default time is not used.
  const { samples, bad } = await runCooperatively(readMetricLines(lines, { defaultTimeMs: 0 }))
  const [first] = bad
  if (first !== undefined) throw new Error(`a series of the result cannot be used: ${first.reason}`)
  return samples
}

function encodeRow(row: Row): Readonly<Record<string, string>> {
  return Object.fromEntries([...row].flatMap(([name, value]) => (value === null ? [] : [[name, toText(value)]])))
}

export function createRuleQueryService(options: RuleQueryOptions): RuleQueryService {
  const { engineOf, sourceOf, limits, parallelism } = options
  const samplesOf = async ({ text, atMs }: RuleQueryRequest, caller: Caller): Promise<RuleQueryAnswer> => {
    const { backend, signal } = caller
    const budget = new Budget(limits, engineOf(backend).clock.nowMs, signal)
    const how = { source: sourceOf(backend), budget, guard: labelScope(caller), parallelism }
    const result = ruleResult(await queryPromql(text, atMs, how))
    const lines = result.map(({ labels, value, histogram }) =>
      sampleLine(labels, { timeMs: atMs, value, ...(histogram === undefined ? {} : { histogram }) }),
    )
    return { samples: lines.join('') }
  }
  const rowsFor = async ({ text, atMs, windowMs }: RuleQueryRequest, caller: Caller): Promise<RuleQueryAnswer> => {
    const { backend, scope, signal } = caller
    const nowNs = BigInt(atMs) * 1_000_000n
    const range = windowMs === null ? undefined : { startNs: nowNs - BigInt(windowMs) * 1_000_000n, endNs: nowNs }
    const query = { dialect: 'logsql', lint: 'off', table: 'logs', limits, nowNs, range, scope, signal } as const
    const rows: Readonly<Record<string, string>>[] = []
    for await (const batch of engineOf(backend).query(text, query).batches())
      for (const row of rowsOf(batch)) rows.push(encodeRow(row))
    return { rows }
  }
  return {
    run: async (request, caller) => {
      try {
        return await (request.language === 'promql' ? samplesOf : rowsFor)(request, caller)
      } catch (error) {
        if (error instanceof SluiceError) return { error: promqlErrorText(error, request.text) }
        throw error
      }
    },
  }
}
