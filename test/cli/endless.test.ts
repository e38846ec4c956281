// @module-tag slow
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { program } from '../harness/program.ts'
import { run } from './terminal.ts'

const MOST_MS = 30_000

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-endless-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the command line in a separate process, since code that never returns to the event loop can only be killed. */
function ended(args: readonly string[], input?: string) {
  const options = { timeout: MOST_MS, killSignal: 'SIGKILL', encoding: 'utf8', input } as const
  const { status, signal, stderr } = spawnSync(process.execPath, [program, ...args], options)
  return { status, signal, stderr }
}

describe.runIf(process.platform === 'linux')('a data folder that cannot be made', () => {
  test.each(['/proc/x', '/proc/self/x/y', '/proc/1/x', '/sys/x', '/dev/null/x'])('is refused: %s', (path) => {
    const { status, signal, stderr } = ended(['serve', '--data', path, '--port', '0'])
    expect([status, signal]).toEqual([1, null])
    expect(stderr).toContain(`The folder ${path} cannot be used: `)
  })

  test('is a file', () => {
    writeFileSync(join(folder, 'file'), '')
    for (const path of [join(folder, 'file'), join(folder, 'file', 'below')])
      expect(ended(['serve', '--data', path, '--port', '0'])).toMatchObject({ status: 1, signal: null })
  })
})

test('a port that is taken is reported each time, however far the threads are', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  for (let i = 0; i < 4; i++) {
    const { status, signal, stderr } = ended(['serve', '--demo', '--port', String(port)])
    expect([status, signal]).toEqual([1, null])
    expect(stderr).toContain(`Cannot listen on 127.0.0.1:${port}: `)
  }
  other.close()
})

test.each([0, 50, 300])('a server that is closed %d ms after it was made ends its process', (waitMs) => {
  const code = `
    const { createServer } = await import(${JSON.stringify(new URL('../../src/server/index.ts', import.meta.url).href)})
    const server = await createServer({ backends: { a: {} }, keys: ['${'k'.repeat(32)}'], workers: 2 })
    await new Promise((resolve) => setTimeout(resolve, ${waitMs}))
    await server.close()
    process.stderr.write('closed')`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    timeout: MOST_MS,
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, 'closed'])
})

describe.runIf(process.platform !== 'win32')('a named pipe', () => {
  let pipe: string

  beforeEach(() => {
    pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
  })

  const deadline = { code: 1, error: expect.stringContaining('budget/deadline') as unknown }

  test.each<readonly [string, readonly string[]]>([
    ['rows as they are', ['query', 'error']],
    ['rows in order', ['query', 'error | sort by (a)']],
    ['counts', ['query', '* | stats count() n']],
    ['followed', ['query', '--follow', 'error']],
    ['explained', ['explain', '--analyze', 'error']],
    ['samples', ['promql', 'up']],
  ])('without a writer ends at --timeout: %s', async (_, args) => {
    expect(await run(...args, '--timeout', '300ms', pipe)).toMatchObject(deadline)
  })

  test('with a silent writer ends at --timeout', async () => {
    // Open the pipe for reading and writing, because opening it only for writing blocks.
    const writer = openSync(pipe, 'r+')
    try {
      expect(await run('query', '--timeout', '300ms', 'error', pipe)).toMatchObject(deadline)
    } finally {
      closeSync(writer)
    }
  })

  test('with a writer is read to its end', async () => {
    const writer = spawn('sh', ['-c', 'sleep 0.3; echo \'{"content":"an error"}\' > "$0"', pipe])
    const { code, out } = await run('query', '--timeout', '20s', '--format', 'ndjson', 'error | fields content', pipe)
    expect([code, out]).toEqual([0, '{"content":"an error"}\n'])
    writer.kill()
  })

  test('leaves no process behind', () => {
    expect(ended(['query', '--timeout', '300ms', 'error', pipe])).toMatchObject({ status: 1, signal: null })
  })
})

describe('a language server', () => {
  /**
   * Starts the language server and returns its exit code. Standard input stays open, as if another process of the
   * editor still held it.
   */
  async function endOf(processId: number): Promise<number | null> {
    const server = spawn(process.execPath, [program, 'lsp', '--stdio'], { stdio: ['pipe', 'ignore', 'inherit'] })
    const end = new Promise<number | null>((resolve) => server.once('exit', resolve))
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { processId, capabilities: {} },
    })
    server.stdin.write(`Content-Length: ${body.length}\r\n\r\n${body}`)
    const limit = setTimeout(() => server.kill('SIGKILL'), MOST_MS)
    try {
      return await end
    } finally {
      clearTimeout(limit)
    }
  }

  test('ends with its editor, though its pipes stay open', async () => {
    const editor = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 500)'])
    expect(await endOf(editor.pid ?? 0)).toBe(1)
  }, 40_000)

  test('ends when the editor that it names has gone already', async () => {
    const editor = spawnSync(process.execPath, ['-e', ''])
    expect(await endOf(editor.pid)).toBe(1)
  }, 40_000)
})
