/** `npm run trial -- cancel [--cancels 200 --rows 200000 --seed N --check]`: processor time that cancelled queries go on using */
import { parseArgs } from 'node:util'
import { cancelRequests, cancelStatements, quantileOf, type Cancelled } from './cancels.ts'

const { values } = parseArgs({
  options: {
    cancels: { type: 'string', default: '200' },
    rows: { type: 'string', default: '200000' },
    seed: { type: 'string', default: '1' },
    check: { type: 'boolean', default: false },
  },
})
const options = { cancels: Number(values.cancels), rows: Number(values.rows), seed: Number(values.seed) }
const BOUND_MS = 50

function tell(what: string, all: readonly Cancelled[]): boolean {
  const used = all.map(({ usedMs }) => usedMs)
  const [p50, p99, most] = [0.5, 0.99, 1].map((share) => quantileOf(used, share).toFixed(1))
  console.log(
    `${what}: ${all.length} cancelled, processor ms afterwards: median ${p50}, 99th percentile ${p99}, most ${most}`,
  )
  const worst = all.toSorted((a, b) => b.usedMs - a.usedMs).slice(0, 8)
  for (const { name, usedMs } of worst) console.log(`  ${usedMs.toFixed(1).padStart(8)}  ${name}`)
  return quantileOf(used, 0.99) <= BOUND_MS
}

const areQuick = [
  tell('requests', await cancelRequests(options)),
  tell('statements', await cancelStatements({ ...options, cancels: Math.min(options.cancels, 100) })),
]
if (values.check && areQuick.includes(false)) process.exitCode = 1
