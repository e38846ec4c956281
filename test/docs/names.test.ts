import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commands } from '../../src/cli/commands/index.ts'
import { run } from '../cli/terminal.ts'
import { allPages, root } from './pages.ts'

const text = allPages()
  .map((page) => page.text)
  .join('\n')

/** Options of other programs and of LogQL stages that the pages mention. */
const FOREIGN = new Set([
  '--keep-empty',
  '--data-binary',
  '--data-urlencode',
  '--fail-with-body',
  '--now',
  '--format',
  '--priority',
])

test('every option that a page names is an option of a command', async () => {
  const help = await Promise.all(commands.map(async ({ name }) => (await run(name, '--help')).out))
  const parts = [await run('keys', 'add', '--help'), await run('monitors', 'backtest', '--help')]
  const known = new Set([...help, ...parts.map(({ out }) => out)].join('\n').match(/--[a-z][a-z-]+/g))
  const lines = text
    .split('\n')
    .filter((line) => !/^(logger|npm|systemctl|journalctl|docker|kubectl|helm|useradd) /.test(line))
  const named = new Set(lines.join('\n').match(/(?<=[\s`(])--[a-z][a-z-]+/g))
  expect(named.size).toBeGreaterThan(30)
  expect([...named].filter((option) => !known.has(option) && !FOREIGN.has(option))).toEqual([])
})

test('every metric that a page names is served', () => {
  const source = readdirSync(join(root, 'src/server'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(root, 'src/server', name), 'utf8'))
    .join('\n')
  const named = new Set(text.match(/\bsluice_[a-z_]+_(?:bytes|total|waiting)\b/g))
  expect(named.size).toBeGreaterThan(8)
  // The code of listeners builds these names from the protocol.
  const isServed = (name: string): boolean =>
    source.includes(name) ||
    source.includes(name.replace(/(?<=sluice_)(?:syslog|forward)/, () => '${name}')) ||
    /^sluice_(?:syslog_messages|forward_records)_total$/.test(name)
  expect([...named].filter((name) => !isServed(name))).toEqual([])
})
