import { seededRandom } from '../../base/index.ts'
import { makeBlock, type Block } from './block.ts'
import { checkCase, pairOf } from './check.ts'
import type { RowKind } from './kinds.ts'
import { drawQuestion } from './questions.ts'

const CASES_PER_BLOCK = 200

export interface ScopeFuzzOptions {
  readonly kind: RowKind
  readonly runs: number
  readonly seed: number
  readonly maxFailures: number
  readonly signal?: AbortSignal
  readonly progress?: (cases: number) => void
}

export interface ScopeFailure {
  readonly seed: number
  readonly shown: string
  readonly policy: string
  readonly message: string
}

export interface ScopeFuzzReport {
  cases: number
  /** Cases in which the policy hides between 5 and 95 % of the rows that the query's scans touch. */
  mixed: number
  refused: number
  readonly uses: Map<string, number>
  readonly failures: ScopeFailure[]
}

export function newReport(): ScopeFuzzReport {
  return { cases: 0, mixed: 0, refused: 0, uses: new Map(), failures: [] }
}

async function runCase(report: ScopeFuzzReport, block: Block, seed: number): Promise<void> {
  const random = seededRandom(seed)
  const caller = block.callers[seed & 1]
  const question = drawQuestion(random, block)
  report.cases++
  for (const use of question.uses) report.uses.set(use, (report.uses.get(use) ?? 0) + 1)
  let message: string | undefined
  try {
    const { leak, touched, isRefused } = await checkCase(block, caller, pairOf(block, caller), question, random)
    message = leak
    if (isRefused) report.refused++
    if (touched.hidden >= 0.05 * touched.rows && touched.hidden <= 0.95 * touched.rows && touched.rows > 0)
      report.mixed++
  } catch (error) {
    // Whatever is no SluiceError is a bug of ours, wherever it came from.
    message = `throws ${error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 4).join(' ') : String(error)}`
  }
  if (message === undefined) return
  report.failures.push({ seed, shown: question.shown, policy: JSON.stringify(caller.stored), message })
}

/** Runs cases `seed` to `seed + runs - 1`; the same seeds give the same cases. */
export async function runScopeFuzz(options: ScopeFuzzOptions): Promise<ScopeFuzzReport> {
  const report = newReport()
  const end = options.seed + options.runs
  for (let seed = options.seed; seed < end;) {
    const at = Math.floor(seed / CASES_PER_BLOCK)
    const block = await makeBlock(at ^ 0x5c09e, options.kind)
    try {
      for (; seed < end && Math.floor(seed / CASES_PER_BLOCK) === at; seed++) {
        await runCase(report, block, seed)
        if (report.failures.length >= options.maxFailures || options.signal?.aborted === true) return report
      }
    } finally {
      await block.close()
    }
    options.progress?.(report.cases)
  }
  return report
}
