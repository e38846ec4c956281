import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { bzip2Unpacked } from '../../../src/sources/files/bzip2.ts'
import { run } from '../../cli/terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-formats-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const lines = '{"level":"error","content":"one"}\n{"level":"info","content":"two"}\n'
/** The lines compressed with bzip2, one more line compressed with bzip2, and the lines compressed with xz. */
const bzip2 = Buffer.from(
  'QlpoOTFBWSZTWThsAjsAAB/ZgAAQEAQAEAsllYogAEhKmhoGRkEqGmmTQNJHdjpk0SIK3APQaLbL1UQxFipErJ5Uw4LYiRD4u5IpwoSBw2AR2A==',
  'base64',
)
const bzip2More = Buffer.from(
  'QlpoOTFBWSZTWXJveC0AABFZgAAQEAQAEApFlQogADFMAAETamm1NGnqLtXJT8pmcoxsay6sjwhNIQ+LuSKcKEg5N7wWgA==',
  'base64',
)
const xz = Buffer.from(
  '/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4ABCADFdAD2IiYaUdkT1W5HfLqNkd3WJHZB1b2kcE9seJEVoVuxUVfei4kWKNFEU3vlsUBCLPwAAAAAATiAcpbsB9XAAAU1DSZSEih+2830BAAAAAARZWg==',
  'base64',
)

/** Returns the messages about the input, without those about missing times, because most inputs have none. */
function faults(error: string): string {
  return error.replace(/^\d+ records? ha(?:s|ve) no time and stands? at the time of reading\..*\n/m, '')
}

async function rows(query: string, ...files: readonly string[]): Promise<readonly unknown[]> {
  const { out, error, code } = await run('query', query, ...files)
  expect(faults(error)).toBe('')
  expect(code).toBe(0)
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)
}

const both = '* | sort by (content) | fields level, content'
const bothRows = [
  { level: 'error', content: 'one' },
  { level: 'info', content: 'two' },
]

describe('packed files', () => {
  test.each([
    ['a.gz', gzipSync(lines)],
    ['a.zst', zstdCompressSync(lines)],
    ['a.json.br', brotliCompressSync(lines)],
    ['a.bz2', bzip2],
    ['a.xz', xz],
  ])('%s', async (name, content) => {
    expect(await rows(both, file(name, content))).toEqual(bothRows)
  })

  test.each([
    ['gzip', Buffer.concat([gzipSync(lines), gzipSync('{"content":"three"}\n')])],
    ['zstd', Buffer.concat([zstdCompressSync(lines), zstdCompressSync('{"content":"three"}\n')])],
    ['bzip2', Buffer.concat([bzip2, bzip2More])],
  ])('%s in several members', async (name, content) => {
    expect(await rows('* | stats count() as n', file(`members.${name}`, content))).toEqual([{ n: 3 }])
  })

  test('blocks of bzip2 that unpack to far more than they are long come one by one, in pieces', async () => {
    // 100 MB of a single letter.
    const source = Readable.from([
      Buffer.from(
        'QlpoOTFBWSZTWcJtKvMBX44BAKAAAAggADCATUZCoCWpCoCXMUFZJlNZwm0q8wFfjgEAoAAACCAAMIBNRkKgJakKgJcxQVkmU1lU8DSMAD7RAQKgAABAAAggADDMCapppUiDaipEHi7kinChIbM9lUg=',
        'base64',
      ),
    ])
    let bytes = 0
    let most = 0
    for await (const piece of bzip2Unpacked(source)) {
      bytes += piece.length
      most = Math.max(most, piece.length)
    }
    expect({ bytes, most }).toEqual({ bytes: 100_000_000, most: 1024 * 1024 })
  })

  test.each([
    ['gzip', gzipSync(lines)],
    ['xz', xz],
  ])('%s that is cut gives what can be unpacked, a notice and exit code 1', async (name, content) => {
    const { code, out, error } = await run('query', '*', file(`cut.${name}`, content.subarray(0, content.length - 12)))
    expect(error).toContain(`not a complete ${name} file`)
    expect(code).toBe(1)
    expect(out).toContain('one')
  })

  test.each([
    ['zstd', zstdCompressSync(lines)],
    ['bzip2', bzip2],
  ])('%s that is cut within its only block is an error', async (name, content) => {
    const { code, out, error } = await run('query', '*', file(`cut.${name}`, content.subarray(0, content.length - 12)))
    expect(error).toContain(`not a complete ${name} file`)
    expect({ code, out }).toEqual({ code: 1, out: '' })
  })
})

