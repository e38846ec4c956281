import { seededRandom } from '../../base/index.ts'
import { parsePromql, printPromql, type PromqlExpr } from '../../lang/promql/index.ts'
import type { SampleSource } from '../../store/index.ts'
import { SqliteSamples, openSqlite, type SqliteConnection } from '../../store/sqlite/index.ts'
import { ask } from './ask.ts'
import { fuzzSamples, memoryStore } from './dataset.ts'
import { generatePromql, type PromqlCase } from './generate.ts'
import { promqlLaws, type LawCase, type PromqlLaw } from './laws/index.ts'
import { loadSecondReader, type SecondReader } from './second-reader.ts'

const CASES_PER_DATASET = 500

export interface PromqlFuzzOptions {
  /** Cases are those of the seeds from here on; the same seeds give the same cases. */
  readonly seed: number
  readonly runs: number
  readonly maxFailures: number
  readonly signal?: AbortSignal
  readonly progress?: (cases: number) => void
}

export interface PromqlFailure {
  readonly law: string
  readonly seed: number
  readonly text: string
  readonly message: string
}

export interface PromqlFuzzReport {
  cases: number
  /** Cases whose expression was refused or failed. */
  refused: number
  emptyAnswers: number
  /** False where the package with the second reader is not installed: that law was not tested then. */
  hasSecondReader: boolean
  readonly failures: PromqlFailure[]
  /** Cases in which a feature stood. */
  readonly uses: Map<string, number>
}

interface Subject {
  readonly memory: SampleSource
  readonly sqlite: SampleSource
  readonly connection: SqliteConnection
}

async function subjectOf(block: number): Promise<Subject> {
  const samples = fuzzSamples(block)
  const connection = await openSqlite(':memory:')
  const sqlite = new SqliteSamples(connection)
  sqlite.append(samples)
  return { memory: memoryStore(samples), sqlite, connection }
}

async function lawCase(
  given: PromqlCase,
  seed: number,
  { memory, sqlite }: Subject,
  secondReader: SecondReader | undefined,
): Promise<LawCase> {
  const answer = await ask(given.text, given, memory)
  return { ...given, memory, sqlite, secondReader, answer, random: seededRandom(seed ^ 0x3c6ef372) }
}

async function breaks(law: PromqlLaw, given: PromqlCase, seed: number, subject: Subject, reader?: SecondReader) {
  try {
    return await law.check(await lawCase(given, seed, subject, reader))
  } catch (error) {
    // Whatever is no SluiceError is a bug of ours, wherever it came from.
    return `throws ${error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 4).join(' ') : String(error)}`
  }
}

/** Every expression inside another one. */
function partsOf(value: unknown): readonly PromqlExpr[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(partsOf)
  return 'valueType' in value ? [value as PromqlExpr, ...inner] : inner
}

/** The shortest part of a case that still breaks the law. */
async function shrink(law: PromqlLaw, given: PromqlCase, seed: number, subject: Subject, reader?: SecondReader) {
  let smallest = given
  const { ast } = parsePromql(given.text)
  const texts = ast === undefined ? [] : partsOf(ast).map((part) => printPromql(part))
  for (const text of texts.toSorted((a, b) => a.length - b.length)) {
    if (text.length >= smallest.text.length) break
    const candidate = { ...given, text }
    if ((await breaks(law, candidate, seed, subject, reader)) !== undefined) {
      smallest = candidate
      break
    }
  }
  return smallest
}

function isEmpty({ answer }: LawCase): boolean {
  return 'values' in answer && answer.values.size === 0
}

/** Runs cases `seed` to `seed + runs - 1` against every law. */
export async function runPromqlFuzz(options: PromqlFuzzOptions): Promise<PromqlFuzzReport> {
  const reader = await loadSecondReader()
  const report: PromqlFuzzReport = {
    cases: 0,
    refused: 0,
    emptyAnswers: 0,
    hasSecondReader: reader !== undefined,
    failures: [],
    uses: new Map(),
  }
  const end = options.seed + options.runs
  for (let seed = options.seed; seed < end;) {
    const block = Math.floor(seed / CASES_PER_DATASET)
    const subject = await subjectOf(block)
    try {
      for (; seed < end && Math.floor(seed / CASES_PER_DATASET) === block; seed++) {
        const given = generatePromql(seededRandom(seed))
        report.cases++
        for (const use of given.uses) report.uses.set(use, (report.uses.get(use) ?? 0) + 1)
        const prepared = await lawCase(given, seed, subject, reader).catch(() => undefined)
        if (prepared !== undefined && 'error' in prepared.answer) report.refused++
        else if (prepared !== undefined && isEmpty(prepared)) report.emptyAnswers++
        for (const law of promqlLaws) {
          const message =
            prepared === undefined ? await breaks(law, given, seed, subject, reader) : await checked(law, prepared)
          if (message === undefined) continue
          const small = await shrink(law, given, seed, subject, reader)
          const smallMessage = (await breaks(law, small, seed, subject, reader)) ?? message
          report.failures.push({ law: law.name, seed, text: small.text, message: smallMessage })
          break
        }
        if (report.failures.length >= options.maxFailures || options.signal?.aborted === true) return report
      }
    } finally {
      subject.connection.close()
    }
    options.progress?.(report.cases)
  }
  return report
}

async function checked(law: PromqlLaw, given: LawCase): Promise<string | undefined> {
  try {
    return await law.check(given)
  } catch (error) {
    return `throws ${error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 4).join(' ') : String(error)}`
  }
}
