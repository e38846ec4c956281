import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createServer } from '../../../src/server/index.ts'
import { PATIENCE_MS } from '../../harness/patience.ts'
import type { Agent, Run } from './agent.ts'

export interface Tried {
  readonly agent: Agent
  readonly outcome: { readonly kind: 'missing' | 'stored' | 'failed'; readonly text: string }
}

const KEY = 'key-of-the-agents'

function moduleAt(name: string, folders: readonly string[]): string | undefined {
  return folders.map((folder) => join(folder, 'node_modules', name)).find((path) => existsSync(path))
}

function programAt(name: string, folders: readonly string[]): string | undefined {
  return [...(isAbsolute(name) ? [name] : []), ...folders.map((folder) => join(folder, name))].find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

function runnerOf(program: string): Run {
  return (args, { input, endAfterMs = PATIENCE_MS } = {}) =>
    new Promise((resolve, reject) => {
      const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] })
      let said = ''
      let isEnded = false
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          if (said.length < 10_000) said += chunk.toString()
        })
      const timer = globalThis.setTimeout(() => {
        isEnded = true
        child.kill('SIGTERM')
        globalThis.setTimeout(() => child.kill('SIGKILL'), 5000).unref()
      }, endAfterMs)
      child.stdin.on('error', () => undefined)
      child.stdin.end(input)
      child.on('error', reject)
      child.on('close', (code) => {
        clearTimeout(timer)
        if (code === 0 || (isEnded && endAfterMs < PATIENCE_MS)) resolve(said)
        else reject(new Error(`it ended with ${code}: ${said.trim().slice(0, 500)}`))
      })
    })
}

/**
 * Starts a server on the loopback address, runs each installed agent against it, and searches for the rows. Returns one
 * result per agent.
 */
export async function tryAgents(agents: readonly Agent[], folders: readonly string[] = []): Promise<readonly Tried[]> {
  const path = [
    ...folders,
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/usr/sbin',
    '/lib/systemd',
    '/usr/lib/systemd',
  ]
  const folder = mkdtempSync(join(tmpdir(), 'sluice-agents-'))
  const server = await createServer({ keys: [KEY], data: join(folder, 'data') })
  const tried: Tried[] = []
  try {
    const { port } = await server.listen()
    const tcp = await server.listenSyslog({ transport: 'tcp', port: 0 })
    const udp = await server.listenSyslog({ transport: 'udp', port: 0 })
    const forward = await server.listenForward({ transport: 'tcp', port: 0 })
    const keyed = await server.listenForward({ transport: 'tcp', port: 0, sharedKey: KEY })
    const countOf = async (word: string): Promise<number> => {
      const response = await fetch(`http://127.0.0.1:${port}/api/logs/v2/search`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          start: '2000-01-01T00:00:00Z',
          end: '2100-01-01T00:00:00Z',
          query: `*:${word} | stats count() n`,
        }),
      })
      const [row] = (await response.json()) as readonly { readonly n: number }[]
      return row?.n ?? 0
    }
    for (const [i, agent] of agents.entries()) {
      const program = programAt(agent.program, path)
      const module = agent.module === undefined ? '' : moduleAt(agent.module, folders)
      if (program === undefined || module === undefined) {
        tried.push({ agent, outcome: { kind: 'missing', text: 'is not on this machine' } })
        continue
      }
      const word = `trialword${i}`
      try {
        const own = mkdtempSync(join(folder, 'agent-'))
        const ports = { port, tcpPort: tcp.port, udpPort: udp.port }
        const forwardPorts = { forwardPort: forward.port, keyedForwardPort: keyed.port }
        const targets = { ...ports, ...forwardPorts, key: KEY, module, folder: own }
        await agent.send(runnerOf(program), word, targets)
        let rows = await countOf(word)
        // Rows of agents that do not wait for an answer arrive a little later.
        for (const endMs = performance.now() + PATIENCE_MS; rows < agent.records && performance.now() < endMs;) {
          await setTimeout(100)
          rows = await countOf(word)
        }
        const text = `${agent.records} sent, ${rows} found`
        tried.push({ agent, outcome: { kind: rows === agent.records ? 'stored' : 'failed', text } })
      } catch (error) {
        tried.push({ agent, outcome: { kind: 'failed', text: error instanceof Error ? error.message : String(error) } })
      }
    }
  } finally {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return tried
}
