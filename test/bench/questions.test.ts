// @module-tag slow
import { describe, expect, test } from 'vitest'
import { peers, type PeerName } from '../../bench/peers/index.ts'
import { STREAM_FIELDS } from '../../bench/peers/logs-by-hand.ts'
import { questionClasses, questions } from '../../bench/questions.ts'
import { runBench, type BenchOptions, type BenchResult } from '../../bench/run.ts'
import { columnarEngine, type LogEngine } from '../stress/differential/log-engine.ts'
import { serve, type Service, type ServiceRequest } from '../stress/differential/http-service.ts'

const ROWS = 2000
/** A Python interpreter that can import polars; `undefined` without one. */
const python = process.env['SLUICE_TEST_POLARS_PYTHON']

async function run(names: readonly PeerName[], more: Partial<BenchOptions> = {}): Promise<BenchResult> {
  return runBench({
    rows: ROWS,
    seed: 1,
    bodies: undefined,
    only: [],
    peers: names,
    threads: 1,
    peerThreads: 2,
    python,
    logs: undefined,
    isOneByOne: false,
    budgetMs: 0,
    print: () => {},
    ...more,
  })
}

/**
 * Starts an HTTP server with the log database's API over Sluice's own engine. It rejects requests that the API does not
 * document.
 */
async function logServer(): Promise<{ readonly service: Service; readonly requests: ServiceRequest[] }> {
  const requests: ServiceRequest[] = []
  let lines = ''
  let engine: LogEngine | undefined
  const text = (body: Uint8Array): string => new TextDecoder().decode(body)
  const service = await serve(async (request) => {
    const { path, query, body } = request
    requests.push(request)
    switch (path) {
      case '/insert/jsonline': {
        const names = [query.get('_time_field'), query.get('_msg_field'), query.get('_stream_fields')]
        if (names.join(' ') !== `_time content ${STREAM_FIELDS.join(',')}`)
          return { status: 400, body: names.join(' ') }
        lines += text(body).replaceAll('"content":', '"_msg":')
        return { body: '' }
      }
      case '/internal/force_flush':
        engine = columnarEngine([lines], 1_900_000_000_000_000_000n)
        return { body: '' }
      case '/select/logsql/query': {
        const rows = (await engine?.answer(new URLSearchParams(text(body)).get('query') ?? '')) ?? []
        return { body: rows.map((row) => `${row}\n`).join('') }
      }
      case '/metrics':
        return {
          body: 'process_resident_memory_bytes 1000\nvl_data_size_bytes{type="storage"} 20\nvl_data_size_bytes{type="indexdb"} 3\n',
        }
      default:
        return { status: 404, body: path }
    }
  })
  return { service, requests }
}

describe('the 33 questions', () => {
  test('each is in one class', () => {
    expect(questionClasses.flatMap(({ ids }) => ids).toSorted()).toEqual(questions.map(({ id }) => id))
  })

  test('all engines that are here give the same answers, and have times and memory', async () => {
    const names = (['columnar', 'duckdb', 'sqlite-by-hand', 'chdb', 'polars'] as const).filter((name) =>
      peers[name].isThere({ python, logs: undefined }),
    )
    const { differences, medians, firstMs, bytes } = await run(names)
    expect(differences).toEqual([])
    expect(Object.keys(medians)).toEqual(questions.map(({ id }) => id))
    for (const times of [...Object.values(medians), ...Object.values(firstMs)])
      expect(Object.keys(times)).toEqual(names)
    for (const name of names) expect(bytes[name]?.residentBytes).toBeGreaterThan(1e6)
  })

  test('one by one, the answers are those of all at once', async () => {
    const { differences, medians } = await run(['columnar', 'sqlite', 'duckdb'], { isOneByOne: true })
    expect(differences).toEqual([])
    expect(Object.keys(medians['Q17'] ?? {})).toEqual(['columnar', 'sqlite', 'duckdb'])
  })

  test('a log server is loaded and asked over HTTP, in a tenant of its own', async () => {
    const { service, requests } = await logServer()
    try {
      const { differences, medians, bytes } = await run(['columnar', 'victorialogs'], { logs: service.url })
      expect(differences).toEqual([])
      expect(Object.keys(medians).filter((id) => medians[id]?.['victorialogs'] === undefined)).toEqual(['Q23'])
      expect(bytes['victorialogs']).toEqual({ residentBytes: 1000, emptyBytes: 1000, diskBytes: 23 })
      expect(new Set(requests.map(({ headers }) => headers['accountid'])).size).toBe(1)
    } finally {
      await service.close()
    }
  })

  test('an answer that differs has no time, and one that fails neither', async () => {
    const service = await serve(({ path }) => {
      if (path === '/metrics') return { body: '' }
      if (path !== '/select/logsql/query') return { body: '' }
      return { body: `{"n":"${ROWS}"}\n` }
    })
    try {
      const { differences, medians } = await run(['columnar', 'victorialogs'], {
        logs: service.url,
        only: ['Q03', 'Q25'],
      })
      expect(differences.map((text) => text.slice(0, 40))).toEqual([
        'Q03: columnar and victorialogs differ: r',
        'Q25: columnar and victorialogs differ: 1',
      ])
      expect(Object.values(medians).map((times) => Object.keys(times))).toEqual([['columnar'], ['columnar']])
    } finally {
      await service.close()
    }
  })

  test('a peer that does not load ends the run and says why', async () => {
    await expect(run(['columnar', 'polars'], { python: process.execPath })).rejects.toThrow(
      /polars did not load: .*ended with/u,
    )
    await expect(run(['victorialogs'])).rejects.toThrow(/--logs URL/u)
  })
})
