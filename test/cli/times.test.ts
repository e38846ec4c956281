import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { formatRfc3339, parseRfc3339, present } from '../../src/base/index.ts'
import { parseInstant, parseRange } from '../../src/cli/options/time-option.ts'
import { run } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-times-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const nowNs = present(parseRfc3339('2026-03-10T12:00:00Z'))
const read = (text: string, zone?: string): string =>
  formatRfc3339(parseInstant(text, { nowNs, zone }, '--since'), true)

describe('a time of the command line', () => {
  test.each([
    ['now', '2026-03-10T12:00:00Z'],
    ['1h', '2026-03-10T11:00:00Z'],
    ['-1h30m', '2026-03-10T10:30:00Z'],
    ['now-2d', '2026-03-08T12:00:00Z'],
    ['2 hours ago', '2026-03-10T10:00:00Z'],
    ['1 hour', '2026-03-10T11:00:00Z'],
    ['90 min ago', '2026-03-10T10:30:00Z'],
    ['1.5 days ago', '2026-03-09T00:00:00Z'],
    ['today', '2026-03-10T00:00:00Z'],
    ['Today 07:15', '2026-03-10T07:15:00Z'],
    ['yesterday', '2026-03-09T00:00:00Z'],
    ['yesterday 14:00', '2026-03-09T14:00:00Z'],
    ['11:59', '2026-03-10T11:59:00Z'],
    ['12:00', '2026-03-10T12:00:00Z'],
    ['22:50', '2026-03-09T22:50:00Z'],
    ['7:05:01.5', '2026-03-10T07:05:01.5Z'],
    ['2026-03-01', '2026-03-01T00:00:00Z'],
    ['2026-03-01 14:00', '2026-03-01T14:00:00Z'],
    ['2026-03-01 9:00', '2026-03-01T09:00:00Z'],
    ['2026-03-01T14:00:01.25+02:00', '2026-03-01T12:00:01.25Z'],
    ['1773136800', '2026-03-10T10:00:00Z'],
    ['1773136800123', '2026-03-10T10:00:00.123Z'],
  ])('%s', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  test.each([
    ['today', 'Europe/Berlin', '2026-03-09T23:00:00Z'],
    ['yesterday 14:00', 'America/New_York', '2026-03-09T18:00:00Z'],
    ['12:30', 'Europe/Berlin', '2026-03-10T11:30:00Z'],
    ['13:30', 'Europe/Berlin', '2026-03-09T12:30:00Z'],
    ['2026-03-29 02:30', 'Europe/Berlin', '2026-03-29T01:30:00Z'],
    ['2026-07-01', '+05:30', '2026-06-30T18:30:00Z'],
    ['2026-07-01T00:00:00Z', '+05:30', '2026-07-01T00:00:00Z'],
  ])('%s in %s', (text, zone, expected) => {
    expect(read(text, zone)).toBe(expected)
  })

  test.each(['', 'soon', '25:00', '2026-02-30', '2026-13-01', '4x', '12', '2 hours from now'])('not %j', (text) => {
    expect(() => read(text)).toThrow(`--since needs a time such as`)
  })

  test('a time of day that ends a range is the first one after its start', () => {
    const range = parseRange('22:50', '23:10', { nowNs })
    expect([formatRfc3339(range.startNs, true), formatRfc3339(range.endNs, true)]).toEqual([
      '2026-03-09T22:50:00Z',
      '2026-03-09T23:10:00Z',
    ])
    const overnight = parseRange('2026-03-08 22:50', '1:10', { nowNs, zone: 'Europe/Berlin' })
    expect(formatRfc3339(overnight.endNs, true)).toBe('2026-03-09T00:10:00Z')
  })
})

describe('the zone of a command', () => {
  const path = join(folder, 'local.log')
  writeFileSync(path, ['09:30', '10:30', '11:30'].map((time) => `2026-08-01 ${time}:00 INFO at ${time}\n`).join(''))
  const contents = ({ out }: { readonly out: string }): readonly string[] => out.match(/at \d\d:\d\d/g) ?? []

  test('counts for lines, for the range, and for dates of the query', async () => {
    const zone = ['--tz', 'Europe/Berlin']
    const ranged = await run('query', '*', path, ...zone, '--since', '2026-08-01 10:00', '--until', '2026-08-01 11:00')
    expect(contents(ranged)).toEqual(['at 10:30'])
    expect(contents(await run('query', '_time:2026-08-01T10', path, ...zone))).toEqual(['at 10:30'])
    expect(contents(await run('query', '_time:day_range[10:00, 11:00)', path, ...zone))).toEqual(['at 10:30'])
  })

  test.each([
    ['ndjson', '{"_time":"2026-08-01T15:00:00.000000000+05:30"}\n'],
    ['csv', '_time\r\n2026-08-01T15:00:00.000000000+05:30\r\n'],
    ['logfmt', '_time=2026-08-01T15:00:00.000000000+05:30\n'],
  ])('in which times are shown, as %s', async (format, expected) => {
    const shown = ['--show-tz', 'Asia/Kolkata', '--format', format]
    expect((await run('query', '"at 09:30" | fields _time', path, ...shown)).out).toBe(expected)
  })

  test('of records is refused where a server is asked, which knows its own', async () => {
    const { code, error } = await run('query', '*', '--server', 'http://127.0.0.1:1', '--tz', 'Europe/Berlin')
    expect([code, error]).toEqual([2, 'Either --server or --tz can be given, not both.\n'])
  })

  test('that is not known is refused before a file is read', async () => {
    const { code, error } = await run('query', '*', path, '--show-tz', 'Mars')
    expect([code, error]).toEqual([2, '--show-tz needs a zone such as Europe/Berlin or +02:00, not `Mars`.\n'])
  })
})
