/**
 * Puts one mistake at a time into a copy of the source and lets the fuzzer look for it.
 * `npm run mutants -- [--count 40] [--seed 1] [--runs 6000]`
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chooseMutants } from './mutate.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '6000' },
  },
})

const root = resolve(import.meta.dirname, '../..')
const copy = mkdtempSync(join(tmpdir(), 'sluice-mutants-'))
cpSync(join(root, 'src'), join(copy, 'src'), { recursive: true })
cpSync(join(root, 'package.json'), join(copy, 'package.json'))
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))

function fuzz(): { readonly isKilled: boolean; readonly how: string } {
  const args = ['src/cli/main.ts', 'fuzz', '--runs', values.runs, '--seed', '9000000', '--max-failures', '1']
  const ran = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8', timeout: 180_000 })
  if (ran.error !== undefined) return { isKilled: true, how: 'ran too long' }
  const law = /^([a-z-]+), seed \d+/m.exec(ran.stdout)?.[1]
  return { isKilled: ran.status !== 0, how: law ?? (ran.status === 0 ? 'lives' : 'crash') }
}

const unchanged = fuzz()
if (unchanged.isKilled) {
  process.stdout.write(`The unchanged source fails already (${unchanged.how}); mutants would prove nothing.\n`)
  process.exit(2)
}
let killed = 0
const mutants = chooseMutants(root, Number(values.seed), Number(values.count))
for (const mutant of mutants) {
  const path = join(copy, mutant.file)
  const original = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    original
      .split('\n')
      .with(mutant.line - 1, mutant.after)
      .join('\n'),
  )
  const { isKilled, how } = fuzz()
  writeFileSync(path, original)
  if (isKilled) killed++
  process.stdout.write(`${isKilled ? 'killed' : 'LIVES '} ${mutant.file}:${mutant.line} ${mutant.kind} (${how})\n`)
  if (!isKilled) process.stdout.write(`         ${mutant.before.trim()}\n         ${mutant.after.trim()}\n`)
}
rmSync(copy, { recursive: true, force: true })
process.stdout.write(`${killed} of ${mutants.length} mutants killed\n`)
