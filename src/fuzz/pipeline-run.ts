import { SluiceError, always, seededRandom, type Interval } from '../base/index.ts'
import type { StoredRow } from '../data/index.ts'
import { fingerprintOf } from './fingerprint-of.ts'
import { answerOf, type Answer } from './answer.ts'
import { fuzzBaseNs, fuzzRows } from './dataset.ts'
import { jsonLaws } from './oracles/json-laws.ts'
import type { JsonLaw, PipelineCase } from './oracles/json-law.ts'
import { planOfPipeline } from './pipeline-plan.ts'
import { shrinkPipeline, type FailingPipeline } from './pipeline-shrink.ts'
import { generatePipeline, type Body } from './pipeline.ts'
import { runSeeds, type SeedOptions, type SeedReport } from './seed-blocks.ts'
import { makeSubject, type Subject } from './subject.ts'

const MAX_ROWS = 40
const HOUR_NS = 3_600_000_000_000n

export interface PipelineFuzzOptions extends SeedOptions {
  /** Only this law, on every case. */
  readonly law?: string
}

export interface PipelineFailure extends FailingPipeline {
  readonly law: string
  readonly seed: number
  readonly message: string
}

export type PipelineFuzzReport = SeedReport<PipelineFailure>

/** The model refusing where it should answer; a typed refusal of an engine limit is an answer. */
async function modelOf(subject: Subject, body: Body, range: Interval): Promise<Pick<PipelineCase, 'plan' | 'model'>> {
  const plan = planOfPipeline(body)
  const model = await answerOf(() => subject.askPlan(plan, 'rows', { range, disabledRules: ['*'] }))
  return { plan, model }
}

/** Half of the cases have a range, so that shifted ones differ. */
export function rangeOf(seed: number): Interval {
  return seed % 2 === 0 ? always : { startNs: fuzzBaseNs - 2n * HOUR_NS, endNs: fuzzBaseNs + 200n * HOUR_NS }
}

async function checkLaw(law: JsonLaw, pipelineCase: PipelineCase): Promise<string | undefined> {
  try {
    return await law.check(pipelineCase)
  } catch (error) {
    return `throws ${error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ') : String(error)}`
  }
}

/** How a pipeline breaks the law; `undefined` when it holds, or when the body has no plan. */
export async function pipelineBreaks(
  law: JsonLaw,
  { body, rows }: FailingPipeline,
  seed: number,
): Promise<string | undefined> {
  const subject = await makeSubject(rows)
  try {
    const range = rangeOf(seed)
    const { plan, model } = await modelOf(subject, body, range)
    return await checkLaw(law, { body, plan, model, range, subject, random: seededRandom(seed ^ 0x51f15e) })
  } catch (error) {
    if (error instanceof SluiceError) return undefined
    return `the model throws ${error instanceof Error ? error.message : String(error)}`
  } finally {
    await subject.close()
  }
}

async function record(
  report: PipelineFuzzReport,
  law: JsonLaw,
  found: { readonly body: Body; readonly rows: readonly StoredRow[] },
  seed: number,
  message: string,
): Promise<void> {
  const small = await shrinkPipeline(
    found,
    async (candidate) => (await pipelineBreaks(law, candidate, seed)) !== undefined,
  )
  const smallMessage = (await pipelineBreaks(law, small, seed)) ?? message
  report.failures.push({ ...small, law: law.name, seed, message: smallMessage })
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

async function runCase(
  report: PipelineFuzzReport,
  subject: Subject,
  seed: number,
  options: Pick<PipelineFuzzOptions, 'law' | 'only'>,
): Promise<void> {
  const { body, uses } = generatePipeline(seededRandom(seed))
  if (options.only?.test(JSON.stringify(body)) === false) return
  const range = rangeOf(seed)
  report.cases++
  for (const use of uses) count(report.uses, use)
  let found: { plan: PipelineCase['plan']; model: Answer }
  try {
    found = await modelOf(subject, body, range)
  } catch (error) {
    const message = `the model throws ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
    report.failures.push({ body, rows: subject.rows, law: 'model', seed, message })
    return
  }
  if ('error' in found.model) {
    report.refused++
    count(report.refusals, found.model.error)
  } else {
    if (found.model.rows.length === 0) report.emptyAnswers++
    report.plans.add(fingerprintOf(subject.optimized(found.plan, { range })))
  }
  const random = seededRandom(seed ^ 0x51f15e)
  const chance = seededRandom(seed ^ 0x2b7e1)
  for (const { law, share } of jsonLaws) {
    if (options.law === undefined ? chance.next() >= share : law.name !== options.law) continue
    const message = await checkLaw(law, { body, ...found, range, subject, random })
    if (message !== undefined) await record(report, law, { body, rows: subject.rows }, seed, message)
  }
}

/** Random pipelines over random rows: every law on its share of the cases. */
export function runPipelineFuzz(options: PipelineFuzzOptions): Promise<PipelineFuzzReport> {
  return runSeeds(
    options,
    (block) => makeSubject(fuzzRows(seededRandom(block ^ 0x6a50aa), MAX_ROWS)),
    (report, subject, seed) => runCase(report, subject, seed, options),
  )
}
