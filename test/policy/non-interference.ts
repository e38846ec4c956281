import { seededRandom } from '../../src/base/index.ts'
import { fuzzRows } from '../../src/fuzz/dataset.ts'
import { generateQuery, queryText } from '../../src/fuzz/log-query.ts'
import { findLeak } from '../../src/fuzz/oracles/scope-never-leaks.ts'
import { makeSubject } from '../../src/fuzz/subject.ts'

const CASES_PER_DATASET = 20
const MAX_ROWS = 30

export interface NonInterferenceReport {
  cases: number
  /** Cases in which some rows were hidden and some visible: the ones that can show a leak. */
  mixed: number
  readonly leaks: string[]
}

/** Random queries over random rows under random policies, cases `seed` to `seed + runs - 1`. */
export async function nonInterference(
  runs: number,
  seed: number,
  progress?: (report: NonInterferenceReport) => void,
): Promise<NonInterferenceReport> {
  const report: NonInterferenceReport = { cases: 0, mixed: 0, leaks: [] }
  for (let at = seed; at < seed + runs;) {
    const block = Math.floor(at / CASES_PER_DATASET)
    const subject = await makeSubject(fuzzRows(seededRandom(block ^ 0x5c09e), MAX_ROWS))
    for (; at < seed + runs && Math.floor(at / CASES_PER_DATASET) === block; at++) {
      const random = seededRandom(at)
      const text = queryText(generateQuery(random))
      const { hiddenRows, visibleRows, leak } = await findLeak({ text, subject, random })
      report.cases++
      if (hiddenRows > 0 && visibleRows > 0) report.mixed++
      if (leak !== undefined) report.leaks.push(`seed ${at}: ${text}\n  ${leak}`)
    }
    await subject.close()
    progress?.(report)
    if (report.leaks.length >= 10) break
  }
  return report
}

if (import.meta.main) {
  const runs = Number(process.argv[2] ?? 1000)
  const seed = Number(process.argv[3] ?? 1)
  const startedMs = performance.now()
  const { cases, mixed, leaks } = await nonInterference(runs, seed)
  const seconds = (performance.now() - startedMs) / 1000
  console.log(
    `${cases} cases from seed ${seed} in ${seconds.toFixed(0)} s, ${mixed} with hidden and visible rows: ${leaks.length} leaks`,
  )
  for (const leak of leaks) console.log(leak)
  process.exitCode = leaks.length === 0 ? 0 : 1
}
