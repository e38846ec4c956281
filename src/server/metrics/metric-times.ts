import { MS_NS, SluiceError, atPath, parseDurationNs, type Diagnostic } from '../../base/index.ts'
import { defaultStepMs } from '../../engine/metrics/index.ts'
import { describeValue, wireDiagnostic, type AtNow, type MetricQuery } from '../../wire/index.ts'

/** Evaluation times in Unix ms. A step of 0 means an instant query at `startMs`. */
export interface MetricTimes {
  readonly startMs: number
  readonly endMs: number
  readonly stepMs: number
}

function toMs(ns: bigint): number {
  return Number(ns / MS_NS)
}

/** Parses seconds as a number, or a duration: `60`, `0.5`, `60s`, `1m`. */
function stepOf(text: string): number | undefined {
  const ms = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Number(parseDurationNs(text) ?? 0n) / 1e6
  return ms >= 1 && ms <= Number.MAX_SAFE_INTEGER ? Math.floor(ms) : undefined
}

function refuse(diagnostic: Diagnostic): never {
  throw new SluiceError([diagnostic])
}

function missing(name: string): never {
  return refuse(
    wireDiagnostic(
      'missing-member',
      { name, near: [], hint: 'A range query goes from `Start` to `End`.' },
      atPath([name]),
    ),
  )
}

/**
 * Returns the evaluation times. Without a `QueryType`, a body with a `Start` is a range query. An instant query is
 * evaluated at `End`, or else at `Start`, or else now.
 */
export function metricTimes(request: AtNow<MetricQuery>, nowMs: number): MetricTimes {
  const { Start, End, Step } = request
  const stepMs = Step === undefined ? undefined : stepOf(Step.trim())
  if (Step !== undefined && stepMs === undefined) {
    refuse(
      wireDiagnostic(
        'bad-format',
        { expected: 'a duration such as `30s`, or seconds', found: describeValue(Step) },
        atPath(['Step']),
      ),
    )
  }
  const isRange = (request.QueryType ?? (Start === undefined ? 'instant' : 'range')) === 'range'
  if (!isRange) {
    const atNs = End ?? Start
    const timeMs = atNs === undefined ? nowMs : toMs(atNs)
    return { startMs: timeMs, endMs: timeMs, stepMs: 0 }
  }
  const startMs = toMs(Start ?? missing('Start'))
  const endMs = toMs(End ?? missing('End'))
  return { startMs, endMs, stepMs: stepMs ?? defaultStepMs(endMs - startMs) }
}
