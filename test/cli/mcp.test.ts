import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { createServer } from '../../src/server/index.ts'
import { program } from '../harness/program.ts'
import { run } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-mcp-'))
const file = join(folder, 'app.log')
writeFileSync(file, '{"_time":"2026-03-10T12:00:00Z","level":"error","content":"disk is full"}\n')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const KEY = 'sluice_0123456789abcdefghijklmnopqrstuv'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill()
})

/** Runs `sluice mcp`, sends the messages, and returns the results by their ids and the exit code. */
async function talk(args: readonly string[], messages: readonly object[]) {
  const child = spawn(process.execPath, [program, 'mcp', ...args], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const ended = new Promise<number | null>((done) => child.on('close', done))
  const results = new Map<number, Record<string, unknown>>()
  const wanted = messages.filter((message) => 'id' in message).length
  child.stdin.write(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''))
  for await (const line of createInterface(child.stdout)) {
    const { id, result } = JSON.parse(line) as { readonly id: number; readonly result: Record<string, unknown> }
    results.set(id, result)
    if (results.size === wanted) break
  }
  child.stdin.end()
  return { results, code: await ended }
}

const hello = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { method: 'notifications/initialized' },
]

const query = {
  id: 2,
  method: 'tools/call',
  params: { name: 'query', arguments: { query: 'level:error | fields content' } },
}

describe('sluice mcp', () => {
  test('answers an agent over files, and ends with its input', async () => {
    const { results, code } = await talk([file], [...hello, query])
    expect(results.get(2)?.['structuredContent']).toMatchObject({ data: [{ content: 'disk is full' }] })
    expect(code).toBe(0)
  })

  test('over a data folder', async () => {
    const data = join(folder, 'data')
    expect((await run('import', file, '--data', data)).code).toBe(0)
    const { results } = await talk(['--data', data], [...hello, query])
    expect(results.get(2)?.['structuredContent']).toMatchObject({ data: [{ content: 'disk is full' }] })
  })

  test('over a running server, with its key and ceilings', async () => {
    const tables = { logs: [{ _time: '2026-03-10T12:00:00Z', level: 'error', content: 'of the server' }] }
    const server = await createServer({ tables, keys: [KEY] })
    const { address } = await server.listen({ port: 0 })
    const args = ['--server', address, '--key', KEY]
    const { results } = await talk(args, [...hello, query])
    expect(results.get(2)?.['structuredContent']).toMatchObject({ data: [{ content: 'of the server' }] })
    const refused = await talk([...args.slice(0, 3), 'wrong'], [...hello, query])
    expect(refused.results.get(2)).toMatchObject({ isError: true })
    await server.close()
  })

  test.each([
    [[], 'Name files, or a data folder'],
    [[file, '--data', 'x'], 'Either --data or files'],
    [[file, '--server', 'http://localhost:1'], 'Either --server or files'],
    [['--server', 'nowhere'], '--server is a URL'],
    [[file, '--ceilings', 'rows=0'], '--ceilings needs rows'],
    [[file, '--ceilings', 'speed=9'], '--ceilings needs rows=N, bytes=SIZE or time=LENGTH'],
    [['missing.log'], 'missing.log'],
  ])('%j is refused in one sentence', async (args, message) => {
    const { code, error, out } = await run('mcp', ...args)
    expect(error).toContain(message)
    expect(code).toBe(2)
    expect(out).toBe('')
  })
})
