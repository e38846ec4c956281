import { describe, expect, test } from 'vitest'
import { defineDiagnostics, nowhere, present } from '../../../src/base/index.ts'
import type { Row } from '../../../src/data/index.ts'
import { KeyRing, defaultServerLimits, type SearchAnswer, type SearchRequest } from '../../../src/server/index.ts'
import {
  GivenRows,
  JSON_HEADERS,
  SALT,
  SEARCH,
  appOf,
  batchOf,
  key,
  post,
  row,
  searchBody,
  send,
  type Logged,
} from '../harness/harness.ts'

const numbers = (count: number): readonly Row[] => Array.from({ length: count }, (_, index) => row({ n: index }))

const waitUntil = (isSo: () => boolean): Promise<void> => expect.poll(isSo, { interval: 2 }).toBe(true)

describe('plain arrays', () => {
  test('rows are cut at the limit, and a header says so', async () => {
    const limits = { ...defaultServerLimits, answerRows: 10 }
    const search = new GivenRows([numbers(6), numbers(6), numbers(6)])
    const sent = await post(appOf({ search, limits }), SEARCH, searchBody)
    expect(sent.body).toHaveLength(10)
    expect(sent.headers.get('x-row-limit-reached')).toBe('10')
    expect(search.taken).toBe(2)
  })

  test('exactly as many rows as the limit are not cut', async () => {
    const limits = { ...defaultServerLimits, answerRows: 10 }
    const sent = await post(appOf({ search: new GivenRows([numbers(10)]), limits }), SEARCH, searchBody)
    expect(sent.body).toHaveLength(10)
    expect(sent.headers.get('x-row-limit-reached')).toBeNull()
  })

  test('warnings go into a header, each code once', async () => {
    const lint = defineDiagnostics('lint', {
      'no-limit': (d: { n: number }) => ({ message: `${d.n}`, severity: 'warning' as const }),
    })
    const search = new GivenRows([numbers(1)], {
      diagnostics: [lint('no-limit', { n: 1 }, nowhere), lint('no-limit', { n: 2 }, nowhere)],
    })
    const sent = await post(appOf({ search }), SEARCH, searchBody)
    expect([sent.status, sent.headers.get('x-query-warnings')]).toEqual([200, 'lint/no-limit'])
    expect((await post(appOf(), SEARCH, searchBody)).headers.get('x-query-warnings')).toBeNull()
  })

  test('groups are never cut', async () => {
    const limits = { ...defaultServerLimits, answerRows: 10 }
    const search = new GivenRows([numbers(20), numbers(20)], { isAggregate: true })
    const sent = await post(appOf({ search, limits }), SEARCH, searchBody)
    expect(sent.body).toHaveLength(40)
    expect(sent.headers.get('x-row-limit-reached')).toBeNull()
  })

  test('the default limit is 10,000', async () => {
    const sent = await post(appOf({ search: new GivenRows([numbers(10_001)]) }), SEARCH, searchBody)
    expect(sent.body).toHaveLength(10_000)
    expect(sent.headers.get('x-row-limit-reached')).toBe('10000')
  })

  test('a large answer arrives whole, with its length', async () => {
    const wide = Array.from({ length: 500 }, (_, index) => row({ n: index, text: 'é'.repeat(1000) }))
    const sent = await post(appOf({ search: new GivenRows([wide]) }), SEARCH, searchBody)
    expect(Number(sent.headers.get('content-length'))).toBe(Buffer.byteLength(sent.text))
    expect(sent.body).toHaveLength(500)
  })

  test('an answer beyond the size limit is refused, and its memory given back', async () => {
    const wide = Array.from({ length: 500 }, () => row({ text: 'x'.repeat(1000) }))
    const limits = { ...defaultServerLimits, answerBytes: 200_000, answersBytes: 400_000 }
    const app = appOf({ search: new GivenRows([wide]), limits })
    for (let round = 0; round < 3; round++) {
      const sent = await post(app, SEARCH, searchBody)
      expect([sent.status, (sent.body as { code: string }).code]).toEqual([400, 'server/answer-too-large'])
    }
  })

  test('large answers that nobody reads: a key has three parts of four, and reading frees them', async () => {
    const wide = Array.from({ length: 500 }, () => row({ text: 'x'.repeat(1000) }))
    // The limit is 32 blocks of 64 KiB in total and 24 per key; one answer takes 8.
    const limits = { ...defaultServerLimits, answersBytes: 2 ** 21 }
    const keys = new KeyRing(
      SALT,
      ['a', 'b', 'c'].map((name) => key(name)),
    )
    const app = appOf({ search: new GivenRows([wide]), limits, keys })
    const ask = async (name: string): Promise<readonly [unknown, Response]> => {
      const headers = { ...JSON_HEADERS, Authorization: name }
      const asked = { method: 'POST', headers, body: JSON.stringify(searchBody) }
      const response = await app.fetch(new Request(`http://localhost${SEARCH}`, asked))
      if (response.ok) return [200, response]
      expect(response.headers.get('retry-after')).toBe('1')
      return [[response.status, ((await response.json()) as { code: string }).code], response]
    }
    const kept = [await ask('a'), await ask('a'), await ask('a')]
    expect(kept.map(([status]) => status)).toEqual([200, 200, 200])
    expect((await ask('a'))[0]).toEqual([429, 'server/too-many-answers'])
    const [status, ofB] = await ask('b')
    expect(status).toBe(200)
    expect((await ask('c'))[0]).toEqual([503, 'server/busy'])
    await kept[0]?.[1].text()
    expect((await ask('c'))[0]).toBe(200)
    await ofB.body?.cancel()
    expect((await ask('a'))[0]).toBe(200)
    expect((await ask('a'))[0]).toEqual([429, 'server/too-many-answers'])
  })

  test('an error after some rows still has its status', async () => {
    const search = new GivenRows([numbers(5)], { error: new Error('disk') })
    const logged: Logged[] = []
    const sent = await post(appOf({ search }, logged), SEARCH, searchBody)
    expect(sent.status).toBe(500)
    expect(sent.text).not.toContain('disk')
    expect(logged.find(({ level }) => level === 'error')?.fields['error']).toBeInstanceOf(Error)
  })
})

