// @module-tag slow
import { execFile } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { program } from '../../harness/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-memory-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const MB = 1_000_000
/** If the query held the additional rows of the large file in memory, it would need more than twice this. */
const MOST_GROWTH_MB = 200

const hook = join(folder, 'peak.cjs')
writeFileSync(
  hook,
  `if (require('node:worker_threads').isMainThread)
  process.on('exit', () => require('node:fs').writeSync(2, 'peak ' + process.resourceUsage().maxRSS))`,
)

/** Writes a file of about this size in bytes. */
function written(name: string, bytes: number): string {
  const path = join(folder, name)
  const file = openSync(path, 'w')
  for (let row = 0, at = 0; at < bytes;) {
    const lines: string[] = []
    for (const end = row + 10_000; row < end; row++) {
      const level = ['info', 'warn', 'error'][row % 3]
      const time = new Date(Date.UTC(2026, 2, 10) + row * 10).toISOString()
      lines.push(
        `{"_time":"${time}","level":"${level}","n":${(row * 7919) % 100_003},"content":"request ${row} of many, ${'and so on '.repeat(9)}"}\n`,
      )
    }
    at += writeSync(file, lines.join(''))
  }
  closeSync(file)
  return path
}

const small = written('small.ndjson', 120 * MB)
const large = written('large.ndjson', 1020 * MB)

/** Runs a query in a separate process. Returns its output and its peak resident size in MB. */
async function asked(query: string, path: string): Promise<{ readonly out: string; readonly peakMb: number }> {
  const args = ['--require', hook, program, 'query', query, path, '--format', 'ndjson', '--timeout', '10m']
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args)
  return { out: stdout, peakMb: Number(/peak (\d+)/.exec(stderr)?.[1]) / 1000 }
}

test.each([
  '* | stats by (level) count() n, max(content) m',
  'n:>50 | stats by (_time:1h) sum(n) s, min(content) m',
  '* | sort by (n desc) limit 10 | fields _time, n, content',
])('what a query holds does not grow with its file: %s', async (query) => {
  const [ofSmall, ofLarge] = [await asked(query, small), await asked(query, large)]
  expect(ofLarge.out).not.toBe(ofSmall.out)
  expect(ofLarge.peakMb - ofSmall.peakMb).toBeLessThan(MOST_GROWTH_MB)
})
