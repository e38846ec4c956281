import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { commands } from '../../src/cli/commands/index.ts'
import { shells } from '../../src/cli/shell-completion.ts'
import { run } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-shell-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(shells)('the completion of %s', (shell) => {
  test('knows every command and its options', async () => {
    const { code, out } = await run('completion', shell)
    expect(code).toBe(0)
    for (const { name } of commands) expect(out).toContain(name)
    expect(out).toContain('table json ndjson csv logfmt raw')
  })
})

test('bash offers commands, options, and values of an option', async () => {
  const script = join(folder, 'sluice.bash')
  writeFileSync(script, (await run('completion', 'bash')).out)
  const offered = (...words: readonly string[]): string =>
    execFileSync(
      'bash',
      [
        '-c',
        `source ${script}; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _sluice; echo "\${COMPREPLY[@]}"`,
        '-',
        ...words,
      ],
      { encoding: 'utf8' },
    ).trim()
  expect(offered('sluice', 'que')).toBe('query')
  expect(offered('sluice', 'query', '--timeo')).toBe('--timeout')
  expect(offered('sluice', 'query', '--format', 'nd')).toBe('ndjson')
  expect(offered('sluice', 'config', 'p')).toBe('print path')
})

test('the manual page has every command, and no line of its text is a request', async () => {
  const { code, out } = await run('man')
  expect(code).toBe(0)
  for (const { name } of commands) expect(out).toContain(`\n.SS sluice ${name}`)
  const requests = new Set(out.split('\n').flatMap((line) => /^[.'](\S*)/.exec(line)?.[1] ?? []))
  expect([...requests].toSorted()).toEqual(['B', 'I', 'PP', 'SH', 'SS', 'TH', 'TP'])
})
