import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SluiceError, nowhere } from '../../../src/base/index.ts'
import { testTerminal } from '../terminal.ts'
import { jsonLogger } from '../../../src/cli/serve/logger.ts'
import { durableDiagnostic } from '../../../src/store/durable/index.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-logger-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Logs the errors and returns the log lines without their times. */
async function logged(...errors: readonly unknown[]): Promise<readonly unknown[]> {
  const path = join(folder, 'log')
  const log = await jsonLogger('warn', testTerminal().terminal, openSync(path, 'w'))
  for (const error of errors) log.error({ error }, 'something failed')
  log.info({}, 'not told')
  const lines = (): readonly string[] => readFileSync(path, 'utf8').trimEnd().split('\n')
  // Lines that arrive during a write are written after it.
  await expect.poll(() => lines().length).toBe(errors.length)
  return lines().map((line) => {
    const { time, ...rest } = JSON.parse(line) as Record<string, unknown>
    expect(time).toBeTypeOf('number')
    return rest
  })
}

test('a slow query is logged at the default level', async () => {
  const path = join(folder, 'log')
  const log = await jsonLogger('warn', testTerminal().terminal, openSync(path, 'w'))
  log.warn({ query: '*', seconds: 2 }, 'slow query')
  await expect.poll(() => readFileSync(path, 'utf8')).toContain('"query":"*","seconds":2,"msg":"slow query"')
})

test('a line of the log says what an error is', async () => {
  const disk = new SluiceError([durableDiagnostic('disk-full', {}, nowhere)])
  const reasons = ['The disk is full; the batch was not taken.']
  const stack = expect.stringContaining('logger.test.ts') as unknown
  expect(await logged(disk, new TypeError('no such thing'), 'lost')).toEqual([
    { level: 50, error: { codes: ['durable/disk-full'], reasons }, msg: 'something failed' },
    { level: 50, error: { reasons: ['no such thing'], stack }, msg: 'something failed' },
    { level: 50, error: 'lost', msg: 'something failed' },
  ])
})