describe('streams', () => {
  const streamed = { ...searchBody, enableStream: true }
  const request = (accept: string, signal?: AbortSignal): Request =>
    new Request(`http://localhost${SEARCH}`, {
      method: 'POST',
      headers: { ...JSON_HEADERS, Accept: accept },
      body: JSON.stringify(streamed),
      signal: signal ?? null,
    })

  test('are not cut', async () => {
    const limits = { ...defaultServerLimits, answerRows: 10 }
    const search = new GivenRows([numbers(20), numbers(20)])
    const response = await appOf({ search, limits }).fetch(request('application/x-ndjson'))
    expect((await response.text()).trimEnd().split('\n')).toHaveLength(40)
  })

  test('without rows', async () => {
    const app = appOf({ search: new GivenRows([[], []]) })
    expect(await (await app.fetch(request('application/x-ndjson'))).text()).toBe('')
    expect(await (await app.fetch(request('text/event-stream'))).text()).toBe('data: {"done":true}\n\n')
  })

  test('take from the query only what the reader takes', async () => {
    const batches = Array.from({ length: 100 }, () => numbers(5000))
    const search = new GivenRows(batches)
    const response = await appOf({ search }).fetch(request('application/x-ndjson'))
    const reader = response.body?.getReader()
    await reader?.read()
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(search.taken).toBeLessThan(4)
    await reader?.cancel()
  })

  test('stop the query when the reader leaves', async () => {
    let wasStopped = false
    let received: SearchRequest | undefined
    const search = {
      search: (given: SearchRequest): Promise<SearchAnswer> => {
        received = given
        return Promise.resolve({
          isAggregate: false,
          diagnostics: [],
          async *batches() {
            try {
              for (;;) {
                yield batchOf(numbers(1))
                await new Promise((resolve) => setTimeout(resolve, 1))
              }
            } finally {
              wasStopped = true
            }
          },
        })
      },
    }
    const app = appOf({ search })
    const response = await app.fetch(request('text/event-stream'))
    const reader = response.body?.getReader()
    await reader?.read()
    expect(app.inWork()).toBe(1)
    await reader?.cancel()
    await waitUntil(() => wasStopped)
    expect(received?.signal.aborted).toBe(true)
    expect(app.inWork()).toBe(0)
  })

  test('an error before the first row has its status', async () => {
    const response = await appOf({ search: new GivenRows([], { error: new Error('x') }) }).fetch(
      request('text/event-stream'),
    )
    expect(response.status).toBe(500)
    expect(response.headers.get('content-type')).toBe('application/json')
  })

  test('an error after rows is reported in the stream', async () => {
    const search = new GivenRows([numbers(1)], { error: new Error('secret path') })
    const events = await (await appOf({ search }).fetch(request('text/event-stream'))).text()
    const messages = events
      .trimEnd()
      .split('\n\n')
      .map((message) => JSON.parse(message.slice('data: '.length)) as Record<string, unknown>)
    expect(messages[0]).toEqual({ data: [{ n: 0 }], done: false })
    expect(messages[1]).toMatchObject({ done: true, error: 'Something went wrong inside the server.' })
    expect(events).not.toContain('secret')

    const response = await appOf({ search: new GivenRows([numbers(1)], { error: new Error('secret path') }) }).fetch(
      request('application/x-ndjson'),
    )
    const reader = response.body?.getReader()
    const lines: string[] = []
    const readAll = async (): Promise<void> => {
      for (;;) {
        const piece = await reader?.read()
        if (piece === undefined || piece.done) return
        lines.push(new TextDecoder().decode(piece.value))
      }
    }
    await expect(readAll()).rejects.toThrow('broke off')
    expect(lines[0]).toBe('{"n":0}\n')
    expect(JSON.parse(present(lines[1]))).toMatchObject({ error: { code: 'server/internal' } })
  })
})

