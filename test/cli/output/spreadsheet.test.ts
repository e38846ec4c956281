import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { run } from '../terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-spreadsheet-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const cells = ["=cmd|' /C calc'!A0", '+1+2', '-2', '@SUM(A1)', '\t=1', '\r=1', 'a-b', '', -5, '=a"b,c']
const path = join(folder, 'cells.ndjson')
writeFileSync(
  path,
  cells.map((m, n) => `${JSON.stringify({ time: '2026-01-01T00:00:00Z', n, m, '=x': 1 })}\n`).join(''),
)
const query = ['query', '* | sort by (n) | fields m, "=x"', path] as const

test('cells that a spreadsheet would run are shown instead with --spreadsheet', async () => {
  const { out } = await run(...query, '--format', 'csv', '--spreadsheet')
  expect(out).toBe(
    [
      "m,'=x",
      "'=cmd|' /C calc'!A0,1",
      "'+1+2,1",
      "'-2,1",
      "'@SUM(A1),1",
      "'\t=1,1",
      '"\'\r=1",1',
      'a-b,1',
      ',1',
      '-5,1',
      '"\'=a""b,c",1',
      '',
    ].join('\r\n'),
  )
  expect((await run(...query, '--format', 'csv')).out).toContain("\r\n=cmd|' /C calc'!A0,1\r\n")
})

test('--spreadsheet is refused for other formats', async () => {
  const { code, error } = await run(...query, '--format', 'ndjson', '--spreadsheet')
  expect([code, error]).toEqual([2, '--spreadsheet needs --format csv.\n'])
})
