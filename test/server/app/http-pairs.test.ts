import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { answerFaults } from '../harness/contract.ts'
import { createClusterList, createEventList, createWorkloadList, type App } from '../../../src/server/index.ts'
import { incident, searchOver } from '../harness/real-engine.ts'
import { GivenRows, JSON_HEADERS, SEARCH, appOf, row, send } from '../harness/harness.ts'

interface Pair {
  readonly name: string
  readonly rows?: readonly Readonly<Record<string, unknown>>[]
  readonly isAggregate?: boolean
  readonly request: {
    readonly method?: string
    readonly path?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: unknown
    readonly bodyText?: string
  }
  /** Members that the request to the search service must contain; it may contain others. */
  readonly received?: Readonly<Record<string, unknown>>
  readonly response: {
    readonly status: number
    readonly headers?: Readonly<Record<string, string>>
    readonly text?: string
    /** The expected body without `trace_id`, which every error has. */
    readonly body?: Readonly<Record<string, unknown>>
  }
}

interface PairFile {
  readonly about: string
  /** If present, the engine answers over these records; otherwise the service returns fixed rows. */
  readonly data?: 'incident'
  /** The records of each table over which the engine answers. */
  readonly records?: Readonly<Record<string, readonly unknown[]>>
  readonly cases: readonly Pair[]
}

/** Returns an app that can search and list these records. */
function appOver(records: NonNullable<PairFile['records']>): App {
  const lines = Object.entries(records).map(([table, rows]) => [
    table,
    rows.map((record) => JSON.stringify(record)).join('\n'),
  ])
  const search = searchOver(Object.fromEntries(lines) as Readonly<Record<string, string>>)
  return appOf({
    search,
    eventList: createEventList(search, 10_000),
    clusters: createClusterList(search),
    workloads: createWorkloadList(search),
  })
}

const folder = new URL('../../http/', import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith('.http.json'))

test('there are pairs', () => {
  expect(files.length).toBeGreaterThan(1)
})

for (const file of files) {
  const { about, data, records, cases } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as PairFile
  describe(`${file}: ${about}`, () => {
    test.each(cases.map((pair) => [pair.name, pair] as const))('%s', async (_, pair) => {
      const { method = 'POST', path = SEARCH, headers = {}, body, bodyText } = pair.request
      const search = new GivenRows([(pair.rows ?? []).map(row)], { isAggregate: pair.isAggregate })
      const app = records === undefined ? appOf({ search: data === undefined ? search : incident() }) : appOver(records)
      const sent = await send(app, path, {
        method,
        headers: { ...JSON_HEADERS, ...headers },
        body: bodyText ?? (body === undefined ? null : JSON.stringify(body)),
      })
      const { response } = pair
      expect(sent.status, sent.text).toBe(response.status)
      for (const [name, value] of Object.entries(response.headers ?? {}))
        expect(sent.headers.get(name), name).toBe(value)
      expect(sent.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/)
      if (response.text !== undefined) expect(sent.text).toBe(response.text)
      if (response.body !== undefined) {
        expect(sent.body).toEqual({ ...response.body, trace_id: sent.headers.get('x-request-id') })
      }
      if (pair.received !== undefined) {
        const [received] = search.requests
        const range = [String(present(received).range.startNs), String(present(received).range.endNs)]
        expect({ ...received, range }).toMatchObject(pair.received)
      }
      const contentType = sent.headers.get('content-type') ?? ''
      expect(answerFaults(path, method, sent.status, contentType, sent.body)).toBeUndefined()
    })
  })
}

describe('the contract check itself', () => {
  test('finds what is wrong', () => {
    expect(answerFaults(SEARCH, 'POST', 200, 'application/json', [{ a: 1 }])).toBeUndefined()
    expect(answerFaults(SEARCH, 'POST', 200, 'application/json', { a: 1 })).toContain('must be array')
    expect(answerFaults(SEARCH, 'POST', 400, 'application/json', { message: 'x' })).toContain('required property')
    expect(answerFaults(SEARCH, 'POST', 418, 'application/json', {})).toContain('not in the document')
  })
})
