import { afterAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/server/index.ts'
import { KEY, SEARCH } from '../harness/harness.ts'

let nowNs = BigInt(Date.parse('2026-03-10T12:00:00Z')) * 1_000_000n
const logs = Array.from({ length: 25 }, (_, n) => ({
  _time: new Date(Date.parse('2026-03-10T11:00:00Z') + n * 1000).toISOString(),
  n,
  group: n % 7,
}))
const server = await createServer({
  tables: { logs },
  keys: [KEY],
  clock: { nowMs: () => performance.now(), nowNs: () => nowNs },
  limits: { answerRows: 20 },
})
afterAll(() => server.close())

interface Page {
  readonly status: number
  readonly code: unknown
  readonly rows: readonly { readonly n: number }[]
  readonly text: string
  readonly next: string | null
  readonly limit: string | null
}

const range = { start: '-2h', end: 'now' }

async function ask(parameters: Readonly<Record<string, string>>, body: object = {}, accept = '*/*'): Promise<Page> {
  const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json', Accept: accept }
  const asked = JSON.stringify({ ...range, query: '*', ...body })
  const address = `http://localhost${SEARCH}?${new URLSearchParams(parameters).toString()}`
  const sent = await server.fetch(new Request(address, { method: 'POST', headers, body: asked }))
  const text = await sent.text()
  const json: unknown = accept === 'text/csv' ? [] : JSON.parse(text)
  return {
    status: sent.status,
    code: (json as Record<string, unknown>)['code'],
    rows: json as Page['rows'],
    text,
    next: sent.headers.get('x-next-cursor'),
    limit: sent.headers.get('x-row-limit-reached'),
  }
}

async function allPages(limit: number, body: object = {}): Promise<readonly (readonly { readonly n: number }[])[]> {
  const pages: Page['rows'][] = []
  let parameters: Readonly<Record<string, string>> = { limit: String(limit) }
  for (;;) {
    const { rows, next, status, text } = await ask(parameters, body)
    expect(status, text).toBe(200)
    pages.push(rows)
    if (next === null) return pages
    parameters = { cursor: next }
  }
}

describe('pages', () => {
  test.each([1, 7, 12, 20])('of %d rows have every row once, newest first', async (limit) => {
    const pages = await allPages(limit)
    const sizes = pages.map((page) => page.length)
    expect(sizes.slice(0, -1).every((size) => size === limit)).toBe(true)
    expect(pages.flat().map(({ n }) => n)).toEqual(logs.map(({ n }) => n).toReversed())
  })

  test('follow the order of the query, and its own limit', async () => {
    const sorted = await allPages(10, { query: '* | sort by (group, n)' })
    const expected = logs.toSorted((a, b) => a.group - b.group || a.n - b.n)
    expect(sorted.flat().map(({ n }) => n)).toEqual(expected.map(({ n }) => n))
    const limited = await allPages(4, { query: '* | sort by (n) | limit 9' })
    expect(limited.map((page) => page.length)).toEqual([4, 4, 1])
  })

  test('of groups too', async () => {
    const pages = await allPages(3, { query: '* | stats by (group) count() n | sort by (group)' })
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1])
  })

  test('keep the range of the first while time goes on', async () => {
    const first = await ask({ limit: '10' }, { start: '-65m' })
    nowNs += 3_600_000_000_000n
    const second = await ask({ cursor: first.next ?? '' }, { start: '-65m' })
    nowNs -= 3_600_000_000_000n
    expect(second.rows.map(({ n }) => n)).toEqual([14, 13, 12, 11, 10, 9, 8, 7, 6, 5])
  })

  test('can change their size on the way, and their format', async () => {
    const first = await ask({ limit: '5' })
    const { rows, next } = await ask({ cursor: first.next ?? '', limit: '2' })
    expect(rows.map(({ n }) => n)).toEqual([19, 18])
    const third = await ask({ cursor: next ?? '' }, {}, 'text/csv')
    expect(third.text.split('\r\n')).toHaveLength(4)
    expect(third.next).not.toBeNull()
  })
})

test('without limit and cursor an answer is cut as before', async () => {
  const { rows, next, limit } = await ask({})
  expect([rows.length, next, limit]).toEqual([20, null, '20'])
})

describe('what is refused', () => {
  test.each(['0', '21', '-1', '1.5', 'x', '', '1e1'])('a limit of %j', async (limit) => {
    const { status, code } = await ask({ limit })
    expect([status, code]).toEqual([400, 'server/bad-parameter'])
  })

  test.each(['', 'x', 'AAAA', Buffer.from('1.1.1.1.aaaaaaaaaaaaaaaa').toString('base64url'), 'x'.repeat(5000)])(
    'the cursor %j',
    async (cursor) => {
      const { status, code } = await ask({ cursor })
      expect([status, code]).toEqual([400, 'server/bad-cursor'])
    },
  )

  test('a cursor with times beyond all times finds what there is', async () => {
    const { next } = await ask({ limit: '5' })
    const [, limit, , , digest] = Buffer.from(next ?? '', 'base64url')
      .toString()
      .split('.')
    const forged = `0.${limit}.-9999999999999999999.9999999999999999999.${digest}`
    const { status, rows } = await ask({ cursor: Buffer.from(forged).toString('base64url') })
    expect([status, rows.length]).toEqual([200, 5])
  })

  test('a cursor of another request', async () => {
    const { next } = await ask({ limit: '5' })
    const cursor = next ?? ''
    for (const [parameters, body] of [
      [{ cursor }, { query: 'n:1' }],
      [{ cursor }, { filters: 'n:1' }],
      [{ cursor }, { start: '-1h' }],
      [{ cursor, dialect: 'logsql' }, {}],
    ] as const)
      expect((await ask(parameters, body)).code).toBe('server/bad-cursor')
    expect((await ask({ cursor })).status).toBe(200)
  })
})
