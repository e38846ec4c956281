import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request } from 'node:http'
import { agentEndpoint, type AgentEndpoint } from '../../src/entries/mcp.ts'
import { createServer } from '../../src/entries/server.ts'
import { agentOver, key, post, type Agent } from './agent.ts'

let agent: Agent
let port: number

beforeAll(async () => {
  agent = await agentOver({ logs: [{ content: 'one' }] })
  port = (await agent.server.listen({ port: 0 })).port
})
afterAll(() => agent.close())

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

/** Sends a request with any headers, including `Host` and `Origin`, which `fetch` cannot send. */
function sent(headers: Readonly<Record<string, string>>, method = 'POST'): Promise<readonly [number, string]> {
  const { headers: usual, body } = post(ping)
  const all = { ...(usual as Record<string, string>), ...headers }
  return new Promise((done, fail) => {
    const asked = request({ port, host: '127.0.0.1', path: '/mcp', method, headers: all }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      answer.on('end', () => done([answer.statusCode ?? 0, text]))
    })
    asked.on('error', fail).end(method === 'POST' ? (body as string) : undefined)
  })
}

describe('POST /mcp', () => {
  test('answers a key', async () => {
    expect(await sent({})).toEqual([200, expect.stringContaining('"result":{}')])
  })

  test('refuses requests without a key, with an unknown key, and with a session alone', async () => {
    expect((await sent({ Authorization: '' }))[0]).toBe(401)
    expect((await sent({ Authorization: 'Bearer other' }))[0]).toBe(401)
    expect((await sent({ Authorization: '', Cookie: `sluice_session_${port}=x` }))[0]).toBe(401)
  })

  test('refuses foreign names and pages, also with a key', async () => {
    expect(await sent({ Host: 'evil.example.com' })).toEqual([421, expect.stringContaining('--allow-host')])
    expect(await sent({ Origin: 'http://evil.example.com' })).toEqual([403, expect.stringContaining('--cors')])
    expect((await sent({ Origin: 'null' }))[0]).toBe(403)
    expect((await sent({ Host: `localhost:${port}`, Origin: `http://localhost:${port}` }))[0]).toBe(200)
  })

  test('answers both revisions of the protocol, and no stream of notifications', async () => {
    expect((await sent({}, 'GET'))[0]).toBe(405)
    expect((await sent({}, 'DELETE'))[0]).toBe(405)
    const { capabilities } = await agent.rpc('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    })
    expect(capabilities).toHaveProperty('tools')
  })

  test('bodies are limited', async () => {
    const response = await agent.server.fetch(new Request('http://localhost/mcp', post({ pad: 'x'.repeat(2_000_000) })))
    expect(response.status).toBe(413)
  })
})

test('a server without the option has no such path', async () => {
  const server = await createServer({ keys: [key] })
  expect((await server.fetch(new Request('http://localhost/mcp', post(ping)))).status).toBe(404)
  await server.close()
})

test('an endpoint that could not be loaded is loaded again for the next request', async () => {
  let loads = 0
  const load = (): Promise<AgentEndpoint> =>
    ++loads === 1 ? Promise.reject(new Error('no memory left')) : Promise.resolve(agentEndpoint())
  const server = await createServer({ keys: [key], mcp: load })
  const status = async (): Promise<number> =>
    (await server.fetch(new Request('http://localhost/mcp', post(ping)))).status
  expect([await status(), await status(), await status(), loads]).toEqual([500, 200, 200, 2])
  await server.close()
})
