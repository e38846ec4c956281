import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServer, type SluiceServer } from '../../src/server/index.ts'
import { run, runOn, type Ran } from './terminal.ts'

const logs = join(import.meta.dirname, '../../fixtures/logs/payments-pool-exhausted.ndjson')
const KEY = 'a-key-of-the-command-line-test'

const folder = mkdtempSync(join(tmpdir(), 'sluice-server-'))
const metrics = join(folder, 'metrics.txt')
writeFileSync(
  metrics,
  ['2', '5', '+Inf'].map((value, i) => `queue{queue="q${i}",zone="z${2 - i}"} ${value} 1773140400000\n`).join(''),
)
const odd = join(folder, 'odd.ndjson')
writeFileSync(
  odd,
  [
    { _time: '2026-03-10T11:00:00.000000001Z', content: 'odd one', big: 1, list: [1, { a: '}"' }] },
    { _time: '2026-03-10T11:00:00.000000002Z', content: 'odd two', other: 'a,"b"\n' },
  ]
    .map((row) => JSON.stringify(row).replace('"big":1', '"big":9007199254740993,"float":1.0'))
    .join('\n'),
)

let server: SluiceServer
let address: string
/** Command-line arguments that select the server. */
let at: readonly string[]

async function put(path: string, type: string, body: string): Promise<void> {
  const headers = { Authorization: KEY, 'Content-Type': type }
  const answer = await server.fetch(new Request(`http://localhost${path}`, { method: 'POST', headers, body }))
  expect(answer.status, await answer.text()).toBeLessThan(300)
}

beforeAll(async () => {
  server = await createServer({ keys: [KEY] })
  const { port } = await server.listen({ port: 0 })
  address = `http://localhost:${port}`
  at = ['--server', address, '--key', KEY]
  for (const file of [logs, odd]) await put('/api/ingest/logs', 'application/x-ndjson', readFileSync(file, 'utf8'))
  await put('/api/v1/import/prometheus', 'text/plain', readFileSync(metrics, 'utf8'))
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a server answers as the files do that it has', () => {
  const same = async (args: readonly string[], files: readonly string[]): Promise<void> => {
    const terminals = [{}, { isOutputTty: true, isErrorTty: true, columns: 90 }]
    for (const terminal of terminals) {
      const expected = await runOn(terminal, ...args, ...files)
      expect(expected.code, expected.error).toBe(0)
      expect(expected.out).not.toBe('')
      const { code, out } = await runOn(terminal, ...args, ...at)
      expect({ code, out }).toEqual({ code: 0, out: expected.out })
    }
  }
  const formats = ['table', 'json', 'ndjson', 'csv', 'logfmt', 'raw']

  test.each(formats)('query, as %s', async (format) => {
    for (const query of [
      'odd | sort by (_time)',
      'odd | sort by (_time) | fields _time, other, big',
      'level:error | stats by (workload) count() as n, max(_time) as last, min(absent) as none | sort by (workload)',
    ]) {
      await same(['query', query, '--format', format], [logs, odd])
    }
  })

  test('a query that finds nothing', async () => {
    const query = 'workload:none | stats by (workload) count() n'
    const expected = await run('query', query, '--format', 'csv', logs, odd)
    const { code, out } = await run('query', query, '--format', 'csv', ...at)
    expect({ code, out }).toEqual({ code: 0, out: expected.out })
  })

  test('query, with a range and in the other dialect', async () => {
    await same(['query', '* | stats count() n', '--from', '2026-03-10T11:00:00Z', '--to', '30m'], [logs, odd])
    await same(
      ['query', 'odd | sort by (_time) | fields big, other', '--dialect', 'logsql', '--format', 'ndjson'],
      [logs, odd],
    )
  })

  test('fields, values, facets and hits', async () => {
    await same(['fields', '--where', 'level:error'], [logs, odd])
    await same(['values', 'workload', '--limit', '3'], [logs, odd])
    await same(['facets', '--limit', '2', '--where', 'level:error'], [logs, odd])
    await same(['hits', 'level:error', '--by', 'workload'], [logs, odd])
    await same(['hits', '--where', 'level:error', '--step', '10m', '--format', 'csv'], [logs, odd])
  })

  test.each(['table', 'json'])('promql, as %s', async (format) => {
    const time = ['--time', '2026-03-10T11:01:00Z', '--format', format]
    const range = ['--from', '2026-03-10T11:00:00Z', '--to', '2026-03-10T11:02:00Z', '--step', '60', '--format', format]
    await same(['promql', 'queue', ...time], [metrics])
    await same(['promql', 'sum by (zone) (queue)', ...range], [metrics])
    await same(['promql', 'time() / 0', ...time], [metrics])
    await same(['promql', '"text"', ...time], [metrics])
  })

  test('export', async () => {
    const [one, other] = [join(folder, 'one.csv'), join(folder, 'other.csv')]
    const query = 'level:error | stats by (workload) count() as n | sort by (workload)'
    expect((await run('export', query, '--output', one, logs)).code).toBe(0)
    expect((await run('export', query, '--output', other, ...at)).code).toBe(0)
    expect(readFileSync(other, 'utf8')).toBe(readFileSync(one, 'utf8'))
  })
})

