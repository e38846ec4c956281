import { SluiceError, seededRandom, type JsonValue, type Random, type Regex } from '../../base/index.ts'
import { shrinkBy } from './shrink-by.ts'

/** Something that must hold for every case. */
export interface Law<Prepared> {
  readonly name: string
  /** In words, how the law is broken; `undefined` when it holds. */
  readonly check: (given: Prepared) => Promise<string | undefined> | string | undefined
}

/** A law and the share of the cases that it is checked on: an expensive one on few. */
export interface SharedLaw<Prepared> {
  readonly law: Law<Prepared>
  readonly share: number
}

/** A case with the features that it has, for the histogram. */
export interface Drawn<Case> {
  readonly given: Case
  readonly uses: ReadonlySet<string>
}

/** Data in engines, held open while cases are checked. */
export interface Ground<Case, Prepared> {
  /** What the laws look at. Whatever a law chooses at random comes from the seed. */
  readonly prepare: (given: Case, seed: number) => Promise<Prepared> | Prepared
  readonly close?: () => Promise<void> | void
}

/** The ground that a block of cases shares, and the cases over it. */
export interface Block<Case, Prepared> extends Ground<Case, Prepared> {
  readonly draw: (random: Random, seed: number) => Drawn<Case>
}

/** One kind of case: how it is drawn, checked, made smaller, shown and kept. `defineFuzzer` supplies the rest. */
export interface FuzzerDefinition<Case, Prepared> {
  readonly name: string
  /** A name for several fuzzers, which run only when they or it are named. */
  readonly group?: string
  /** Cases that share the data of one block: its seeds are those from `block × casesPerBlock` on. */
  readonly casesPerBlock: number
  readonly laws: readonly SharedLaw<Prepared>[]
  readonly block: (block: number, size: DataSize) => Promise<Block<Case, Prepared>> | Block<Case, Prepared>
  /** The ground of one case alone: for shrinking, and for cases that were kept. */
  readonly ground: (given: Case) => Promise<Ground<Case, Prepared>> | Ground<Case, Prepared>
  /** What the case asks, on one line. */
  readonly show: (given: Case) => string
  /** Smaller versions of a case, the boldest first. */
  readonly smaller: (given: Case) => Iterable<Case>
  /** Versions that are tried at most; 400 unless given. */
  readonly maxShrinks?: number
  /** Milliseconds after which no further version is tried; without end unless given. */
  readonly maxShrinkMs?: number
  /** What came of a case, counted over a run: `refused`, `empty`. */
  readonly notes?: (prepared: Prepared) => Iterable<string>
  /** Cases of one fingerprint are much the same: distinct ones are counted. */
  readonly fingerprint?: (prepared: Prepared) => string | undefined
  readonly write: (given: Case) => JsonValue
  readonly read: (kept: JsonValue) => Case
  /** What must be there before it can run; says in words what is not. */
  readonly missing?: () => Promise<string | undefined>
  /** Lets go of what all its blocks have used. */
  readonly end?: () => Promise<void>
}

export interface DataSize {
  /** Rows of each data set at least. */
  readonly minRows: number
}

export interface FuzzOptions {
  /** Cases are those of the seeds from here on; the same seeds give the same cases. */
  readonly seed: number
  /** Cases at most; without end unless given. */
  readonly runs?: number
  /** Milliseconds after which no further case begins. */
  readonly timeMs?: number
  /** Stop after so many failures; 10 unless given. */
  readonly maxFailures?: number
  /** Only this law, on every case. */
  readonly law?: string | undefined
  /** Leave out the cases whose text, as it is shown, does not match. */
  readonly matching?: Pick<Regex, 'test'> | undefined
  /** `false` leaves failing cases as they are. */
  readonly shrinks?: boolean
  readonly minRows?: number
  readonly signal?: AbortSignal
  readonly progress?: (cases: number) => void
}

/** A failing case as it is kept in a file: it runs ever after. */
export interface KeptCase {
  readonly fuzzer: string
  readonly law: string
  readonly seed: number
  readonly case: JsonValue
}

export interface FuzzFailure {
  readonly law: string
  readonly seed: number
  /** What the shrunk case asks, on one line. */
  readonly shown: string
  readonly message: string
  readonly kept: KeptCase
}

/** What the cases of a run have shown. */
export interface FuzzReport {
  cases: number
  readonly failures: FuzzFailure[]
  /** Cases that have a feature. */
  readonly uses: Map<string, number>
  /** Cases by what came of them. */
  readonly notes: Map<string, number>
  readonly fingerprints: Set<string>
}

export interface Fuzzer {
  readonly name: string
  readonly group: string | undefined
  /** Names of the laws that its cases must keep. */
  readonly laws: readonly string[]
  /** Why it cannot run here, in words; `undefined` when it can. */
  readonly missing: () => Promise<string | undefined>
  readonly run: (options: FuzzOptions) => Promise<FuzzReport>
  /** In words, how a kept case breaks its law; `undefined` when it holds. Throws Error when the law is not known. */
  readonly replay: (kept: KeptCase) => Promise<string | undefined>
}

/** A case that cannot even be prepared breaks this one: whatever is thrown there is a bug of ours. */
const noCrash = { name: 'no-crash', check: () => undefined }
/** Other work is let in, and the clock and signal are looked at, this often. */
const TURN_MS = 100

/** Whatever is thrown, in a few words. */
export function thrownText(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `throws ${text.split('\n').slice(0, 4).join(' ')}`
}

export function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** Where the error comes from: two cases with the same one crash alike. */
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

/** How a case alone breaks one law; `undefined` when it holds. Throws what preparing it throws. */
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

/** Makes a fuzzer of a definition: the one loop over seeds, shrinking, counting and replaying of kept cases. */
export function defineFuzzer<Case, Prepared>(definition: FuzzerDefinition<Case, Prepared>): Fuzzer {
  const { name, laws, casesPerBlock } = definition

  function failureOf(law: Law<Prepared>, found: Case, seed: number, message: string): FuzzFailure {
    const kept: KeptCase = { fuzzer: name, law: law.name, seed, case: definition.write(found) }
    return { law: law.name, seed, shown: definition.show(found), message, kept }
  }

  /** The failure of a case made smaller; `crash` is what preparing it threw, where it did. */
  async function shrunk(law: Law<Prepared>, found: Case, seed: number, told: string, crash?: unknown) {
    const messageOf = async (candidate: Case): Promise<string | undefined> => {
      try {
        return await lawBreaks(definition, law, candidate, seed)
      } catch (error) {
        return crash !== undefined && kindOf(error) === kindOf(crash) ? thrownText(error) : undefined
      }
    }
    // What only breaks among the cases of its block stays as it is.
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
