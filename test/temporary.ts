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
 * Creates a temporary folder for a test run and returns a function that removes it. A killed run cannot remove its
 * files, which can take gigabytes, so the next run removes folders of processes that have ended.
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