describe('with --server', () => {
  const failed = async (...args: readonly string[]): Promise<Omit<Ran, 'out'>> => {
    const { code, out, error } = await run(...args)
    expect(out).toBe('')
    return { code, error }
  }

  test('an error of the query is shown at its place, as over files', async () => {
    const expected = await run('query', '* | stast count()', logs)
    expect(expected.error).toContain('^')
    expect(await run('query', '* | stast count()', ...at)).toEqual(expected)
    const bad = await run('promql', 'sum(', metrics)
    expect(bad.error).toContain('^')
    expect(await run('promql', 'sum(', ...at)).toEqual(bad)
  })

  test('diagnostics of a query are reported', async () => {
    const { code, error } = await run('query', 'workload:paymens | stats count() n', ...at)
    expect(code).toBe(0)
    expect(error).toMatch(/^warning: .*`paymens`/)
    expect((await run('query', 'workload:paymens | stats count() n', '--quiet', ...at)).error).toBe('')
  })

  test('the key comes from the environment too, and is needed', async () => {
    const env = { XDG_CONFIG_HOME: '/nowhere', SLUICE_API_KEY: KEY }
    const { code, out } = await runOn({ env }, 'query', 'level:warn | stats count() n', '--server', address)
    expect({ code, out }).toEqual({ code: 0, out: '{"n":16}\n' })
    expect((await failed('query', '*', '--server', address)).error).toMatch(/^401: /)
    expect((await failed('promql', 'up', '--server', address)).error).toMatch(/^401: /)
  })

  test('options that a server does not support are refused', async () => {
    const refused = async (...args: readonly string[]): Promise<string> => {
      const { code, error } = await failed(...args, ...at)
      expect(code).toBe(2)
      return error
    }
    expect(await refused('query', '*', logs)).toBe('Either --server or files can be given, not both.\n')
    expect(await refused('promql', 'up', metrics)).toBe('Either --server or files can be given, not both.\n')
    expect(await refused('query', '*', '--data', folder)).toBe('Either --server or --data can be given, not both.\n')
    expect(await refused('query', '*', '--follow')).toContain('--follow (`sluice tail` follows a server)')
    expect(await refused('promql', 'up', '--analyze')).toContain('--analyze')
    expect(await refused('query', '*', '--table', 'clusters')).toBe(
      'A server is asked for logs, events, spans, not for the table clusters.\n',
    )
  })

  test('an address may have a path, as behind a proxy', async () => {
    const asked: (string | undefined)[] = []
    const proxy = createHttpServer((request, response) => {
      asked.push(request.url)
      response.writeHead(404).end('nobody')
    })
    await new Promise<void>((resolve) => {
      proxy.listen(0, 'localhost', resolve)
    })
    const { port } = proxy.address() as AddressInfo
    for (const path of ['/logs', '/logs/', ''])
      expect((await failed('query', '*', '--server', `http://localhost:${port}${path}`)).error).toBe('404: nobody\n')
    await failed('tail', 'a b', '--server', `http://localhost:${port}/logs`)
    proxy.close()
    const search = '/api/logs/v2/search'
    expect(asked).toEqual([`/logs${search}`, `/logs${search}`, search, '/logs/api/logs/tail?query=a+b'])
  })

  test('an address that is none, or where nothing answers, is named', async () => {
    expect(await failed('query', '*', '--server', 'localhost')).toEqual({
      code: 2,
      error: '--server is a URL such as http://localhost:7400, not `localhost`.\n',
    })
    expect((await failed('query', '*', '--server', 'localhost:7400')).error).toContain('is a URL such as')
    const { code, error } = await failed('fields', '--server', 'http://localhost:1')
    expect(code).toBe(1)
    expect(error).toMatch(/^http:\/\/localhost:1 does not answer: /)
  })

  test('a time that is over ends the command', async () => {
    const { code, error } = await failed('query', '*', '--timeout', '1ms', ...at)
    expect(code).toBe(1)
    expect(error).toContain('budget/deadline')
  })
})
