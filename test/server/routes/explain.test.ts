import { afterAll, describe, expect, test } from 'vitest'
import { createServer, type ServerOptions, type SluiceServer } from '../../../src/server/index.ts'
import { KEY } from '../harness/harness.ts'
import { answersByWorker } from '../harness/loopback.ts'

const servers: SluiceServer[] = []
afterAll(async () => {
  for (const server of servers) await server.close()
})

const logs = ['prod', 'dev', 'prod', 'hidden-place'].map((cluster, i) => ({
  _time: `2026-03-10T11:20:0${i}Z`,
  cluster,
  level: i === 0 ? 'error' : 'info',
  content: 'x',
}))

async function serverOf(options: Partial<ServerOptions> = {}): Promise<SluiceServer> {
  const keys = [KEY, { key: 'theirs', email: 'a@b' }]
  const server = await createServer({ tables: { logs }, keys, ...options })
  servers.push(server)
  return server
}

interface Node {
  readonly kind: string
  readonly measured?: { readonly rows: number }
  readonly inputs: readonly Node[]
}

interface Found {
  readonly fixes: readonly { readonly edits: readonly object[] }[]
}

interface Answer {
  readonly code?: string
  readonly uuid?: string
  readonly tree: Node
  readonly cost: Readonly<Record<string, unknown>>
  readonly warnings: readonly Found[]
  readonly diagnostics: readonly Found[]
}

