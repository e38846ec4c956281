import { SluiceError, type JsonValue } from '../../base/index.ts'
import { backtest } from '../../alerting/backtest/index.ts'
import {
  decodeOutcome,
  encodeOutcome,
  initialRecord,
  type MonitorDefinition,
  type OutcomeJson,
  type QueryOutcome,
  type QueryTools,
} from '../../alerting/monitors/index.ts'
import { thrownText, type Law, type SharedLaw } from '../runner/fuzzer.ts'
import { acceptMonitor, evaluateRounds, refusalFault, step, stepText, type Round } from './evaluation.ts'
import { START_MS } from './rows.ts'

/** A monitor over the same rows in two backends. */
export interface CheckedMonitor {
  /** The definition, or the error if the drawn monitor is invalid. */
  readonly definition: MonitorDefinition | SluiceError
  readonly columnar: QueryTools
  readonly model: QueryTools
  /** End of the rounds (exclusive), milliseconds since 1970. */
  readonly toMs: number
  /** Returns all evaluations over the columnar store. */
  readonly rounds: (definition: MonitorDefinition) => Promise<readonly Round[]>
  /** The same monitor after random changes. */
  readonly broken: JsonValue
}

type MonitorLaw = Law<CheckedMonitor>

function minuteOf(atMs: number): string {
  return `minute ${(atMs - START_MS) / 60_000}`
}

/** Returns the first line that two texts do not share. */
function lineDifference(a: string, b: string): string {
  const [left, right] = [a.split('\n'), b.split('\n')]
  const at = left.findIndex((line, i) => line !== right[i])
  return at === -1 ? `none against ${right[left.length]}` : `${left[at]} against ${right[at] ?? 'none'}`
}

/** The columnar store gives the same states, labels and values as the row model. */
export const statesAgree: MonitorLaw = {
  name: 'states-agree',
  check: async ({ definition, model, toMs, rounds }) => {
    if (definition instanceof SluiceError) return undefined
    const wanted = await evaluateRounds(definition, model, START_MS, toMs)
    const found = await rounds(definition)
    for (const [i, round] of wanted.entries()) {
      const [a, b] = [stepText(round.step), found[i] === undefined ? 'no round' : stepText(found[i].step)]
      if (a !== b) return `the model and the store differ in ${minuteOf(round.atMs)}: ${lineDifference(a, b)}`
    }
    return undefined
  },
}

/** A backtest gives the same transitions and errors as evaluating round by round. */
export const backtestAgrees: MonitorLaw = {
  name: 'backtest-agrees',
  check: async ({ definition, columnar, toMs, rounds }) => {
    if (definition instanceof SluiceError) return undefined
    const each = await rounds(definition)
    const wanted = each.flatMap(({ atMs, step: { transitions, record } }) => [
      ...transitions.map(({ from, to }) => `${atMs} ${to.labels.toString()}: ${from} to ${to.state} ${to.reason}`),
      ...(record.error === undefined ? [] : [`${atMs} error`]),
    ])
    const report = await backtest({ definition, fromMs: START_MS, toMs, tools: columnar })
    const found = report.transitions.map(
      ({ atMs, labels, from, to, reason }) => `${atMs} ${labels.toString()}: ${from} to ${to} ${reason}`,
    )
    const errors = each.filter(({ step: { record } }) => record.error !== undefined)
    const [a, b] = [wanted.filter((line) => !line.endsWith(' error')).toSorted(), found.toSorted()]
    if (a.join('\n') !== b.join('\n'))
      return `one by one and backtest differ: ${lineDifference(a.join('\n'), b.join('\n'))}`
    if ((report.errors?.rounds ?? 0) !== errors.length)
      return `${errors.length} errors one by one, ${report.errors?.rounds ?? 0} in the backtest: ${report.errors?.message}`
    return report.rounds === each.length
      ? undefined
      : `${each.length} rounds one by one, ${report.rounds} in the backtest`
  },
}

/** Returns an outcome after serializing and deserializing it, as another thread receives it. */
function sent(outcome: QueryOutcome): QueryOutcome {
  return decodeOutcome(JSON.parse(JSON.stringify(encodeOutcome(outcome))) as OutcomeJson)
}

/** Two monitors with equal queries that share one outcome have the same states as when each is evaluated alone. */
export const sharedIsAlone: MonitorLaw = {
  name: 'shared-is-alone',
  check: async ({ definition, columnar, toMs, rounds }) => {
    if (definition instanceof SluiceError) return undefined
    const first = await rounds(definition)
    const other = { ...definition, thresholds: [], rules: { ...definition.rules, pendingForMs: 60_000 } }
    const alone = await evaluateRounds(other, columnar, START_MS, toMs)
    let [record, again] = [initialRecord, initialRecord]
    for (const [i, { atMs, outcome, step: own }] of first.entries()) {
      const shared = sent(outcome)
      const before = JSON.stringify(encodeOutcome(shared))
      const evaluated = await step(other, record, shared, atMs, columnar)
      const repeated = await step(definition, again, shared, atMs, columnar)
      ;[record, again] = [evaluated.record, repeated.record]
      if (JSON.stringify(encodeOutcome(shared)) !== before) return `the outcome was changed in ${minuteOf(atMs)}`
      const pairs = [
        [alone[i]?.step, evaluated],
        [own, repeated],
      ] as const
      for (const [wanted, found] of pairs) {
        const [a, b] = [wanted === undefined ? 'no round' : stepText(wanted), stepText(found)]
        if (a !== b) return `alone and shared differ in ${minuteOf(atMs)}: ${lineDifference(a, b)}`
      }
    }
    return undefined
  },
}

/** A randomly changed monitor is either evaluated, or rejected with a position. */
export const brokenIsRefused: MonitorLaw = {
  name: 'broken-is-refused',
  check: async ({ broken, model }) => {
    let textLength: number | undefined
    const readsText = (_: string, text: string): void => void (textLength = text.length)
    let definition: MonitorDefinition
    try {
      definition = acceptMonitor(broken, { ...model, readsText })
    } catch (error) {
      return error instanceof SluiceError ? refusalFault(error, textLength) : thrownText(error)
    }
    const toMs = START_MS + 2 * definition.intervalMs
    await evaluateRounds(definition, model, START_MS, toMs)
    return undefined
  },
}

export const monitorLaws: readonly SharedLaw<CheckedMonitor>[] = [
  { law: statesAgree, share: 1 },
  { law: backtestAgrees, share: 0.6 },
  { law: sharedIsAlone, share: 0.2 },
  { law: brokenIsRefused, share: 1 },
]