test('an answer over nothing but lines that cannot be read ends with exit code 1', async () => {
  const bad = file('bad.jsonl', '{"content":\n{"content":\n')
  expect(await run('query', '* | stats count() as n', bad)).toMatchObject({ code: 1, out: '{"n":0}\n' })
  const half = file('half.jsonl', '{"content":"a"}\n{"content":\n')
  expect(await run('query', '* | stats count() as n', half)).toMatchObject({ code: 0, out: '{"n":2}\n' })
})

describe('JSON', () => {
  const records = [
    { content: 'a "[x]" \\', n: 1, more: { deep: [1, { y: 2 }] } },
    { content: 'two', n: 2 },
  ]
  const wanted = [
    { content: 'a "[x]" \\', n: 1, 'more.deep': [1, { y: 2 }] },
    { content: 'two', n: 2 },
  ]
  const query = '* | sort by (n) | fields content, n, more.deep'

  test.each([
    ['an array in one line', JSON.stringify(records)],
    ['an array over many lines', JSON.stringify(records, null, 2)],
    ['an array with a record a line', `[\n${records.map((record) => JSON.stringify(record)).join(',\n')}\n]\n`],
    ['objects over many lines', records.map((record) => JSON.stringify(record, null, '\t')).join('\r\n')],
    ['with a byte order mark', `\uFEFF${JSON.stringify(records, null, 2)}`],
  ])('%s', async (_, content) => {
    const found = await rows(query, file('a.json', content))
    expect(
      found.map((row) => JSON.parse(JSON.stringify(row, (_, value: unknown) => value ?? undefined)) as unknown),
    ).toEqual(wanted)
  })

  test('an empty array has no rows', async () => {
    expect(await rows('*', file('empty.json', '[]'))).toEqual([])
  })

  test.each([
    ['[{"content":"one"},{"content":"two"', 1, 'the document ends within a record'],
    ['[{"content":"one"},{"content":"two"}', 2, 'the list is not closed'],
    ['[{"content":"one"},3,{"content":"two"}]', 2, 'a JSON line must be an object'],
    ['[{"content":"one"},{"content":tru e},{"content":"two"}]', 2, 'not JSON'],
    [`[{"content":"one"},{"content":${'['.repeat(200)}${']'.repeat(200)}},{"content":"two"}]`, 2, 'nested deeper'],
  ])('%s tells what it lacks', async (content, n, reason) => {
    const { out, error } = await run('query', '* | stats count() as n', file('bad.json', content))
    expect(out).toBe(`{"n":${n}}\n`)
    expect(error).toContain(reason)
  })

  test('a bad first line is kept as text and reported', async () => {
    const { out, error } = await run(
      'query',
      '* | stats count() as n',
      file('first.json', `{"content":"cut",\n${lines}`),
    )
    expect(out).toBe('{"n":3}\n')
    expect(error).toContain('1 of 3 lines is of another format and is kept as text')
  })
})

