import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runOn } from '../terminal.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-rules-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

async function serve(...args: readonly string[]): Promise<{ readonly code: number; readonly error: string }> {
  const { code, error } = await runOn({}, 'serve', '--port', '0', '--workers', '0', ...args)
  return { code, error }
}

test('a wrong rule file ends the start with its position', async () => {
  const good = join(folder, 'a.yaml')
  const wrong = join(folder, 'b.yaml')
  writeFileSync(good, 'groups: []\n')
  writeFileSync(wrong, 'groups:\n  - name: g\n    rules: [{ record: "a:b", expr: "sum(" }]\n')
  const { code, error } = await serve('--rules', join(folder, '*.yaml'), good)
  expect(code).toBe(1)
  expect(error).toContain(`${wrong}:3:`)
  expect(error).toContain('The expression cannot be read')
})

test.each([
  [['--rules', 'no-such-*.yaml'], 'No file matches no-such-*.yaml.'],
  [['--rules', 'no-such.yaml'], 'no-such.yaml cannot be read'],
  [['--rules', 'no-such.yaml', '--alerting', 'off'], '--rules needs --alerting on'],
  [['--external-label', 'region'], '--external-label needs a name and a value such as region=eu, not `region`.'],
])('%j is refused', async (args, message) => {
  const { code, error } = await serve(...args)
  expect(code).not.toBe(0)
  expect(error).toContain(message)
})
