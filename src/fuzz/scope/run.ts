import { seededRandom, type Regex } from '../../base/index.ts'
import { makeBlock } from './block.ts'
import { checkCase, pairOf, usualShares, type CaseReport } from './check.ts'
import type { RowKind } from './kinds.ts'
import type { ScopeEndpoint } from './endpoint.ts'
import { checkMetricCase, makeMetricBlock, type LabelScopes } from './metrics.ts'
import { drawQuestion } from './questions.ts'

const CASES_PER_BLOCK = 400

export interface ScopeFuzzOptions {
  readonly kind: RowKind | 'metrics'
  readonly labelScopes: LabelScopes
  readonly endpoints: readonly ScopeEndpoint[]
  readonly runs: number
  readonly seed: number
  readonly maxFailures: number
  readonly signal?: AbortSignal
  /** Leave out the cases whose question, as it is shown, does not match. */
  readonly only?: Pick<Regex, 'test'> | undefined
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

const MIN_HIDDEN = 0.05

/** Whether a policy hides some of what a query's scans touch, and not nearly all of it. */
export function isMixed({ rows, hidden }: CaseReport['touched']): boolean {
  return rows > 0 && hidden >= MIN_HIDDEN * rows && hidden <= (1 - MIN_HIDDEN) * rows
}

function count(report: ScopeFuzzReport, uses: ReadonlySet<string>, { touched, isRefused }: CaseReport): void {
  for (const use of uses) report.uses.set(use, (report.uses.get(use) ?? 0) + 1)
  if (isRefused) report.refused++
  if (isMixed(touched)) report.mixed++
}

/** Whatever is no SluiceError is a bug of ours, wherever it came from. */
function thrown(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `throws ${text.split('\n').slice(0, 4).join(' ')}`
}

interface Cases {
  /** Adds the case of a seed and what it came to. */
  run(report: ScopeFuzzReport, seed: number): Promise<void>
  close(): Promise<void> | void
}

async function rowCases(
  block: number,
  kind: RowKind,
  { endpoints, only }: Pick<ScopeFuzzOptions, 'endpoints' | 'only'>,
): Promise<Cases> {
  const options = { ...usualShares, endpoints }
  const made = await makeBlock(block ^ 0x5c09e, kind)
  return {
    run: async (report, seed) => {
      const random = seededRandom(seed)
      const caller = made.callers[seed & 1]
      const question = drawQuestion(random, made)
      if (only?.test(question.shown) === false) return
      report.cases++
      let message: string | undefined
      try {
        const checked = await checkCase(made, caller, pairOf(made, caller), question, random, options)
        count(report, question.uses, checked)
        message = checked.leak
      } catch (error) {
        message = thrown(error)
      }
      if (message === undefined) return
      report.failures.push({ seed, shown: question.shown, policy: JSON.stringify(caller.stored), message })
    },
    close: () => made.close(),
  }
}

async function metricCases(block: number, scopes: LabelScopes): Promise<Cases> {
  const made = await makeMetricBlock(block ^ 0x5c09e, scopes)
  return {
    run: async (report, seed) => {
      const at = seed & 1
      report.cases++
      const policy = JSON.stringify(made.callers[at].stored)
      try {
        const { text, uses, report: checked } = await checkMetricCase(made, at, seededRandom(seed))
        count(report, uses, checked)
        if (checked.leak !== undefined) report.failures.push({ seed, shown: text, policy, message: checked.leak })
      } catch (error) {
        report.failures.push({ seed, shown: '', policy, message: thrown(error) })
      }
    },
    close: () => made.close(),
  }
}

/** Runs cases `seed` to `seed + runs - 1`; the same seeds give the same cases. */
export async function runScopeFuzz(options: ScopeFuzzOptions): Promise<ScopeFuzzReport> {
  const { kind, labelScopes } = options
  const report: ScopeFuzzReport = { cases: 0, mixed: 0, refused: 0, uses: new Map(), failures: [] }
  const end = options.seed + options.runs
  for (let seed = options.seed; seed < end;) {
    const at = Math.floor(seed / CASES_PER_BLOCK)
    const cases = await (kind === 'metrics' ? metricCases(at, labelScopes) : rowCases(at, kind, options))
    try {
      for (; seed < end && Math.floor(seed / CASES_PER_BLOCK) === at; seed++) {
        await cases.run(report, seed)
        if (report.failures.length >= options.maxFailures || options.signal?.aborted === true) return report
      }
    } finally {
      await cases.close()
    }
    options.progress?.(report.cases)
  }
  return report
}
