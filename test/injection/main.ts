import { parseArgs } from 'node:util'
import { makeSources, runInjection, type InjectionReport } from './run.ts'

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
})

const seed = Number(values.seed)
const names = values.only?.split(',')
const sources = (await makeSources()).filter(({ name }) => names?.includes(name) !== false)
if (sources.length === 0) throw new TypeError('`--only` names no source', { cause: values.only })
const startedMs = performance.now()

function lineOf({ questions, pairs, refused, differences }: InjectionReport): string {
  const seconds = (performance.now() - startedMs) / 1000
  return (
    `${pairs} pairs over ${questions} questions in ${seconds.toFixed(0)} s (${(pairs / seconds).toFixed(0)}/s), ` +
    `${refused} refused alike and not counted, ${differences.length} differ`
  )
}

function tell({ differences }: InjectionReport): void {
  for (const { seed: at, attack, harmless, question, found, expected } of differences.slice(told, MOST_TOLD)) {
    console.log(
      `\nseed ${at}: ${JSON.stringify(attack)}, harmless ${JSON.stringify(harmless)}\n${question}\n${found}\n— instead of —\n${expected}`,
    )
  }
  told = differences.length
}

const MOST_TOLD = 40
let told = 0
let toldMs = startedMs
const report = await runInjection({
  pairs: Number(values.pairs),
  seed,
  sources,
  progress: (current) => {
    tell(current)
    if (performance.now() - toldMs < 30_000) return
    toldMs = performance.now()
    console.log(lineOf(current))
  },
})
for (const [place, count] of [...report.byPlace].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  console.log(`  ${place}: ${count}`)
console.log(lineOf(report))
tell(report)
process.exitCode = report.differences.length === 0 ? 0 : 1
