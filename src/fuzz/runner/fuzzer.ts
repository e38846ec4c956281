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

/** A case with the features that it uses, for the histogram. */
export interface Drawn<Case> {
  readonly given: Case
  readonly uses: ReadonlySet<string>
}

/** Engines and data that stay open while cases are checked. */
export interface Ground<Case, Prepared> {
  /** Prepares a case for the laws. All random choices of a law come from the seed. */
  readonly prepare: (given: Case, seed: number) => Promise<Prepared> | Prepared
  readonly close?: () => Promise<void> | void
}

/** The cases of one block, with the engines and data that they share. */
export interface CaseBlock<Case, Prepared> extends Ground<Case, Prepared> {
  readonly draw: (random: Random, seed: number) => Drawn<Case>
}

/**
 * Defines one kind of case: how it is drawn, checked, reduced, shown and stored. `defineFuzzer` supplies the run loop.
 */
export interface FuzzerDefinition<Case, Prepared> {
  readonly name: string
  /** Name of a group of fuzzers, which run only if they or the group are named. */
  readonly group?: string
  /** Number of cases that share the data of one block. A block uses the seeds from `block × casesPerBlock` on. */
  readonly casesPerBlock: number
  readonly laws: readonly SharedLaw<Prepared>[]
  readonly block: (block: number, size: DataSize) => Promise<CaseBlock<Case, Prepared>> | CaseBlock<Case, Prepared>
  /** Opens engines and data for a single case, for shrinking and for replaying stored cases. */
  readonly ground: (given: Case) => Promise<Ground<Case, Prepared>> | Ground<Case, Prepared>
  /** Returns the query of the case on one line. */
  readonly show: (given: Case) => string
  /** Yields reduced versions of a case, the smallest first. */
  readonly smaller: (given: Case) => Iterable<Case>
  /** Maximum number of reduced versions that are tried. Default: 400. */
  readonly maxShrinks?: number
  /** Milliseconds after which no further version is tried; no limit by default. */
  readonly maxShrinkMs?: number
  /** Returns notes on the outcome of a case, such as `refused` or `empty`, which are counted over a run. */
  readonly notes?: (prepared: Prepared) => Iterable<string>
  /** Returns a fingerprint that similar cases share, to count distinct cases. */
  readonly fingerprint?: (prepared: Prepared) => string | undefined
  readonly write: (given: Case) => JsonValue
  readonly read: (kept: JsonValue) => Case
  /** Returns a sentence on what this fuzzer lacks to run; `undefined` if nothing. */
  readonly missing?: () => Promise<string | undefined>
  /** Closes everything that blocks share. */
  readonly end?: () => Promise<void>
}

export interface DataSize {
  /** Minimum number of rows of a data set. */
  readonly minRows: number
}

export interface FuzzOptions {
  /** The seed of the first case. Equal seeds give equal cases. */
  readonly seed: number
  /** Maximum number of cases. Default: unlimited. */
  readonly runs?: number
  /** Time after which no further case begins, ms. */
  readonly timeMs?: number
  /** Number of failures after which the run stops. Default: 10. */
  readonly maxFailures?: number
  /** Name of the only law to check; it is then checked on every case. */
  readonly law?: string | undefined
  /** Pattern for the one-line form of a case; other cases are skipped. */
  readonly matching?: Pick<Regex, 'test'> | undefined
  /** True to reduce failing cases; the default. */
  readonly shrinks?: boolean
  readonly minRows?: number
  readonly signal?: AbortSignal
  readonly progress?: (cases: number) => void
}

/** A failing case as stored in a file. Every later run replays it. */
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
  /** Names of the laws that the cases must satisfy. */
  readonly laws: readonly string[]
  /** Returns a sentence on why the fuzzer cannot run here; `undefined` when it can. */
  readonly missing: () => Promise<string | undefined>
  readonly run: (options: FuzzOptions) => Promise<FuzzReport>
  /**
   * Replays a stored case. Returns a sentence on how it breaks its law; `undefined` if the law holds. Throws Error for
   * an unknown law.
   */
  readonly replay: (kept: KeptCase) => Promise<string | undefined>
}

/** The law that a case breaks if its preparation throws. */
const noCrash = { name: 'no-crash', check: () => undefined }
/** Interval at which the run yields to the event loop and checks the clock and the signal, ms. */
const TURN_MS = 100

/** Describes anything that was thrown in a few words. */
export function thrownText(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `throws ${text.split('\n').slice(0, 4).join(' ')}`
}

export function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** Returns the source position of an exception. Two cases with the same position count as the same crash. */
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

/** Checks one law on a single case. Returns a sentence if the law is broken; throws if preparing the case throws. */
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

/** Creates a fuzzer from a definition. All fuzzers use this loop over seeds, with shrinking, counting and replay. */
export function defineFuzzer<Case, Prepared>(definition: FuzzerDefinition<Case, Prepared>): Fuzzer {
  const { name, laws, casesPerBlock } = definition

  function failureOf(law: Law<Prepared>, found: Case, seed: number, message: string): FuzzFailure {
    const kept: KeptCase = { fuzzer: name, law: law.name, seed, case: definition.write(found) }
    return { law: law.name, seed, shown: definition.show(found), message, kept }
  }

  /** Reduces a failing case. `crash` is the exception of its preparation, if there was one. */
  async function shrunk(law: Law<Prepared>, found: Case, seed: number, firstMessage: string, crash?: unknown) {
    const messageOf = async (candidate: Case): Promise<string | undefined> => {
      try {
        return await lawBreaks(definition, law, candidate, seed)
      } catch (error) {
        return crash !== undefined && kindOf(error) === kindOf(crash) ? thrownText(error) : undefined
      }
    }
    // A case that fails only together with the others of its block is not reduced.
    if ((await messageOf(found)) === undefined) return failureOf(law, found, seed, firstMessage)
    const stillBreaks = async (candidate: Case): Promise<boolean> => (await messageOf(candidate)) !== undefined
    const small = await shrinkBy(definition.smaller, found, stillBreaks, {
      attempts: definition.maxShrinks ?? 400,
      timeMs: definition.maxShrinkMs ?? Infinity,
    })
    return failureOf(law, small, seed, (await messageOf(small)) ?? firstMessage)
  }

  async function runCase(
    block: CaseBlock<Case, Prepared>,
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
