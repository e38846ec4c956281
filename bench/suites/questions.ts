/** Runs the 33 questions of an operator on call on every engine. `npm run bench` alone runs this suite. */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { page } from '../page.ts'
import { isPeerName, peerNames, peers, type PeerName } from '../peers/index.ts'
import { report, slopes } from '../report.ts'
import { regressions, runBench, type BenchResult } from '../run.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    bodies: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    peers: { type: 'string' },
    python: { type: 'string' },
    logs: { type: 'string' },
    threads: { type: 'string', default: '1' },
    'peer-threads': { type: 'string', default: '2' },
    'one-by-one': { type: 'boolean', default: false },
    budget: { type: 'string', default: '400' },
    out: { type: 'string' },
    page: { type: 'string' },
    from: { type: 'string' },
    baseline: { type: 'string' },
  },
})
const print = (line: string): void => void process.stdout.write(`${line}\n`)

function peersOf(list: string): readonly PeerName[] {
  return list.split(',').map((name) => {
    if (isPeerName(name)) return name
    throw new Error(`There is no peer ${JSON.stringify(name)}; there are ${peerNames.join(', ')}.`)
  })
}

/** Reads results of earlier runs, the one with the fewest rows first. */
function read(files: string): readonly BenchResult[] {
  const results = files.split(',').map((file) => JSON.parse(readFileSync(file, 'utf8')) as BenchResult)
  return results.toSorted((a, b) => a.rows - b.rows)
}

async function run(): Promise<BenchResult> {
  const { python, logs } = values
  const there = peerNames.filter((name) => peers[name].isThere({ python, logs }))
  return runBench({
    rows: Number(values.rows),
    seed: Number(values.seed),
    bodies: values.bodies,
    only: values.only.flatMap((ids) => ids.split(',')),
    peers: values.peers === undefined ? there : peersOf(values.peers),
    threads: Number(values.threads),
    peerThreads: Number(values['peer-threads']),
    python,
    logs,
    isOneByOne: values['one-by-one'],
    budgetMs: Number(values.budget),
    print,
  })
}

const results = values.from === undefined ? [await run()] : read(values.from)
for (const result of results) for (const line of report(result)) print(line)
for (const line of slopes(results)) print(line)
if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(results.at(-1), null, 2)}\n`)
if (values.page !== undefined) writeFileSync(values.page, page(results))
const [baseline] = values.baseline === undefined ? [] : read(values.baseline)
const slower = baseline === undefined ? [] : results.flatMap((result) => regressions(result, baseline))
for (const line of slower) print(`SLOWER ${line}`)
process.exitCode = slower.length > 0 || results.some(({ differences }) => differences.length > 0) ? 1 : 0
