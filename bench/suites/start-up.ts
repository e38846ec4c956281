import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { jsonLine, logRecords } from '../datasets.ts'
import { packagedCli } from '../../test/harness/packaged.ts'

/**
 * Times a query over a file of 10 lines from the start of the process to its end, compared with a Node process that
 * does nothing: `npm run bench -- start-up [--runs N] [--launcher NODE]`. `--launcher` names an older Node for
 * `bin/sluice.cjs`, which then starts the packaged one; without it `/usr/bin/node` is tried. Then the processor time of
 * importing each sub-path is reported. File caches are warm, and the forms take turns.
 */
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '20' }, launcher: { type: 'string', default: '/usr/bin/node' } },
})

const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'sluice-start-'))
const file = join(folder, 'ten.ndjson')
const cli = packagedCli(folder)
const query = ['query', 'content:* | limit 1', file, '--quiet']

interface Way {
  readonly name: string
  readonly program: string
  readonly args: readonly string[]
  readonly answers: boolean
}

function isOlder(program: string): boolean {
  if (!existsSync(program)) return false
  const major = Number(execFileSync(program, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' }))
  return major < 22
}

function ways(): readonly Way[] {
  const node = process.execPath
  const own: readonly Way[] = [
    { name: `node ${process.versions.node}, nothing`, program: node, args: ['-e', ''], answers: false },
    { name: 'query on 10 lines', program: node, args: [cli, ...query], answers: true },
    {
      name: 'query on 10 lines, from source',
      program: node,
      args: [join(root, 'src/cli/main.ts'), ...query],
      answers: true,
    },
  ]
  if (!isOlder(values.launcher)) return own
  const version = execFileSync(values.launcher, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim()
  return [
    ...own,
    { name: `node ${version}, nothing`, program: values.launcher, args: ['-e', ''], answers: false },
    { name: 'query through the launcher', program: values.launcher, args: [cli, ...query], answers: true },
  ]
}

function median(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[sorted.length >> 1]
}

/** Returns the processor milliseconds of all threads until a package of the installed project is imported. */
function importMs(name: string): number {
  const load = name === 'nothing' ? '' : `await import('${name}');`
  const program = `${load} const { user, system } = process.cpuUsage(); console.log((user + system) / 1000)`
  const args = ['--input-type=module', '-e', program]
  return Number(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }))
}

try {
  writeFileSync(file, [...logRecords({ rows: 10, seed: 1 })].map((record) => jsonLine(record)).join('\n'))
  const all = ways().map((way) => ({ ...way, times: new Array<number>() }))
  for (let i = -2; i < Number(values.runs); i++) {
    for (const { name, program, args, answers, times } of all) {
      const startMs = performance.now()
      const output = execFileSync(program, args, { encoding: 'utf8' })
      if (i >= 0) times.push(performance.now() - startMs)
      if ((output.trim().split('\n').length === 1 && output !== '') !== answers) throw new Error(`${name}: no answer`)
    }
  }
  for (const { name, times } of all) {
    const figures = `median ${median(times).toFixed(0)} ms, fastest ${Math.min(...times).toFixed(0)} ms`
    process.stdout.write(`${name.padEnd(36)}${figures}\n`)
  }
  const imports = ['nothing', 'sluice/lang', 'sluice', 'sluice/promql', 'sluice/json', 'sluice/sqlite']
  const processor = new Map(imports.map((name) => [name, new Array<number>()]))
  for (let i = -2; i < Number(values.runs); i++) {
    for (const [name, times] of processor) {
      const ms = importMs(name)
      if (i >= 0) times.push(ms)
    }
  }
  const bare = median(processor.get('nothing') ?? [])
  process.stdout.write('\nprocessor time of an import, above a Node that imports nothing\n')
  for (const [name, times] of processor) {
    if (name === 'nothing') continue
    const figures = `median ${(median(times) - bare).toFixed(0)} ms, fastest ${(Math.min(...times) - bare).toFixed(0)} ms`
    process.stdout.write(`${name.padEnd(36)}${figures}\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
