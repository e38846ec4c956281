import { Budget, SluiceError } from '../../../src/base/index.ts'
import { answerJson } from '../../../src/backends/columnar/series/index.ts'
import { queryPromql, queryPromqlRange, type PromqlOptions } from '../../../src/engine/metrics/index.ts'
import type { QueryTimes } from '../../../src/fuzz/promql/run-query.ts'
import type { SampleSource } from '../../../src/store/index.ts'

const limits = { memoryBytes: 2 ** 28, timeoutMs: 600_000, scanRows: Number.MAX_SAFE_INTEGER }

export interface HttpAnswer {
  readonly status: number
  readonly body: string
}

/** Runs a query and returns the answer as the HTTP API writes it. With `isRaw` no optimizer rule is applied. */
export async function metricBody(
  source: SampleSource,
  text: string,
  times: QueryTimes,
  isRaw: boolean,
): Promise<HttpAnswer> {
  const options: PromqlOptions = {
    source,
    budget: new Budget(limits, () => 0),
    ...(isRaw ? { optimizer: { disabled: ['*'] } } : {}),
  }
  try {
    const { answer, warnings, infos } =
      times.stepMs === 0
        ? await queryPromql(text, times.startMs, options)
        : await queryPromqlRange(text, times, options)
    const chunks = [...answerJson(answer, { warnings, infos })].map((chunk) => Buffer.from(chunk))
    return { status: 200, body: Buffer.concat(chunks).toString() }
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    return { status: 400, body: JSON.stringify({ status: 'error', errorType: 'bad_data', error: error.message }) }
  }
}
