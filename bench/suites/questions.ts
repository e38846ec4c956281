/** The 33 questions of an operator on call, asked of every engine; `npm run bench` alone runs this suite. */
import { parseArgs } from 'node:util'
import { regressions, runBench } from '../run.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    bodies: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    peers: { type: 'string', default: 'columnar,sqlite,duckdb,sqlite-by-hand' },
    budget: { type: 'string', default: '400' },
    out: { type: 'string' },
    baseline: { type: 'string' },
  },
})

const result = await runBench({
  rows: Number(values.rows),
  seed: Number(values.seed),
  bodies: values.bodies,
  only: values.only.flatMap((ids) => ids.split(',')),
  peers: values.peers.split(','),
  budgetMs: Number(values.budget),
  out: values.out,
  baseline: values.baseline,
  print: (line) => process.stdout.write(`${line}\n`),
})
const slower = values.baseline === undefined ? [] : regressions(result, values.baseline)
for (const line of slower) process.stdout.write(`SLOWER ${line}\n`)
process.exitCode = slower.length > 0 || result.differences.length > 0 ? 1 : 0
