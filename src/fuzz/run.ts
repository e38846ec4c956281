import { seededRandom } from '../base/index.ts'
import { fingerprintOf } from './fingerprint-of.ts'
import { answerOf } from './answer.ts'
import type { CaseFile } from './case-file.ts'
import { fuzzBaseNs, fuzzData } from './dataset.ts'
import { generateQuery, queryText, type GeneratedQuery, type QueryParts } from './log-query.ts'
import { oracles, type FuzzCase, type Oracle } from './oracles/index.ts'
import { shrink, type Failing } from './shrink.ts'
import { makeSubject, type Subject } from './subject.ts'

const CASES_PER_DATASET = 100

export interface FuzzOptions {
  readonly runs: number
  readonly seed: number
  /** Stop after so many failures. */
  readonly maxFailures: number
  /** Leave failures as they are; `true` makes them small. */
  readonly shrinks?: boolean
  /** Rows of each data set at least. */
  readonly minRows?: number
  readonly signal?: AbortSignal
  readonly progress?: (cases: number) => void
}

export interface Failure extends CaseFile {
  readonly seed: number
  readonly message: string
}

export interface FuzzReport {
  cases: number
  emptyAnswers: number
  refused: number
  /** Codes of the refusals. */
  readonly refusals: Map<string, number>
  readonly failures: Failure[]
  /** Cases in which a feature stood. */
  readonly uses: Map<string, number>
  /** Distinct optimized plans. */
  readonly plans: Set<string>
}

async function checkLaw(oracle: Oracle, fuzzCase: FuzzCase): Promise<string | undefined> {
  try {
    return await oracle.check(fuzzCase)
  } catch (error) {
    // Whatever is no SluiceError is a bug of ours, wherever it came from.
    return `throws ${error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ') : String(error)}`
  }
}

async function caseOf(query: QueryParts, stored: Subject, seed: number): Promise<FuzzCase> {
  const text = queryText(query)
  const subject = stored.reading(query.dialect ?? 'native')
  const model = await answerOf(() => subject.ask(text, 'rows', { disabledRules: ['*'] }))
  return { query, text, subject, model, random: seededRandom(seed ^ 0x51f15e) }
}

/** Whether a case still breaks the law; the message when it does. */
export async function breaks(oracle: Oracle, candidate: Failing, seed: number): Promise<string | undefined> {
  const { rows, baseNs = fuzzBaseNs, seals, batchRows = 4096 } = candidate
  const subject = await makeSubject(rows, { baseNs, seals, batchRows })
  try {
    return await checkLaw(oracle, await caseOf(candidate, subject, seed))
  } catch (error) {
    return `the model throws ${error instanceof Error ? error.message : String(error)}`
  } finally {
    await subject.close()
  }
}

/** How the rows are stored, without how texts are read. */
function storing({ setting: { baseNs, seals, batchRows } }: Subject): Pick<Failing, 'baseNs' | 'seals' | 'batchRows'> {
  return { baseNs, seals, batchRows }
}

async function record(
  report: FuzzReport,
  oracle: Oracle,
  query: GeneratedQuery,
  subject: Subject,
  seed: number,
  message: string,
  shrinks: boolean,
): Promise<void> {
  const { options, filter, pipes, dialect } = query
  const found = { options, filter, pipes, dialect, rows: subject.rows, ...storing(subject) }
  if (!shrinks) {
    report.failures.push({ ...found, oracle: oracle.name, seed, message })
    return
  }
  const small = await shrink(found, async (candidate) => (await breaks(oracle, candidate, seed)) !== undefined)
  const smallMessage = (await breaks(oracle, small, seed)) ?? message
  report.failures.push({ ...small, oracle: oracle.name, seed, message: smallMessage })
}

async function runCase(report: FuzzReport, subject: Subject, seed: number, shrinks: boolean): Promise<void> {
  const random = seededRandom(seed)
  const query = generateQuery(random, subject.setting.baseNs)
  const text = queryText(query)
  report.cases++
  for (const use of query.uses) report.uses.set(use, (report.uses.get(use) ?? 0) + 1)
  let fuzzCase: FuzzCase
  try {
    fuzzCase = await caseOf(query, subject, seed)
  } catch (error) {
    const message = `the model throws ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
    report.failures.push({
      ...query,
      rows: subject.rows,
      baseNs: subject.setting.baseNs,
      oracle: 'model',
      seed,
      message,
    })
    return
  }
  if ('error' in fuzzCase.model) {
    const { error } = fuzzCase.model
    report.refused++
    report.refusals.set(error, (report.refusals.get(error) ?? 0) + 1)
  } else {
    if (fuzzCase.model.rows.length === 0) report.emptyAnswers++
    report.plans.add(fingerprintOf(fuzzCase.subject.plan(text)))
  }
  for (const { oracle, share } of oracles) {
    if (random.next() >= share) continue
    const message = await checkLaw(oracle, fuzzCase)
    if (message !== undefined) await record(report, oracle, query, subject, seed, message, shrinks)
  }
}

/** Runs cases `seed` to `seed + runs - 1`; the same seeds give the same cases. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const report: FuzzReport = {
    cases: 0,
    emptyAnswers: 0,
    refused: 0,
    refusals: new Map(),
    failures: [],
    uses: new Map(),
    plans: new Set(),
  }
  const end = options.seed + options.runs
  for (let seed = options.seed; seed < end;) {
    const block = Math.floor(seed / CASES_PER_DATASET)
    const { rows, ...setting } = fuzzData(seededRandom(block ^ 0xda7a5e7), options.minRows)
    const subject = await makeSubject(rows, setting)
    try {
      for (; seed < end && Math.floor(seed / CASES_PER_DATASET) === block; seed++) {
        await runCase(report, subject, seed, options.shrinks !== false)
        if (report.failures.length >= options.maxFailures || options.signal?.aborted === true) return report
      }
    } finally {
      await subject.close()
    }
    options.progress?.(report.cases)
  }
  return report
}
