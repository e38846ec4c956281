import { defineFuzzer, type FuzzFailure, type KeptCase, type Law } from '../../../src/fuzz/runner/index.ts'
import type { Compared, Comparison } from './comparison.ts'
import { Coverage } from './coverage.ts'
import { ServerFault } from './server.ts'

export interface RunOptions {
  readonly seed: number
  /** Largest number of queries. */
  readonly queries: number
  /** Milliseconds after which no further query starts. */
  readonly timeMs: number
  /** Number of differences after which no further query starts. Default: `MOST_DIFFERENCES`. */
  readonly mostFailures?: number
  readonly progress?: (queries: number) => void
}

export interface RunReport {
  readonly queries: number
  /** Number of queries by the rule that explains their difference. */
  readonly ruled: ReadonlyMap<string, number>
  /** Number of queries by remark on their answers: refused by both, or no rows. */
  readonly notes: ReadonlyMap<string, number>
  /** Differences that no rule explains, each reduced to a small case. */
  readonly failures: readonly FuzzFailure[]
  /** Queries that the server did not answer in the expected form, each with the fault. */
  readonly unanswered: readonly string[]
  readonly coverage: Coverage
  /** Fault that ended the run early: the server was unreachable, or failed too often in a row. */
  readonly fault: ServerFault | undefined
}

/**
 * Number of unexplained differences that ends a run. Many differences have one cause, so a run must go on after the
 * first ones to find other causes.
 */
export const MOST_DIFFERENCES = 100
/** Number of consecutive server faults that ends a run. */
const MOST_FAULTS = 3
const RULED = 'ruled '
const skipped = { kind: 'equal', note: 'not compared' } as const
const nothing = { ruled: new Map<string, number>(), notes: new Map<string, number>(), failures: [] }

/** Law of the fuzzer: both answers are the same, or a rule explains the difference. */
const sameAnswer: Law<Compared> = {
  name: 'same-answer',
  check: (compared) => (compared.kind === 'different' ? compared.failure : undefined),
}

/** Compares random queries until one of the limits in `options` is reached. */
export async function runComparison<Case>(comparison: Comparison<Case>, options: RunOptions): Promise<RunReport> {
  const { definition, forms } = comparison
  const coverage = new Coverage(forms)
  const stop = new AbortController()
  const unanswered: string[] = []
  let fault: ServerFault | undefined
  let inARow = 0
  let compared = 0
  /**
   * Records a fault of the server. A faulty case is not reported as a failure, because shrinking it would query the
   * failing server again and again.
   */
  const seen = (given: Case, one: Compared): Compared => {
    if (fault !== undefined) return skipped
    if (one.kind !== 'fault') {
      inARow = 0
      compared++
      return one
    }
    inARow++
    if (!one.fault.isGone) unanswered.push(`${definition.show(given)}: the server ${one.fault.message}`)
    if (one.fault.isGone || inARow >= MOST_FAULTS) {
      fault = one.fault
      stop.abort()
    }
    return skipped
  }
  const fuzzer = defineFuzzer<Case, Compared>({
    ...definition,
    laws: [{ law: sameAnswer, share: 1 }],
    block: async (block, size) => {
      const { draw, prepare, ...ground } = await definition.block(block, size)
      return {
        ...ground,
        prepare: async (given, seed) => (fault === undefined ? seen(given, await prepare(given, seed)) : skipped),
        draw: (random, seed) => {
          const drawn = draw(random, seed)
          coverage.add(drawn.uses)
          return drawn
        },
      }
    },
    notes: (one) =>
      one.kind === 'ruled'
        ? one.rules.map((rule) => `${RULED}${rule}`)
        : one.kind === 'equal' && one.note !== undefined
          ? [one.note]
          : [],
  })
  const { seed, queries, timeMs, mostFailures = MOST_DIFFERENCES, progress } = options
  try {
    const report = await fuzzer.run({
      seed,
      runs: queries,
      timeMs,
      signal: stop.signal,
      maxFailures: mostFailures,
      ...(progress === undefined ? {} : { progress }),
    })
    const ofKind = (isRuled: boolean): ReadonlyMap<string, number> =>
      new Map(
        [...report.notes]
          .filter(([note]) => note.startsWith(RULED) === isRuled && note !== skipped.note)
          .map(([note, count]) => [isRuled ? note.slice(RULED.length) : note, count]),
      )
    const { failures } = report
    return { queries: compared, ruled: ofKind(true), notes: ofKind(false), failures, unanswered, coverage, fault }
  } catch (error) {
    if (!(error instanceof ServerFault)) throw error
    return { ...nothing, queries: compared, unanswered, coverage, fault: error }
  }
}

/** Runs a stored case. Describes how its answers still differ; `undefined` if they do not. Throws ServerFault. */
export async function replay<Case>(comparison: Comparison<Case>, kept: KeptCase): Promise<string | undefined> {
  const { definition } = comparison
  const ground = await definition.ground(definition.read(kept.case))
  try {
    const compared = await ground.prepare(definition.read(kept.case), kept.seed)
    if (compared.kind === 'fault') throw compared.fault
    return compared.kind === 'different' ? compared.failure : undefined
  } finally {
    await ground.close?.()
  }
}
