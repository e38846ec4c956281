import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const compiled = new URL('../../../src/server/worker/compiled.ts', import.meta.url).href
const loaded = new URL('../../../src/base/index.ts', import.meta.url).href

test('a process that does not end by itself leaves what it has compiled', { tags: ['slow'] }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-compiled-'))
  const program = `
    const { keepCompiled } = await import(${JSON.stringify(compiled)})
    keepCompiled()
    await import(${JSON.stringify(loaded)})
    setTimeout(() => undefined, 60_000)
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { NODE_COMPILE_CACHE: folder },
    stdio: 'ignore',
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const written = (): number =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile()).length
  await expect.poll(written, { interval: 100 }).toBeGreaterThan(5)
})