async function ask(server: SluiceServer, path: string, body: unknown, given = KEY) {
  const headers = { Authorization: `Bearer ${given}`, 'Content-Type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const sent = await server.fetch(new Request(`http://localhost${path}`, init))
  const text = await sent.text()
  return { status: sent.status, body: (text === '' ? {} : JSON.parse(text)) as Answer }
}

/** Applies a policy that shows user `a@b` only rows of the cluster `prod`. */
async function restrict(server: SluiceServer): Promise<void> {
  const conditions = [{ key: 'cluster', origin: 'root', type: 'string', filters: [{ op: 'match', value: 'prod' }] }]
  const made = await ask(server, '/api/rbac/policy/create', {
    name: 'p',
    role: { read: '' },
    dataScope: { simple: { conditions } },
  })
  await ask(server, '/api/rbac/policy/apply', { emails: ['a@b'], policyUUIDs: [made.body.uuid] })
}

function kindsOf(tree: Node): readonly string[] {
  return [tree.kind, ...tree.inputs.flatMap(kindsOf)]
}

describe('POST /api/explain', () => {
  test('answers the plan as a tree, without running it', async () => {
    const server = await serverOf()
    const { status, body } = await ask(server, '/api/explain', { query: 'level:error | stats by (cluster) count() n' })
    expect(status).toBe(200)
    expect(kindsOf(body.tree)).toEqual(['aggregate', 'scan'])
    expect(body.tree).toMatchObject({ owner: 'columnar', label: expect.stringContaining('cluster') as string })
    expect(body.tree).not.toHaveProperty('measured')
    expect(body.warnings).toEqual([])
    expect(body).not.toHaveProperty('cost')
  })

  test('with analyze it runs it, and answers measures and the cost', async () => {
    const server = await serverOf()
    const { body } = await ask(server, '/api/explain', { query: 'level:error', analyze: true })
    expect(body.tree.measured).toMatchObject({ rows: 1, milliseconds: expect.any(Number) as number })
    expect(body.cost).toMatchObject({ rows: 1, scannedRows: 4, summary: expect.any(String) as string })
  })

  test('start and end, filters, sources, parameters and the dialect count as in a search', async () => {
    const server = await serverOf()
    const rows = async (body: object, path = '/api/explain'): Promise<unknown> => {
      const sent = await ask(server, path, { analyze: true, ...body })
      expect(sent.status, JSON.stringify(sent.body)).toBe(200)
      return sent.body.cost['rows']
    }
    expect(await rows({ query: '*', start: '2026-03-10T11:20:01Z' })).toBe(3)
    expect(await rows({ query: '*', end: '2026-03-10T11:20:01Z' })).toBe(1)
    expect(await rows({ query: '*', filters: 'cluster:prod' })).toBe(2)
    expect(await rows({ query: 'cluster:$c', parameters: { c: 'dev' } })).toBe(1)
    expect(await rows({ query: '_time:>=2026-03-10T11:20:02Z' }, '/api/explain?dialect=logsql')).toBe(2)
    expect(await rows({})).toBe(4)
  })

  test('warnings have their place in the query, and a fix', async () => {
    const server = await serverOf()
    const { body } = await ask(server, '/api/explain', { query: 'clustr:prod', analyze: true })
    const [warning] = body.warnings
    expect(warning).toMatchObject({ severity: 'warning', path: '$.query', span: { start: 0, end: 6 } })
    expect(warning?.fixes[0]?.edits).toEqual([{ start: 0, end: 6, text: 'cluster' }])
  })

  test('a bad query is refused as in a search', async () => {
    const server = await serverOf()
    const { status, body } = await ask(server, '/api/explain', { query: 'level:error | limt 5' })
    expect([status, body.code]).toEqual([400, 'log/unknown-pipe'])
    expect((await ask(server, '/api/explain', { query: '*', domain: 'nothing' })).status).toBe(400)
    expect((await ask(server, '/api/explain', { query: '*', start: 'x' })).status).toBe(400)
  })

  test('a caller with a scope sees nothing of hidden rows', async () => {
    const server = await serverOf()
    await restrict(server)
    const ofTwo = { query: 'cluster:hidden-plase | limit 5', analyze: true }
    const { body } = await ask(server, '/api/explain', ofTwo, 'theirs')
    expect(JSON.stringify(body)).not.toContain('hidden-place')
    expect(body.cost).toMatchObject({ rows: 0, scannedRows: 0, peakMemoryBytes: 0, bytes: 0 })
    const all = await ask(server, '/api/explain', { query: '*', analyze: true }, 'theirs')
    expect(all.body.cost['rows']).toBe(2)
    const inner = all.body.tree.inputs.flatMap((node) => [node, ...node.inputs])
    for (const node of inner) expect(node).not.toHaveProperty('measured')
  })
})

describe('POST /api/check', () => {
  const check = async (server: SluiceServer, body: object, path = '/api/check', given = KEY) => {
    const sent = await ask(server, path, body, given)
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
    return sent.body.diagnostics
  }

  test('reports errors with place and fix, and answers 200', async () => {
    const [error] = await check(await serverOf(), { query: 'level:error | limt 5' })
    expect(error).toMatchObject({
      code: 'log/unknown-pipe',
      severity: 'error',
      path: '$.query',
      span: { start: 14, end: 18, line: 1, column: 15 },
    })
    expect(error?.fixes[0]?.edits).toEqual([{ start: 14, end: 18, text: 'limit' }])
  })

  test('says nothing of a good query, in its dialect', async () => {
    const server = await serverOf()
    expect(await check(server, { query: 'level:error | stats count() n' })).toEqual([])
    expect(await check(server, { query: '_time:5m error | uniq by (level)' }, '/api/check?dialect=logsql')).toEqual([])
  })

  test('knows the fields that the caller may see alone', async () => {
    const server = await serverOf({
      tables: { logs: [...logs.slice(0, 1), { _time: '2026-03-10T11:20:09Z', cluster: 'dev', secret_name: 'x' }] },
    })
    await restrict(server)
    const query = 'secret_nam:x'
    expect(JSON.stringify(await check(server, { query }))).toContain('secret_name')
    expect(JSON.stringify(await check(server, { query }, '/api/check', 'theirs'))).not.toContain('secret_name')
  })

  test('a query that is missing is refused', async () => {
    expect((await ask(await serverOf(), '/api/check', {})).body.code).toBe('wire/missing-member')
  })
})

test('query workers explain and check too', { skip: answersByWorker, tags: ['slow'] }, async () => {
  const server = await createServer({ keys: [KEY], workers: 1 })
  servers.push(server)
  await server.loaded
  expect((await ask(server, '/api/explain', { query: '*', analyze: true })).body.cost['rows']).toBe(0)
  expect((await ask(server, '/api/check', { query: '| x' })).body.diagnostics).not.toEqual([])
})
