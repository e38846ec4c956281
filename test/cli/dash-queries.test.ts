import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { run } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-dash-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const metrics = join(folder, 'metrics.txt')
writeFileSync(metrics, 'queue_length{queue="mail"} 7 1773140400000\n')
const fixture = join(import.meta.dirname, '../../fixtures/logs/payments-pool-exhausted.ndjson')

describe('a query that begins with a dash', () => {
  test.each([
    '-level:error | stats count() as n',
    '-Verify level:error | stats count() as n',
    '-hello | stats count() as n',
  ])('is no option: %s', async (query) => {
    const expected = await run('query', '--', query, fixture)
    expect(expected).toMatchObject({ code: 0, error: '' })
    expect(await run('query', query, fixture)).toEqual(expected)
    expect(await run('query', '--quiet', '--format', 'ndjson', query, fixture, '--from', '2020-01-01')).toEqual(
      expected,
    )
  })

  test.each([
    ['hits', '-level:info', [fixture], ['--step', '1h']],
    ['explain', '-level:info', [], ['--steps']],
    ['fmt', '-level:info   |  limit 1', [], ['--canonical']],
    ['lint', '-level:info | limit 1', [], ['--strict']],
    ['compile', '-level:info', [], ['--dialect', 'sqlite']],
    ['convert', '-level:info', [], ['--to', 'json']],
    ['promql', '-queue_length', [metrics], ['--format=json']],
  ])('is one for %s: %s', async (command, query, files, options) => {
    const expected = await run(command, ...options, '--', query, ...files)
    expect(expected.error).not.toContain('option')
    expect(await run(command, query, ...files, ...options)).toEqual(expected)
    expect(await run(command, ...options, query, ...files)).toEqual(expected)
  })

  test('and could be an option stands behind two dashes', async () => {
    expect(await run('query', '-format', 'json', 'error', fixture)).toEqual({
      code: 2,
      out: '',
      error: 'The option is written `--format`. As a query it stands behind `--`: sluice query -- -format\n',
    })
    expect((await run('query', '-help')).error).toContain('The option is written `--help`.')
  })

  test('twice stands behind two dashes', async () => {
    expect((await run('query', '--error', fixture)).error).toBe(
      'There is no option `--error`. As a query it stands behind `--`: sluice query -- --error\n',
    )
    expect((await run('query', '--formt=json', 'error', fixture)).error).toBe(
      'There is no option `--formt`. Did you mean `--format`? As a query it stands behind `--`: sluice query -- --formt=json\n',
    )
  })

  test('does not hide a wrong option behind it', async () => {
    const { code, error } = await run('query', '-error', fixture, '--formt', 'json')
    expect(code).toBe(2)
    expect(error).toContain("unknown option '--formt'")
  })

  test('leaves -h the help', async () => {
    expect((await run('query', '-h')).out).toContain('Usage: sluice query [options] <query> [files...]')
  })
})
