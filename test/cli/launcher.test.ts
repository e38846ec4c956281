// @module-tag slow
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { PATIENCE_MS } from '../harness/patience.ts'

const launcher = resolve(import.meta.dirname, '../../bin/sluice.cjs')
const folder = mkdtempSync(join(tmpdir(), 'sluice-launcher-'))
const older = join(folder, 'older.cjs')
writeFileSync(older, "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })\n")

const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) if (child.pid !== undefined && child.exitCode === null) child.kill('SIGKILL')
})
afterAll(() => rmSync(folder, { recursive: true }))

/**
 * Starts a server through the launcher in a separate process group. By default it runs as on an older Node. `said`
 * returns everything printed so far.
 */
async function serve(nodeArgs = ['-r', older]): Promise<{ child: ChildProcess; address: string; said: () => string }> {
  const child = spawn(process.execPath, [...nodeArgs, launcher, 'serve', '--port', '0', '--workers', '0'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, SLUICE_API_KEY: 'a-key-of-the-launcher-test' },
  })
  started.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece: Buffer) => (text += piece.toString()))
  const found = await vi.waitUntil(() => /listens on (http:\S+)/.exec(text)?.[1], PATIENCE_MS)
  return { child, address: found, said: () => text }
}

const answers = (address: string): Promise<boolean> =>
  fetch(`${address}/healthz`).then(
    () => true,
    () => false,
  )

test('one Ctrl-C, which reaches launcher and server both, lets the server end its work', async () => {
  const { child, said } = await serve()
  process.kill(-(child.pid ?? 0), 'SIGINT')
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  expect({ code, signal }).toEqual({ code: 0, signal: null })
  expect(said()).toContain('Stopping')
})

test('SIGTERM to the launcher alone ends the server in order', async () => {
  const { child, said } = await serve()
  child.kill('SIGTERM')
  expect((await once(child, 'exit'))[0]).toBe(0)
  expect(said()).toContain('Stopping')
})

test('a launcher that is killed takes the server along', async () => {
  const { child, address } = await serve()
  expect(await answers(address)).toBe(true)
  child.kill('SIGKILL')
  await expect.poll(() => answers(address)).toBe(false)
})

const hasExecve = process.platform === 'linux' && process.execve !== undefined

test.runIf(hasExecve)('the server keeps its process id, and memory in few arenas', async () => {
  const { child, address } = await serve([])
  expect(await answers(address)).toBe(true)
  const environment = readFileSync(`/proc/${child.pid}/environ`, 'utf8').split('\0')
  expect(environment).toContain('MALLOC_ARENA_MAX=2')
  child.kill('SIGTERM')
  expect((await once(child, 'exit'))[0]).toBe(0)
})
