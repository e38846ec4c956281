import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { runOn, type Ran } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-config-'))
const logs = join(folder, 'a.ndjson')
writeFileSync(logs, '{"time":"2026-01-02T03:04:05Z","level":"info"}\n')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function configured(yaml: string, env: Readonly<Record<string, string>>, ...argv: readonly string[]): Promise<Ran> {
  const path = join(folder, 'config.yaml')
  writeFileSync(path, yaml)
  return runOn({ env: { SLUICE_CONFIG: path, ...env } }, ...argv)
}

const query = ['query', '* | fields level', logs] as const
const csv = 'level\r\ninfo\r\n'
const logfmt = 'level=info\n'

describe('options come from', () => {
  test.each([
    ['the configuration, for every command', 'format: csv', {}, [], csv],
    ['the part of one command first', 'format: json\nquery: {format: csv}', {}, [], csv],
    ['the environment before it', 'format: json', { SLUICE_FORMAT: 'csv' }, [], csv],
    ['the variable of one command first', '', { SLUICE_FORMAT: 'json', SLUICE_QUERY_FORMAT: 'csv' }, [], csv],
    ['the command line before all', 'format: csv', { SLUICE_FORMAT: 'csv' }, ['--format', 'logfmt'], logfmt],
    ['an option under its other name', 'format: csv\nquiet: true', { SLUICE_SINCE: '2030-01-01' }, [], ''],
    ['a flag', 'quiet: true\nformat: csv', { SLUICE_EXPLAIN: 'false' }, [], csv],
  ] as const)('%s', async (_, yaml, env, more, out) => {
    expect(await configured(yaml, env, ...query, ...more)).toEqual({ code: 0, out, error: '' })
  })

  test('an option that a command needs', async () => {
    const { code, error } = await configured('', { SLUICE_DATA: join(folder, 'data') }, 'import', logs)
    expect({ code, error }).toEqual({ code: 0, error: '' })
  })

  test('a list', async () => {
    const { out } = await configured('serve: {load: [a.log, b.log]}', {}, 'config', 'print', 'serve')
    expect(out).toContain('serve --load ["a.log","b.log"]  # ')
  })
})

describe('refused with its place', () => {
  test.each([
    ['an option that a command does not have', 'query: {fromat: csv}', {}, 'Did you mean `format`?'],
    ['a command that there is not', 'qeury: {format: csv}', {}, 'there is no command `qeury`'],
    ['a word that the option does not take', 'query: {format: xml}', {}, 'config.yaml: --format needs one of table'],
    ['the same in the environment', '', { SLUICE_FORMAT: 'xml' }, 'SLUICE_FORMAT: --format needs one of table'],
    ['a flag that is a text', '', { SLUICE_QUIET: 'very' }, 'SLUICE_QUIET: --quiet needs true or false'],
    ['a list where there is one value', 'format: [csv, json]', {}, '--format needs one value'],
    ['a map where there is one value', 'query: {format: {a: 1}}', {}, 'needs a text or a number'],
    ['what is not YAML', '{', {}, 'is not YAML'],
    ['what is not a map', '- a', {}, 'is not a map'],
  ])('%s', async (_, yaml, env, message) => {
    const { code, error } = await configured(yaml, env, ...query)
    expect(error).toContain(message)
    expect(code).toBe(2)
  })

  test('a configuration that was named and is not there', async () => {
    const { code, error } = await runOn({ env: { SLUICE_CONFIG: join(folder, 'absent.yaml') } }, ...query)
    expect(error).toContain('cannot be read')
    expect(code).toBe(2)
  })
})

test('config print shows where each value comes from, and no key', async () => {
  const { out } = await configured('color: never', { SLUICE_FORMAT: 'csv' }, 'config', 'print', 'query')
  expect(out).toContain('query --format csv  # SLUICE_FORMAT\n')
  expect(out).toContain(`query --color never  # ${join(folder, 'config.yaml')}\n`)
  expect(out).toContain('query --table logs  # default\n')
})

test('config path', async () => {
  const { out } = await runOn({ env: { XDG_CONFIG_HOME: '/etc/somebody' } }, 'config', 'path')
  expect(out).toBe(`${join('/etc/somebody', 'sluice', 'config.yaml')}\n`)
})