describe('a place among the running queries', () => {
  const limits = { ...defaultServerLimits, runningQueries: 2, waitingQueries: 2, queriesPerKey: 100, waitMs: 50 }

  /** Returns a search whose queries run until the test ends them. */
  function held(): { search: (request: SearchRequest) => Promise<SearchAnswer>; running: (() => void)[] } {
    const running: (() => void)[] = []
    const search = async (request: SearchRequest): Promise<SearchAnswer> => {
      await new Promise<void>((resolve, reject) => {
        running.push(resolve)
        request.signal.addEventListener('abort', () => reject(new Error('aborted')))
      })
      return new GivenRows([numbers(1)]).search(request)
    }
    return { running, search }
  }

  test('the rest waits, is refused when the line is full or the wait too long', async () => {
    const { search, running } = held()
    const app = appOf({ search: { search }, limits })
    const sent = Array.from({ length: 5 }, () => post(app, SEARCH, searchBody))
    const refused = await sent[4]
    expect([refused?.status, refused?.headers.get('retry-after')]).toEqual([429, '1'])
    const waited = await sent[3]
    expect(waited?.status).toBe(503)
    expect(running).toHaveLength(2)
    for (const end of running) end()
    expect((await sent[0])?.status).toBe(200)
    expect((await sent[1])?.status).toBe(200)
  })

  test('one that waits takes the place that is given up', async () => {
    const { search, running } = held()
    const app = appOf({ search: { search }, limits: { ...limits, waitMs: 600_000 } })
    const sent = Array.from({ length: 4 }, () => post(app, SEARCH, searchBody))
    await waitUntil(() => running.length === 2)
    present(running[0])()
    await waitUntil(() => running.length === 3)
    present(running[1])()
    await waitUntil(() => running.length === 4)
    present(running[2])()
    present(running[3])()
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  test('a key with too many running requests gets 429', async () => {
    const { search, running } = held()
    const app = appOf({ search: { search }, limits: { ...limits, queriesPerKey: 1 } })
    const first = post(app, SEARCH, searchBody)
    await waitUntil(() => running.length === 1)
    const second = await post(app, SEARCH, searchBody)
    expect([second.status, (second.body as { code: string }).code]).toEqual([429, 'server/too-many-queries'])
    present(running[0])()
    expect((await first).status).toBe(200)
    const third = post(app, SEARCH, searchBody)
    await waitUntil(() => running.length === 2)
    present(running[1])()
    expect((await third).status).toBe(200)
  })

  test('a client that goes away stops its query', async () => {
    const { search, running } = held()
    const logged: Logged[] = []
    const app = appOf({ search: { search }, limits }, logged)
    const controller = new AbortController()
    const gone = app.fetch(
      new Request(`http://localhost${SEARCH}`, {
        method: 'POST',
        headers: JSON_HEADERS,
        body: JSON.stringify(searchBody),
        signal: controller.signal,
      }),
    )
    await waitUntil(() => running.length === 1)
    controller.abort()
    await gone
    expect(app.inWork()).toBe(0)
    expect(logged.map(({ level, fields }) => [level, fields['status']])).toEqual([['info', 499]])
  })

  test('a query that the stop of the server cuts gets 503', async () => {
    const { search, running } = held()
    const app = appOf({ search: { search }, limits })
    const cut = post(app, SEARCH, searchBody)
    await waitUntil(() => running.length === 1)
    app.beginStop()
    app.stopAll()
    const sent = await cut
    expect([sent.status, (sent.body as { code: string }).code]).toEqual([503, 'server/stopping'])
    const late = await post(app, SEARCH, searchBody)
    expect([late.status, (late.body as { code: string }).code]).toEqual([503, 'server/stopping'])
    const ready = await send(app, '/readyz')
    expect([ready.status, (ready.body as { code: string }).code]).toEqual([503, 'server/stopping'])
    expect((await send(app, '/healthz')).status).toBe(200)
  })
})
