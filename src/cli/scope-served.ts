import { METRIC_NAME } from '../data/index.ts'
import type { HttpRequest, Serve } from '../fuzz/scope/index.ts'
import { agentEndpoint } from '../mcp/index.ts'
import { createServer, newTarget, type SluiceServer } from '../server/index.ts'

const ADMIN = 'admin'

const emailOf = (user: number | string): string => `${user}@example.com`

function send(server: SluiceServer, key: string, { method, path, body, accept }: HttpRequest): Promise<Response> {
  const headers = {
    Authorization: key,
    Traceparent: `00-${'1'.repeat(32)}-${'1'.repeat(16)}-00`,
    'Content-Type': 'application/json',
    Accept: accept ?? 'application/json',
  }
  const request = new Request(`http://localhost${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return server.fetch(request)
}

/** Starts a complete server over rows and samples. An administrator creates the policies of its users. */
export const serve: Serve = async ({ tables, samples, nowNs, users, workers }) => {
  const target = newTarget()
  for (const [name, rows] of tables) {
    const cut = Math.floor(rows.length / 3)
    target.store.table(name).writer.appendRows(rows.slice(0, cut))
    target.store.table(name).seal()
    target.store.table(name).writer.appendRows(rows.slice(cut))
  }
  for (const sample of samples) target.samples.writer.append(sample.labels, sample)
  const names = new Set(samples.map(({ labels }) => labels.get(METRIC_NAME)))
  target.metricCatalog.add([...names].map((name) => ({ name, type: 'gauge', help: `what ${name} is`, unit: '' })))
  const server = await createServer({
    store: target.store,
    samples: target.samples,
    metricCatalog: target.metricCatalog,
    clock: { nowMs: () => performance.now(), nowNs: () => nowNs },
    keys: [ADMIN, ...users.map((_, user) => ({ key: `key ${user}`, email: emailOf(user), roles: ['read' as const] }))],
    mcp: () => Promise.resolve(agentEndpoint()),
    workers,
  })
  for (const [user, scopes] of users.entries()) {
    const made: string[] = []
    for (const [at, dataScope] of scopes.entries()) {
      const body = { name: `policy ${user} ${at}`, role: { read: null }, dataScope }
      const response = await send(server, ADMIN, { method: 'POST', path: '/api/rbac/policy/create', body })
      const { uuid } = (await response.json()) as { readonly uuid?: string }
      if (uuid === undefined) {
        await server.close()
        return undefined
      }
      made.push(uuid)
    }
    const body = { emails: [emailOf(user)], policyUUIDs: made, override: true }
    const response = await send(server, ADMIN, { method: 'POST', path: '/api/rbac/policy/apply', body })
    if (response.status !== 200) throw new Error(`policies were not applied: ${await response.text()}`)
  }
  return {
    answer: async (user, request) => {
      const response = await send(server, `key ${user}`, request)
      // Ignores `content-length`: it varies with the times in the body, and the body itself is compared below.
      const named = [...response.headers].filter(([name]) => name !== 'content-length')
      const headers = named.map(([name, value]) => `${name}: ${value}`).toSorted()
      const body = await response.text()
      return `${response.status} ${headers.join('; ')}\n${body.replace(/"timings":\{[^}]*\}/, '')}`
    },
    close: () => server.close(),
  }
}
