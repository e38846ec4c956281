import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Terminal } from '../../src/cli/terminal.ts'
import { jsonLogger } from '../../src/cli/serve/logger.ts'
import { guarded } from '../../src/cli/terminal.ts'
import { run, runOn, testTerminal } from './terminal.ts'

/**
 * Control characters that clear the screen (C0 and C1), set the title, change the text direction, or move the cursor
 * back.
 */
const EVIL = '\u001b[2J\u009b2J\u001b]0;owned\u0007\u202egol\u2066\u200f\u061c\u007f\b\rok\u0085'
// oxlint-disable-next-line no-control-regex -- what a terminal must not get
const STEERING = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
/** Matches the colour codes that tables and lines use. */
// oxlint-disable-next-line no-control-regex -- these the program writes itself
const COLORS = /\x1b\[(?:0|1|2|1;3[15]|3[2346])m/g

let folder = ''
let file = ''
let evilFile = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-steering-'))
  file = join(folder, 'rows.ndjson')
  evilFile = join(folder, `a\u001b[2J\u202eb.ndjson`)
  const record = { _time: '2026-03-10T10:00:00Z', content: EVIL, level: EVIL, [`f${EVIL}`]: EVIL, list: [EVIL] }
  for (const path of [file, evilFile]) writeFileSync(path, `${JSON.stringify(record)}\n`)
  writeFileSync(join(folder, 'bad.ndjson'), `{"content": "x"}\n{"content": ${EVIL}\n`)
  mkdirSync(join(folder, 'd'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const tty: Partial<Terminal> = {
  isOutputTty: true,
  isErrorTty: true,
  env: { XDG_CONFIG_HOME: '/nowhere', TERM: 'xterm' },
}

async function shown(...argv: readonly string[]): Promise<string> {
  const { out, error } = await runOn(tty, ...argv)
  return (out + error.replaceAll('\r\u001b[K', '')).replaceAll('\r\n', '\n').replaceAll(COLORS, '')
}

describe('nothing that is written steers a terminal', () => {
  test.each(['table', 'json', 'ndjson', 'csv', 'logfmt', 'raw'])('rows as %s', async (format) => {
    const text = await shown('query', '*', file, '--format', format)
    expect(text).not.toMatch(STEERING)
    expect(text).toMatch(/\\(?:x1b|u001b)\[2J/)
    expect(text).toContain(String.raw`\u202e`)
  })

  const commands: readonly (readonly [string, () => readonly string[]])[] = [
    ['a query that is echoed with carets', () => ['query', `level:${EVIL} | nothing`, file]],
    ['a file that is not there', () => ['query', '*', join(folder, `no${EVIL}.log`)]],
    ['a file name in a warning', () => ['query', 'nosuchfield:x', evilFile]],
    ['a file name among rows', () => ['query', '*', evilFile, '--with-filename']],
    ['bad lines of a file', () => ['query', '*', join(folder, 'bad.ndjson')]],
    ['an option that is not there', () => ['query', `--${EVIL}`, '*']],
    ['a value of an option', () => ['query', '*', file, '--from', EVIL]],
    ['a command that is not there', () => [`x${EVIL}`]],
    ['fmt', () => ['fmt', `level:"${EVIL}" | limit 1`]],
    ['lint', () => ['lint', `level:("${EVIL}"`]],
    ['explain', () => ['explain', `level:"${EVIL}" | fields "${EVIL}"`]],
    ['compile', () => ['compile', '--dialect', 'duckdb', `level:"${EVIL}"`]],
    ['convert', () => ['convert', `level:"${EVIL}"`]],
    ['names of fields', () => ['fields', file]],
    ['values of a field', () => ['values', 'level', file]],
    ['facets', () => ['facets', '*', file]],
    ['steps of a histogram', () => ['hits', '*', file, '--by', 'level', '--step', '1h']],
    ['PromQL with carets', () => ['promql', `sum(x{a="${EVIL}"`, file]],
    ['statistics', () => ['query', `level:"${EVIL}"`, file, '--stats', '--explain']],
  ]

  test.each(commands)('%s', async (_what, argv) => {
    const text = await shown(...argv())
    expect(text).not.toMatch(STEERING)
    expect(text).not.toBe('')
  })

  test('lines of the server', async () => {
    const { terminal, told } = testTerminal({ isErrorTty: true })
    const log = await jsonLogger('info', guarded(terminal))
    log.error({ error: new Error(EVIL), path: EVIL }, EVIL)
    expect(told.error).not.toMatch(STEERING)
    expect(JSON.parse(told.error)).toMatchObject({ path: EVIL, msg: EVIL })
  })
})

describe('a pipe gets every byte', () => {
  test.each(['json', 'ndjson', 'csv', 'logfmt', 'raw'])('rows as %s', async (format) => {
    const { out } = await run('query', '* | fields content', file, '--format', format)
    expect(out).toContain('\u009b2J')
    expect(out).toContain('\u202egol')
    expect(out).not.toContain(String.raw`\u202e`)
  })

  test('JSON on a terminal means the same as in a pipe', async () => {
    const onTerminal = await runOn(tty, 'query', '*', file, '--format', 'json')
    const inPipe = await run('query', '*', file, '--format', 'json')
    expect(JSON.parse(onTerminal.out)).toEqual(JSON.parse(inPipe.out))
  })

  test('bytes that end within a character are put together', async () => {
    const { terminal, told } = testTerminal({ isOutputTty: true })
    const bytes = new TextEncoder().encode('é\u009b')
    const shownOn = guarded(terminal)
    for (const byte of bytes) await shownOn.write(Uint8Array.of(byte))
    expect(told.out).toBe(String.raw`é\u009b`)
  })
})
