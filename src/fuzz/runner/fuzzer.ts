import { SluiceError, seededRandom, type JsonValue, type Random, type Regex } from '../../base/index.ts'
import { shrinkBy } from './shrink-by.ts'

/** A property that must hold for every case. */
export interface Law<Prepared> {
  readonly name: string
  /** Returns a sentence on how the case breaks the law; `undefined` when it holds. */
  readonly check: (given: Prepared) => Promise<string | undefined> | string | undefined
}

/** A law and the share of cases on which it is checked; an expensive law has a small share. */
export interface SharedLaw<Prepared> {
  readonly law: Law<Prepared>
  readonly share: number
}

/** A case with its features, for the histogram. */
export interface Drawn<Case> {
  readonly given: Case
  readonly uses: ReadonlySet<string>
}

/** The engines and data that stay open while cases are checked. */
export interface Ground<Case, Prepared> {
  /** Prepares what the laws check. All random choices of a law come from the seed. */
  readonly prepare: (given: Case, seed: number) => Promise<Prepared> | Prepared
  readonly close?: () => Promise<void> | void
}

/** The engines and data that the cases of one block share, and these cases. */
export interface Block<Case, Prepared> extends Ground<Case, Prepared> {
  readonly draw: (random: Random, seed: number) => Drawn<Case>
}

/** One kind of case: how it is drawn, checked, reduced, shown and stored. `defineFuzzer` supplies the rest. */
export interface FuzzerDefinition<Case, Prepared> {
  readonly name: string
  /** A name for several fuzzers. Fuzzers of a group run only when they or their group are named. */
  readonly group?: string
  /** The number of cases that share the data of one block. A block has the seeds from `block × casesPerBlock` on. */
  readonly casesPerBlock: number
  readonly laws: readonly SharedLaw<Prepared>[]
  readonly block: (block: number, size: DataSize) => Promise<Block<Case, Prepared>> | Block<Case, Prepared>
  /** Opens the engines and data of one case alone, for shrinking and for stored cases. */
  readonly ground: (given: Case) => Promise<Ground<Case, Prepared>> | Ground<Case, Prepared>
  /** Returns the query of the case on one line. */
  readonly show: (given: Case) => string
  /** Yields smaller versions of a case, the most reduced first. */
  readonly smaller: (given: Case) => Iterable<Case>
  /** The most versions to try; 400 by default. */
  readonly maxShrinks?: number
  /** Milliseconds after which no further version is tried; no limit by default. */
  readonly maxShrinkMs?: number
  /** Returns notes on the outcome of a case, counted over a run: `refused`, `empty`. */
  readonly notes?: (prepared: Prepared) => Iterable<string>
  /** Returns a fingerprint that similar cases share, so that a run can count distinct cases. */
  readonly fingerprint?: (prepared: Prepared) => string | undefined
  readonly write: (given: Case) => JsonValue
  readonly read: (kept: JsonValue) => Case
  /** Returns a sentence on what is missing for this fuzzer to run; `undefined` when nothing is. */
  readonly missing?: () => Promise<string | undefined>
  /** Closes what the blocks share. */
  readonly end?: () => Promise<void>
}

export interface DataSize {
  /** The fewest rows of a data set. */
  readonly minRows: number
}

export interface FuzzOptions {
  /** The seed of the first case. Equal seeds give equal cases. */
  readonly seed: number
  /** The most cases; no limit by default. */
  readonly runs?: number
  /** Milliseconds after which no further case begins. */
  readonly timeMs?: number
  /** The number of failures after which the run stops; 10 by default. */
  readonly maxFailures?: number
  /** The name of the only law to check, then on every case. */
  readonly law?: string | undefined
  /** A pattern for the one-line form of a case; other cases are left out. */
  readonly matching?: Pick<Regex, 'test'> | undefined
  /** Whether failing cases are reduced; `true` by default. */
  readonly shrinks?: boolean
  readonly minRows?: number
  readonly signal?: AbortSignal
  readonly progress?: (cases: number) => void
}

/** A failing case as a file stores it. It is run again with every later run. */
export interface KeptCase {
  readonly fuzzer: string
  readonly law: string
  readonly seed: number
  readonly case: JsonValue
}

export interface FuzzFailure {
  readonly law: string
  readonly seed: number
  /** The reduced case on one line. */
  readonly shown: string
  readonly message: string
  readonly kept: KeptCase
}

/** The result of a run. */
export interface FuzzReport {
  cases: number
  readonly failures: FuzzFailure[]
  /** The number of cases with each feature. */
  readonly uses: Map<string, number>
  /** The number of cases with each outcome. */
  readonly notes: Map<string, number>
  readonly fingerprints: Set<string>
}

export interface Fuzzer {
  readonly name: string
  readonly group: string | undefined
  /** The names of the laws that the cases must keep. */
  readonly laws: readonly string[]
  /** Returns a sentence on why the fuzzer cannot run here; `undefined` when it can. */
  readonly missing: () => Promise<string | undefined>
  readonly run: (options: FuzzOptions) => Promise<FuzzReport>
  /**
   * Returns a sentence on how a stored case breaks its law; `undefined` when it holds. Throws Error when the law is
   * unknown.
   */
  readonly replay: (kept: KeptCase) => Promise<string | undefined>
}

/** A case that cannot be prepared breaks this law, since preparing must not throw. */
const noCrash = { name: 'no-crash', check: () => undefined }
/** Milliseconds after which the run yields to the event loop and looks at the clock and the signal. */
const TURN_MS = 100

/** Describes anything that was thrown in a few words. */
export function thrownText(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `throws ${text.split('\n').slice(0, 4).join(' ')}`
}