describe('tables', () => {
  const all = '* | sort by (content) | fields content, status, took'
  const wanted = [
    { content: 'say "hi"\nand, go', status: '200', took: '1.5' },
    { content: 'z', status: '500', took: null },
  ]

  test.each([
    ['commas', 'content,status,took\r\n"say ""hi""\nand, go",200,1.5\r\nz,500,\r\n'],
    ['semicolons', 'content;status;took\n"say ""hi""\nand, go";200;1.5\nz;500;\n'],
    ['bars', 'content|status|took\n"say ""hi""\nand, go"|200|1.5\nz|500|\n'],
    ['tabs', '\uFEFFcontent\tstatus\ttook\n"say ""hi""\nand, go"\t200\t1.5\nz\t500\t'],
  ])('%s, found without a name', async (_, content) => {
    expect(await rows(all, file('table.txt', content))).toEqual(wanted)
  })

  test('numbers stay text, and are numbers where one is needed', async () => {
    const path = file('n.csv', 'status,took\n200,1.5\n500,2.5\n')
    expect(await rows('status:>=500 | stats sum(took) as s, count() as n', path)).toEqual([{ s: 2.5, n: 1 }])
  })

  test('without a header columns have numbers', async () => {
    const path = file('bare.csv', '2026-03-10T11:00:00Z,200\n2026-03-10T11:00:01Z,500\n')
    expect(await rows('column2:500 | fields column1, column2', path)).toEqual([
      { column1: '2026-03-10T11:00:01Z', column2: '500' },
    ])
  })

  test('cells beyond the header have numbers too', async () => {
    const { out } = await run('query', '* | fields a, column3', file('more.csv', 'a,b\n1,2,3\n'))
    expect(JSON.parse(out)).toEqual({ a: '1', column3: '3' })
  })

  test('the time of a row', async () => {
    const path = file('t.tsv', '_time\tcontent\n2026-03-10T11:00:00Z\tx\n')
    expect(await rows('* | fields _time, content', path)).toEqual([
      { _time: '2026-03-10T11:00:00.000000000Z', content: 'x' },
    ])
  })

  test('sentences with commas are text', async () => {
    const text = 'ERROR, disk full, again\nINFO, all is well, now\n'
    expect(await rows('disk | fields content', file('prose.log', text))).toEqual([
      { content: 'ERROR, disk full, again' },
    ])
  })

  test('a quote that is never closed tells what is lost', async () => {
    const path = file('open.csv', 'a,b\n1,2\n"3,4\n5,6\n7,8\n')
    const { out, error } = await run('query', '* | stats count() as n', path)
    expect(out).toBe('{"n":1}\n')
    expect(error).toContain('line 3: a quote is not closed')
  })

  test('a record of too many cells is refused, the others are read', async () => {
    const path = file('wide.csv', `a,b\n${'1,'.repeat(100_000)}\n1,2\n`)
    const { out, error } = await run('query', '* | stats count() as n', path)
    expect(error).toContain('more than 4096 fields')
    expect(out).toBe('{"n":1}\n')
  })
})

describe('texts', () => {
  test.each(['utf16le', 'utf-16be'])('%s with its mark', async (charset) => {
    const bytes = Buffer.from(`\uFEFF${lines}{"level":"error","content":"grün"}\n`, 'utf16le')
    const path = file('utf16.log', charset === 'utf16le' ? bytes : bytes.swap16())
    expect(await rows('grün | fields content', path)).toEqual([{ content: 'grün' }])
  })

  test.each([
    ['JSON lines', Buffer.from('{"content":"a\xff"}\n{"content":"b"}\n', 'latin1')],
    ['text', Buffer.from('a \xff\nb\n', 'latin1')],
  ])('bytes that are not UTF-8 are counted in %s', async (_, content) => {
    const { out, error, code } = await run('query', '* | stats count() as n', file('latin1.log', content))
    expect(faults(error)).toBe('1 line has bytes that are not UTF-8, shown as \ufffd.\n')
    expect({ code, out }).toEqual({ code: 0, out: '{"n":2}\n' })
  })

  test('a line that never ends is refused, those behind it are read', async () => {
    const path = file('endless.log', Buffer.concat([Buffer.alloc(40 * 1024 * 1024, 'x'), Buffer.from('\nnext line\n')]))
    const { out, error } = await run('query', '* | stats count() as n', path, '--input', 'text')
    expect(error).toContain('longer than 16777216 bytes')
    expect(out).toBe('{"n":1}\n')
  })
})

describe('what is not text', () => {
  test.each([
    ['a PNG image', Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1')],
    ['a program (ELF)', Buffer.from('\u007fELF\u0002\u0001', 'latin1')],
    ['an SQLite database', Buffer.from('SQLite format 3\u0000', 'latin1')],
    ['a Parquet file', Buffer.from('PAR1\u0015\u0004', 'latin1')],
    ['a zip archive', Buffer.from('PK\u0003\u0004\u0014', 'latin1')],
    ['a tar archive', Buffer.concat([Buffer.from('a.log'), Buffer.alloc(252), Buffer.from('ustar')])],
    ['most of it are control characters', Buffer.alloc(1000, '\u0001\u0002ab')],
  ])('%s', async (what, content) => {
    const { code, out, error } = await run('query', '* | stats count() as n', file('some.file', content))
    expect(error).toContain(what)
    expect({ code, out, lines: error.split('\n').length }).toEqual({ code: 1, out: '', lines: 2 })
  })
})
