import { defineFuzzer, type FuzzFailure, type KeptCase, type Law } from '../../../src/fuzz/runner/index.ts'
import type { Compared, Comparison } from './comparison.ts'
import { Coverage } from './coverage.ts'
import { ServerFault } from './server.ts'

export interface RunOptions {
  readonly seed: number
  /** Queries at most. */
  readonly queries: number
  /** Milliseconds after which no further query begins. */
  readonly timeMs: number
  /** Differences after which no further query begins; `MOST_DIFFERENCES` unless given. */
  readonly mostFailures?: number
  readonly progress?: (queries: number) => void
}

export interface RunReport {
  readonly queries: number
  /** Queries by the ruling that explains how their answers differ. */
  readonly ruled: ReadonlyMap<string, number>
  /** Queries by what came of them: refused by both, no rows. */
  readonly notes: ReadonlyMap<string, number>
  /** Differences that no ruling explains, each made small. */
  readonly failures: readonly FuzzFailure[]
  /** Queries that the server did not answer, or not in the form that it should, and how it failed. */
  readonly unanswered: readonly string[]
  readonly coverage: Coverage
  /** What ended the run: the server went away, or failed too often. */
  readonly fault: ServerFault | undefined
}

/** Differences that no rule covers, after which a run ends: many have one cause, and a run shall see other causes too. */
export const MOST_DIFFERENCES = 100
/** Faults of a server one behind the other after which it is given up. */
const MOST_FAULTS = 3
const RULED = 'ruled '
const skipped = { kind: 'equal', note: 'not compared' } as const
const nothing = { ruled: new Map<string, number>(), notes: new Map<string, number>(), failures: [] }

/** Both give the same answer, or a ruling says why not. */
const sameAnswer: Law<Compared> = {
  name: 'same-answer',
  check: (compared) => (compared.kind === 'different' ? compared.failure : undefined),
}

/** Compares query after query. */
export async function runComparison<Case>(comparison: Comparison<Case>, options: RunOptions): Promise<RunReport> {
  const { definition, forms } = comparison
  const coverage = new Coverage(forms)
  const stop = new AbortController()
  const unanswered: string[] = []
  let fault: ServerFault | undefined
  let inARow = 0
  let compared = 0
  /** A fault is told once, and not made small: that would ask a failing server again and again. */
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

/** In words, how a kept case differs still; `undefined` when it does not. Throws ServerFault. */
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
