import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { commands } from '../../src/cli/commands/index.ts'
import { filterRule } from '../../src/cli/options/where-option.ts'
import { referenceEntries, referenceNames } from '../../src/cli/reference.ts'
import { shells } from '../../src/cli/shell-completion.ts'
import { filterDefinitions, pipeDefinitions } from '../../src/lang/log/index.ts'
import { run } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-shell-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(shells)('the completion of %s', (shell) => {
  test('knows every command and its options', async () => {
    const { code, out } = await run('completion', shell)
    expect(code).toBe(0)
    for (const { name } of commands) expect(out).toContain(name)
    expect(out).toContain('table chart json ndjson csv logfmt raw')
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
  for (const { name } of referenceEntries()) expect(out).toContain(`\n.SS ${name.replaceAll('-', '\\-')} (`)
  expect(out).toMatch(/^[\n -~]*$/)
  expect(out).toContain('fields field, prefix*, \\[u2026]')
  const requests = new Set(out.split('\n').flatMap((line) => /^[.'](\S*)/.exec(line)?.[1] ?? []))
  expect([...requests].toSorted()).toEqual(['B', 'I', 'PP', 'RE', 'RS', 'SH', 'SS', 'TH', 'TP', 'fi', 'nf'])
})

describe('help', () => {
  test.each(['query', 'fields', 'values', 'facets', 'hits', 'export', 'explain', 'tail', 'delete'])(
    'of %s says how filters side by side are joined',
    async (command) => {
      const { out } = await run('help', command)
      expect(out.replaceAll(/\s+/g, ' ')).toContain(filterRule)
    },
  )

  test('describes pipes, filters, functions and commands', async () => {
    expect(await run('help', 'avg')).toEqual({
      code: 0,
      out: `avg (stats function)

The mean of the numeric values; NaN when there are none. Also written \`mean\`. Takes 1 or more arguments.

- \`field…\`: fields whose values are averaged

    * | stats by (workload) avg(duration_ms) mean_ms
`,
      error: '',
    })
    expect((await run('help', 'Where')).out).toMatch(/^filter \(pipe\)\n/)
    expect((await run('help', 'fmt')).out).toBe((await run('fmt', '--help')).out)
  })

  test('describes everything that has the name', async () => {
    const { out } = await run('help', 'facets')
    expect(out.match(/^(Usage: sluice )?facets( \(.*\))?/gm)).toEqual([
      'Usage: sluice facets',
      'facets (pipe)',
      'facets (table function)',
    ])
  })

  test('knows every name of a pipe or filter', () => {
    const known = new Set(referenceNames(referenceEntries()))
    const names = [...pipeDefinitions, ...filterDefinitions].flatMap((definition) => definition.names)
    expect(names.length).toBeGreaterThan(80)
    expect(names.filter((name) => !known.has(name))).toEqual([])
  })

  test('proposes a name for one that nothing has', async () => {
    expect(await run('help', 'statz')).toEqual({
      code: 2,
      out: '',
      error: 'There is no command, pipe, filter or function `statz`. Did you mean `stats`?\n',
    })
    expect((await run('help', 'blorp')).error).toBe('There is no command, pipe, filter or function `blorp`.\n')
  })

  test('lists the commands without a name', async () => {
    const { code, out } = await run('help')
    expect(code).toBe(0)
    for (const { name } of commands) expect(out.replaceAll(/\s+/g, ' ')).toContain(` ${name} `)
  })
})
