// @module-tag slow
import { execFileSync, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { present } from '../../src/base/index.ts'
import { main } from '../../src/cli/main.ts'
import { program } from '../harness/program.ts'
import type { Terminal } from '../../src/cli/terminal.ts'
import { testTerminal } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-streams-'))
const started: ChildProcessWithoutNullStreams[] = []

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the command line in a separate process, so that a test can wait for its output. */
class Running {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #closed: Promise<number | null>
  out = ''
  error = ''

  constructor(...argv: readonly string[]) {
    this.#child = spawn(process.execPath, [program, 'query', ...argv])
    started.push(this.#child)
    this.#child.stdout.on('data', (text: Buffer) => (this.out += text.toString()))
    this.#child.stderr.on('data', (text: Buffer) => (this.error += text.toString()))
    this.#child.stdin.on('error', () => undefined)
    this.#closed = new Promise((resolve) => this.#child.on('close', resolve))
  }

  write(text: string | Uint8Array): void {
    this.#child.stdin.write(text)
  }

  end(): void {
    this.#child.stdin.end()
  }

  interrupt(): void {
    this.#child.kill('SIGINT')
  }

  /** Resolves with the lines once at least this many have been printed. */
  async lines(count: number): Promise<readonly string[]> {
    for (;;) {
      const lines = this.out.split('\n').slice(0, -1)
      if (lines.length >= count) return lines
      if (this.#child.exitCode !== null) throw new Error(`ended early: ${this.error}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  /** Resolves with the exit code when the process has ended. */
  code(): Promise<number | null> {
    return this.#closed
  }
}

function line(level: string, content: string): string {
  return `${JSON.stringify({ level, content })}\n`
}

describe('standard input as a stream', () => {
  test('rows come while more are awaited, in their order', async () => {
    const child = new Running('level:error | fields content | rename content as said')
    child.write(line('error', 'one') + line('info', 'no'))
    expect(await child.lines(1)).toEqual(['{"said":"one"}'])
    child.write(line('error', 'two'))
    expect(await child.lines(2)).toEqual(['{"said":"one"}', '{"said":"two"}'])
    child.end()
    expect(await child.code()).toBe(0)
  })

  test('the first rows are enough for a limit, although the input goes on', async () => {
    const child = new Running('level:error | limit 2 | fields content')
    child.write(line('error', 'one') + line('error', 'two') + line('error', 'three'))
    expect(await child.code()).toBe(0)
    expect(child.out).toBe('{"content":"one"}\n{"content":"two"}\n')
  })

  test('lines of text and logfmt come too', async () => {
    const child = new Running('error | fields content')
    child.write('2026-03-10T11:00:00Z error here\n')
    expect(await child.lines(1)).toEqual(['{"content":"2026-03-10T11:00:00Z error here"}'])
    child.end()
    expect(await child.code()).toBe(0)
  })

  test('a field that no record had is reported at the end', async () => {
    const child = new Running('lvel:error | stats count() as n')
    child.write(line('error', 'one'))
    child.end()
    expect(await child.code()).toBe(0)
    expect(child.out).toBe('{"n":0}\n')
    expect(child.error).toContain('No row has the field `lvel`. Nearest: `level`.')
  })

  test('stats answer at the end', async () => {
    const child = new Running('* | stats by (level) count() as n | sort by (n desc)')
    child.write(line('error', 'one') + line('info', 'a') + line('info', 'b'))
    child.end()
    expect(await child.code()).toBe(0)
    expect(child.out).toBe('{"level":"info","n":2}\n{"level":"error","n":1}\n')
  })

  test('an interrupt ends the stream with the answer so far', async () => {
    const child = new Running('* | union (level:nothing) | fields content', '--follow')
    expect(await child.code()).toBe(2)
    expect(child.error).toContain('--follow needs a query that passes rows on')
    const path = join(folder, 'sum.log')
    writeFileSync(path, line('error', 'one') + line('info', 'two'))
    const rows = new Running('* | fields content', path, '--follow', '--from-start')
    await rows.lines(2)
    rows.interrupt()
    expect(await rows.code()).toBe(130)
    // No output shows when the file has been read, so wait longer at each attempt.
    let out = ''
    for (let waitMs = 500; out !== '{"n":2}\n' && waitMs < 60_000; waitMs *= 2) {
      const stats = new Running('* | stats count() as n', path, '--follow', '--from-start')
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      stats.interrupt()
      await stats.code()
      out = stats.out
    }
    expect(out).toBe('{"n":2}\n')
  })

  test('a query that needs all rows answers at the end', async () => {
    const child = new Running('* | sort by (content) | fields content')
    child.write(line('error', 'b') + line('error', 'a'))
    child.end()
    expect(await child.code()).toBe(0)
    expect(child.out).toBe('{"content":"a"}\n{"content":"b"}\n')
  })

  test('a line without an end is passed over', async () => {
    const child = new Running('* | fields content')
    const piece = Buffer.alloc(1 << 20, 'x')
    for (let i = 0; i < 40; i++) child.write(piece)
    child.write(`\n${line('info', 'behind')}`)
    expect(await child.lines(1)).toHaveLength(1)
    child.end()
    expect(await child.code()).toBe(0)
    expect(child.error).toContain('longer than 16777216 bytes')
  })

  test('a named pipe is a file that is read once', async () => {
    const path = join(folder, 'pipe')
    execFileSync('mkfifo', [path])
    const child = new Running('nowhere:x | stats count() as n', path)
    const writer = spawn('sh', ['-c', 'printf "$0" > "$1"', line('info', 'one'), path])
    expect(await child.code()).toBe(0)
    expect(child.out).toBe('{"n":0}\n')
    expect(child.error).toContain('No row has the field `nowhere`')
    writer.kill()
  })

  test('explain says how the rows come', async () => {
    const child = new Running('* | fields content', '--explain')
    child.end()
    expect(await child.code()).toBe(0)
    expect(child.error).toContain('read as it comes')
  })
})

describe('an answer that runs', () => {
  test.each([true, false])(
    'is shown on a terminal while rows come, and whole at the end; keys: %s',
    async (isInputTty) => {
      const path = join(folder, 'running.log')
      writeFileSync(path, line('error', 'one'))
      const abort = new AbortController()
      const { terminal, told } = testTerminal({ isInputTty, isOutputTty: true, signal: abort.signal })
      const query = '* | stats by (level) count() as n | sort by (n desc) | limit 1'
      const done = main(['query', query, path, '--follow', '--from-start', '--color', 'never'], terminal)
      const shown = async (text: string): Promise<void> => {
        while (!told.out.includes(text)) await new Promise((resolve) => setTimeout(resolve, 20))
      }
      await shown('error  1\u001b[K\n(1 row so far)')
      appendFileSync(path, line('info', 'two') + line('info', 'three'))
      await shown('info   2\u001b[K\n(1 row so far)')
      told.out = ''
      abort.abort()
      expect(await done).toBe(130)
      expect(told.out).toMatch(/\[Jlevel {2}n\n-{5} {2}-\ninfo {3}2\n\(1 row\)\n$/)
    },
  )
})

describe('notes on streams', () => {
  const path = join(folder, 'notes.log')
  writeFileSync(path, line('error', 'one'))
  const note = 'The answer is written when the command is interrupted'
  const first = '`limit` takes the first rows that come, which need not be the newest.\n'

  /** Returns the messages of a query that is interrupted immediately. */
  const said = async (given: Partial<Terminal>, ...args: readonly string[]): Promise<string> => {
    const { terminal, told } = testTerminal({ ...given, signal: AbortSignal.abort() })
    expect(await main(['query', ...args, '--follow', path], terminal)).toBe(130)
    return told.error
  }

  test('a sum that is followed says when it is written, unless a terminal shows it', async () => {
    const sum = '* | stats count() as n'
    expect(await said({}, sum)).toContain(note)
    expect(await said({}, sum, '--quiet')).toBe('')
    expect(await said({ isOutputTty: true }, sum)).toBe('')
    expect(await said({ isOutputTty: true }, sum, '--format', 'csv')).toContain(note)
    expect(await said({}, '*')).toBe('')
  })

  test.each([
    ['* | limit 3', true],
    ['error | limit 3 by (level) | stats count() n', true],
    ['* | stats by (level) count() n | limit 3', false],
    ['* | uniq by (level) | limit 3', false],
    ['*', false],
  ])('the first rows of a stream are not the newest: %s', async (query, isSaid) => {
    expect((await said({ isOutputTty: true, isErrorTty: true }, query)).includes(first)).toBe(isSaid)
    expect(await said({ isOutputTty: true }, query)).not.toContain(first)
  })

  test('a limit of a file is silent', async () => {
    const { terminal, told } = testTerminal({ isErrorTty: true })
    expect(await main(['query', '* | limit 3', path], terminal)).toBe(0)
    expect(told.error).not.toContain(first)
  })
})

describe('--follow', () => {
  test('appended lines and a replaced file are read', async () => {
    const path = join(folder, 'app.log')
    writeFileSync(path, line('info', 'before'))
    const child = new Running('* | fields content', path, '--follow', '--from-start')
    await child.lines(1)
    appendFileSync(path, line('info', 'appended'))
    await child.lines(2)
    renameSync(path, `${path}.1`)
    appendFileSync(`${path}.1`, line('info', 'late'))
    writeFileSync(path, line('info', 'renamed'))
    await child.lines(4)
    truncateSync(path)
    appendFileSync(path, line('info', 'cut'))
    await child.lines(5)
    unlinkSync(path)
    writeFileSync(path, line('info', 'new'))
    const said = (await child.lines(6)).map((each) => (JSON.parse(each) as { content: string }).content)
    expect(said).toEqual(['before', 'appended', 'late', 'renamed', 'cut', 'new'])
    child.interrupt()
    expect(await child.code()).toBe(130)
  })

  test('starts at the end of several files, of which one comes later', async () => {
    const [one, other] = ['one.csv', 'other.log'].map((name) => join(folder, name))
    writeFileSync(present(one), 'level,content\ninfo,old\n')
    const child = new Running('* | fields content, _file', present(one), present(other), '--follow', '--with-file-name')
    // Lines written before the command watches the file do not count as new, so write until one is shown.
    for (let i = 0; i < 2000 && !child.out.includes('later'); i++) {
      if (!child.out.includes('new')) appendFileSync(present(one), 'info,new\n')
      else if (!existsSync(present(other))) writeFileSync(present(other), line('info', 'later'))
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const all = child.out
    expect(all).not.toContain('old')
    expect(all).toContain(`{"content":"new","_file":${JSON.stringify(one)}}`)
    expect(all).toContain(`{"content":"later","_file":${JSON.stringify(other)}}`)
  })
})
