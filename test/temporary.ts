import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

const PREFIX = 'sluice-tests-'
const parent = tmpdir()

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/**
 * Gives a run of the tests a temporary folder of its own, and returns what removes it. A test that is killed cannot
 * remove its files, so the next run removes those of runs that are no longer there: some write gigabytes.
 */
export default function setup(): () => void {
  for (const name of readdirSync(parent))
    if (name.startsWith(PREFIX) && !isRunning(Number(name.slice(PREFIX.length))))
      rmSync(join(parent, name), { recursive: true, force: true })
  const folder = join(parent, `${PREFIX}${process.pid}`)
  mkdirSync(folder)
  process.env['TMPDIR'] = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
