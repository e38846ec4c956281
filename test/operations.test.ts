// @module-tag slow
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commands } from '../src/cli/commands/index.ts'
import { program } from './harness/program.ts'
import { PROCESS_KEY, authorized } from './harness/server-process.ts'

const page = readFileSync(join(import.meta.dirname, '../OPERATIONS.md'), 'utf8')
const lines = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trim().split('\n'))

/** Arguments as a shell reads them, of words and texts in single quotes. */
function argumentsOf(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '').slice(1)
}

let place: string
let server: ChildProcess | undefined

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'sluice-operations-'))
})

afterAll(() => {
  server?.kill('SIGKILL')
  rmSync(place, { recursive: true, force: true })
})

const environment = { ...process.env, SLUICE_API_KEY: PROCESS_KEY }

/** Starts it and sends something in. */
async function serve(args: readonly string[]): Promise<void> {
  server = spawn(process.execPath, [program, ...args, '--port', '0', '--workers', '1'], {
    cwd: place,
    env: environment,
  })
  let output = ''
  const address = await new Promise<string>((resolve, reject) => {
    server?.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /listens on (http:\S+)/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
    server?.once('exit', () => reject(new Error(output)))
  })
  const content = ['error', 'info', 'error']
    .map((level, i) => JSON.stringify({ level, content: `row ${i}` }))
    .join('\n')
  for (const [path, type, body] of [
    ['/api/ingest/logs', 'application/x-ndjson', content],
    ['/api/v1/import/prometheus', 'text/plain', 'up{pod="a"} 1\n'],
  ] as const) {
    const sent = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: authorized({ 'Content-Type': type }),
      body,
    })
    expect(sent.ok, await sent.text()).toBe(true)
  }
}

/** What lines are to say, by how they begin. */
const SAYS: readonly (readonly [string, string])[] = [
  ['sluice query --data data', '{"level":"error","n":2}'],
  ['sluice explain', 'segments'],
  ['sluice promql', '"1"'],
  ['sluice snapshot', 'batches'],
  ['sluice query --data restored', '{"n":3}'],
  ['sluice repair', 'whole'],
  ['sluice repair --data restored --restore', 'Nothing is set aside'],
]

test('the lines of the page on operations run as they stand', async () => {
  expect(lines.length).toBeGreaterThan(8)
  const told = new Set<string>()
  for (const line of lines) {
    const args = argumentsOf(line)
    expect(commands.map(({ name }) => name)).toContain(args[0])
    if (args[0] === 'serve') {
      await serve(args)
      continue
    }
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { cwd: place, env: environment })
    for (const [begin, says] of SAYS)
      if (line.startsWith(begin)) {
        expect(stdout).toContain(says)
        told.add(begin)
      }
  }
  expect(told.size).toBe(SAYS.length)
})

test('options that the page names are those of serve', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'serve', '--help'])
  const table = page.slice(page.indexOf('## Limits'), page.indexOf('## Looking'))
  const named = [...new Set(Array.from(table.matchAll(/`(--[a-z-]+)`/g), ([, option = '']) => option))]
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((option) => option !== '--data' && !stdout.includes(option))).toEqual([])
})
