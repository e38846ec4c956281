import { seededRandom } from '../base/index.ts'
import { fingerprintOf } from './fingerprint-of.ts'
import { answerOf } from './answer.ts'
import type { CaseFile } from './case-file.ts'
import { fuzzBaseNs, fuzzData } from './dataset.ts'
import { generateQuery, queryText, type GeneratedQuery, type QueryParts } from './log-query.ts'
import { oracles, type FuzzCase, type Oracle } from './oracles/index.ts'
import { runSeeds, type SeedOptions, type SeedReport } from './seed-blocks.ts'
import { shrink, type Failing } from './shrink.ts'
import { makeSubject, type Subject } from './subject.ts'

export interface FuzzOptions extends SeedOptions {
  /** Leave failures as they are; `true` makes them small. */
  readonly shrinks?: boolean
  /** Rows of each data set at least. */
  readonly minRows?: number
}

export interface Failure extends CaseFile {
  readonly seed: number
  readonly message: string
}

export type FuzzReport = SeedReport<Failure>

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

async function runCase(
  report: FuzzReport,
  subject: Subject,
  seed: number,
  { only, shrinks }: Pick<FuzzOptions, 'only' | 'shrinks'>,
): Promise<void> {
  const random = seededRandom(seed)
  const query = generateQuery(random, subject.setting.baseNs)
  const text = queryText(query)
  if (only?.test(text) === false) return
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
    if (message !== undefined) await record(report, oracle, query, subject, seed, message, shrinks !== false)
  }
}

/** Random texts over random rows: every law on its share of the cases. */
export function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  return runSeeds(
    options,
    (block) => {
      const { rows, ...setting } = fuzzData(seededRandom(block ^ 0xda7a5e7), options.minRows)
      return makeSubject(rows, setting)
    },
    (report, subject, seed) => runCase(report, subject, seed, options),
  )
}