export function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** Returns the place in the code that threw. Two cases with the same place count as the same crash. */
function kindOf(error: unknown): string {
  return error instanceof SluiceError ? error.code : error instanceof Error ? error.name : typeof error
}

async function checked<Prepared>(law: Law<Prepared>, prepared: Prepared): Promise<string | undefined> {
  try {
    return await law.check(prepared)
  } catch (error) {
    return thrownText(error)
  }
}

/** Returns how one case alone breaks one law; `undefined` when it holds. Throws what the preparation throws. */
export async function lawBreaks<Case, Prepared>(
  definition: Pick<FuzzerDefinition<Case, Prepared>, 'ground'>,
  law: Law<Prepared>,
  given: Case,
  seed = 1,
): Promise<string | undefined> {
  const open = await definition.ground(given)
  try {
    return await checked(law, await open.prepare(given, seed))
  } finally {
    await open.close?.()
  }
}

/**
 * Makes a fuzzer from a definition. Every fuzzer uses this one loop over seeds, with shrinking, counting and replay of
 * stored cases.
 */
export function defineFuzzer<Case, Prepared>(definition: FuzzerDefinition<Case, Prepared>): Fuzzer {
  const { name, laws, casesPerBlock } = definition

  function failureOf(law: Law<Prepared>, found: Case, seed: number, message: string): FuzzFailure {
    const kept: KeptCase = { fuzzer: name, law: law.name, seed, case: definition.write(found) }
    return { law: law.name, seed, shown: definition.show(found), message, kept }
  }

  /** Reduces a failing case. `crash` is what the preparation threw, if it did. */
  async function shrunk(law: Law<Prepared>, found: Case, seed: number, told: string, crash?: unknown) {
    const messageOf = async (candidate: Case): Promise<string | undefined> => {
      try {
        return await lawBreaks(definition, law, candidate, seed)
      } catch (error) {
        return crash !== undefined && kindOf(error) === kindOf(crash) ? thrownText(error) : undefined
      }
    }
    // A case that fails only among the others of its block is not reduced.
    if ((await messageOf(found)) === undefined) return failureOf(law, found, seed, told)
    const stillBreaks = async (candidate: Case): Promise<boolean> => (await messageOf(candidate)) !== undefined
    const small = await shrinkBy(definition.smaller, found, stillBreaks, {
      attempts: definition.maxShrinks ?? 400,
      timeMs: definition.maxShrinkMs ?? Infinity,
    })
    return failureOf(law, small, seed, (await messageOf(small)) ?? told)
  }

  async function runCase(
    block: Block<Case, Prepared>,
    seed: number,
    report: FuzzReport,
    { law: only, matching, shrinks = true }: FuzzOptions,
  ): Promise<void> {
    const { given, uses } = block.draw(seededRandom(seed), seed)
    if (matching?.test(definition.show(given)) === false) return
    report.cases++
    for (const use of uses) count(report.uses, use)
    let prepared: Prepared
    try {
      prepared = await block.prepare(given, seed)
    } catch (error) {
      report.failures.push(await (shrinks ? shrunk : failureOf)(noCrash, given, seed, thrownText(error), error))
      return
    }
    for (const note of definition.notes?.(prepared) ?? []) count(report.notes, note)
    const fingerprint = definition.fingerprint?.(prepared)
    if (fingerprint !== undefined) report.fingerprints.add(fingerprint)
    const chance = seededRandom(seed ^ 0x2b7e1)
    for (const { law, share } of laws) {
      const isDue = chance.next() < share
      if (only === undefined ? !isDue : law.name !== only) continue
      const message = await checked(law, prepared)
      if (message === undefined) continue
      report.failures.push(await (shrinks ? shrunk : failureOf)(law, given, seed, message))
    }
  }

  async function run(options: FuzzOptions): Promise<FuzzReport> {
    try {
      return await runCases(options)
    } finally {
      await definition.end?.()
    }
  }

  async function runCases(options: FuzzOptions): Promise<FuzzReport> {
    const { seed: first, runs = Infinity, timeMs = Infinity, maxFailures = 10, signal, progress } = options
    const report: FuzzReport = {
      cases: 0,
      failures: [],
      uses: new Map(),
      notes: new Map(),
      fingerprints: new Set(),
    }
    const startMs = performance.now()
    let turnMs = startMs
    const end = first + runs
    for (let seed = first; seed < end;) {
      const at = Math.floor(seed / casesPerBlock)
      const block = await definition.block(at, { minRows: options.minRows ?? 0 })
      try {
        for (; seed < end && Math.floor(seed / casesPerBlock) === at; seed++) {
          await runCase(block, seed, report, options)
          if (report.failures.length >= maxFailures) return report
          const nowMs = performance.now()
          if (nowMs - turnMs < TURN_MS) continue
          turnMs = nowMs
          progress?.(report.cases)
          await new Promise(setImmediate)
          if (signal?.aborted === true || nowMs - startMs >= timeMs) return report
        }
      } finally {
        await block.close?.()
      }
    }
    return report
  }

  async function replay({ law: lawName, seed, case: kept }: KeptCase): Promise<string | undefined> {
    const found = [...laws.map(({ law }) => law), noCrash].find((law) => law.name === lawName)
    if (found === undefined) throw new Error(`${name} has no law ${lawName}`)
    try {
      return await lawBreaks(definition, found, definition.read(kept), seed)
    } catch (error) {
      return thrownText(error)
    } finally {
      await definition.end?.()
    }
  }

  const missing = async (): Promise<string | undefined> => definition.missing?.()
  return { name, group: definition.group, laws: laws.map(({ law }) => law.name), missing, run, replay }
}
