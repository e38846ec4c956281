/**
 * `npm run trial -- cancel [--cancels 200 --rows 200000 --seed N --only NAME,NAME --all --packed --check]`: processor time that
 * cancelled queries go on using. `--packed` runs what `npm run build` has made: a worker made of source holds 26 MB before its
 * first query, one of that 14, and what is left to do after a cancel is mostly a collection of such a heap. `--check` gives exit
 * code 1 when more than one in a hundred uses any later than 50 ms after its cancel.
 */
import { parseArgs } from 'node:util'
import { namesIn } from '../attacks/attack.ts'
import { cancelRequests, cancelStatements, quantileOf, type Cancelled } from './cancels.ts'

const { values } = parseArgs({
  options: {
    cancels: { type: 'string', default: '200' },
    rows: { type: 'string', default: '200000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    all: { type: 'boolean', default: false },
    packed: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
})
const options = {
  cancels: Number(values.cancels),
  rows: Number(values.rows),
  seed: Number(values.seed),
  only: values.only === undefined ? [] : namesIn(values.only),
  isPacked: values.packed,
}
function tell(what: string, all: readonly Cancelled[]): boolean {
  const used = all.map(({ usedMs }) => usedMs)
  const [p50, p99, most] = [0.5, 0.99, 1].map((share) => quantileOf(used, share).toFixed(1))
  console.log(
    `${what}: ${all.length} cancelled, processor ms afterwards: median ${p50}, 99th percentile ${p99}, most ${most}`,
  )
  const late = all.map(({ lateMs }) => lateMs)
  const [late99, lateMost] = [0.99, 1].map((share) => quantileOf(late, share).toFixed(1))
  console.log(`  of it later than 50 ms after the cancel: 99th percentile ${late99}, most ${lateMost}`)
  const worst = values.all ? all : all.toSorted((a, b) => b.usedMs - a.usedMs).slice(0, 8)
  for (const { name, usedMs, byThread } of worst) {
    const threads = [...byThread].filter(([, ms]) => ms >= 1).toSorted(([, a], [, b]) => b - a)
    const parts = threads.map(([thread, ms]) => `${thread} ${ms.toFixed(1)}`).join(', ')
    console.log(`  ${usedMs.toFixed(1).padStart(8)}  ${name.padEnd(32)}  ${parts}`)
  }
  return quantileOf(late, 0.99) === 0
}

const areQuick = [
  tell('requests', await cancelRequests(options)),
  tell('statements', await cancelStatements({ ...options, cancels: Math.min(options.cancels, 100) })),
]
if (values.check && areQuick.includes(false)) process.exitCode = 1
