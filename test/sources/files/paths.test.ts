import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { CommandError } from '../../../src/base/index.ts'
import { namedFiles } from '../../../src/sources/files/index.ts'
import { run } from '../../cli/terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-paths-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function line(content: string): string {
  return `${JSON.stringify({ content })}\n`
}

for (const name of ['web/b.json', 'web/a.json', 'web/deep/c.log', 'db/x[1].log', 'db/.hidden.log']) {
  mkdirSync(join(folder, name, '..'), { recursive: true })
  writeFileSync(join(folder, name), line(name))
}
writeFileSync(join(folder, 'web/deep/d.json.gz'), gzipSync(line('packed')))
symlinkSync(folder, join(folder, 'web/loop'))
symlinkSync(join(folder, 'web/a.json'), join(folder, 'linked.json'))

function found(...names: readonly string[]): readonly string[] {
  return namedFiles(names.map((name) => join(folder, name))).paths.map((path) => relative(folder, path))
}

describe('files by folder and pattern', () => {
  test.each([
    ['web', ['web/a.json', 'web/b.json', 'web/deep/c.log', 'web/deep/d.json.gz']],
    ['web/*.json', ['web/a.json', 'web/b.json']],
    ['**/*.json', ['linked.json', 'web/a.json', 'web/b.json']],
    ['**/*.{log,gz}', ['db/x[1].log', 'web/deep/c.log', 'web/deep/d.json.gz']],
    ['web/[!a].json', ['web/b.json']],
    ['*/?.json', ['web/a.json', 'web/b.json']],
    ['db/.*', ['db/.hidden.log']],
    ['db/x[1].log', ['db/x[1].log']],
    ['w*/deep/c.log', ['web/deep/c.log']],
  ])('%s', (name, wanted) => {
    expect(found(name)).toEqual(wanted)
  })

  test('a file that is named twice by patterns is read once', () => {
    expect(found('web/*.json', 'web/a*')).toEqual(['web/a.json', 'web/b.json'])
  })

  test.each(['nothing*', 'empty'])('%s is an error', (name) => {
    mkdirSync(join(folder, 'empty'), { recursive: true })
    expect(() => found(name)).toThrow(CommandError)
  })

  test('rows of all, with the names of their files when asked for', async () => {
    const { out } = await run('query', '* | stats count() as n', join(folder, 'web'))
    expect(out).toBe('{"n":4}\n')
    const named = await run('query', '_file:*a.json | fields content, _file', join(folder, 'web'), '--with-file-name')
    expect(named.out).toBe(`{"content":"web/a.json","_file":${JSON.stringify(join(folder, 'web/a.json'))}}\n`)
  })

  test('of a folder what is not text is named and passed over', async () => {
    const mixed = join(folder, 'mixed')
    mkdirSync(mixed)
    writeFileSync(join(mixed, 'a.log'), line('a'))
    writeFileSync(join(mixed, 'b.png'), Buffer.from('\u0089PNG\r\n', 'latin1'))
    const { code, out, error } = await run('query', '* | stats count() as n', mixed)
    expect(error).toContain(`${join(mixed, 'b.png')} is a PNG image, not text.\n`)
    expect({ code, out }).toEqual({ code: 0, out: '{"n":1}\n' })
  })

  test('of a folder what is damaged is named, and the exit code says so', async () => {
    const damaged = join(folder, 'damaged')
    mkdirSync(damaged)
    writeFileSync(join(damaged, 'a.log'), line('a'))
    writeFileSync(join(damaged, 'b.gz'), gzipSync(line('b')).subarray(0, 12))
    const { code, out, error } = await run('query', '* | stats count() as n', damaged)
    expect(error).toContain('b.gz is not a complete gzip file')
    expect({ code, out }).toEqual({ code: 1, out: '{"n":1}\n' })
  })

  test.skipIf(process.getuid?.() === 0)('a file that may not be read is named', async () => {
    const closed = join(folder, 'closed')
    mkdirSync(closed)
    writeFileSync(join(closed, 'a.log'), line('a'))
    writeFileSync(join(closed, 'b.log'), line('b'))
    chmodSync(join(closed, 'b.log'), 0)
    const { code, error } = await run('query', '* | stats count() as n', closed)
    expect(error).toContain('b.log cannot be read')
    expect(code).toBe(1)
  })
})
