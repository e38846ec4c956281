import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { present } from '../../src/base/index.ts'
import { openStore } from '../resources/stores.ts'
import { parseKeyFile } from '../../src/server/index.ts'
import { run } from './terminal.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-keys-'))
  path = join(folder, 'keys.json')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function add(...more: readonly string[]): Promise<string> {
  const { code, out } = await run('keys', 'add', '--keys', path, ...more)
  expect(code).toBe(0)
  return /not shown again\): (sluice_[0-9A-Za-z]{32})\n$/.exec(out)?.[1] ?? ''
}

describe('keys', () => {
  test('a key is made, works, is listed without itself, and is gone when revoked', async () => {
    const first = await add()
    const second = await add('--email', 'she@x', '--roles', 'read,write', '--backends', 'a, b')
    const ring = parseKeyFile(readFileSync(path, 'utf8'))
    expect([...(ring.find(first)?.roles ?? [])]).toEqual(['read', 'write', 'admin'])
    expect(ring.find(second)).toMatchObject({ email: 'she@x', backends: new Set(['a', 'b']) })
    const { out } = await run('keys', 'list', '--keys', path)
    const lines = out.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^id +roles +email +backends +sees$/)
    expect(lines[1]).toMatch(/^[0-9a-f]{8} +read,write,admin +- +default +everything: no user$/)
    expect(lines[2]).toMatch(/^[0-9a-f]{8} +read,write +she@x +a,b +what its policies allow, everything without one$/)
    const all = out + readFileSync(path, 'utf8')
    expect(all.includes(first) || all.includes(second)).toBe(false)
    expect((await run('keys', 'revoke', present(lines[1]?.slice(0, 8)), '--keys', path)).code).toBe(0)
    const left = parseKeyFile(readFileSync(path, 'utf8'))
    expect([left.find(first), left.find(second)?.email]).toEqual([undefined, 'she@x'])
    expect(readdirSync(folder)).toEqual(['keys.json'])
  })

  test('what keys see is said, with a data folder by whose policies there are', async () => {
    const store = await openStore(folder, () => 1n)
    const put = (backend: string, id: string): Promise<unknown> =>
      store.write({ backend, by: 'x', email: undefined }, (tx) => tx.put('user-policies', id, { policies: [] }))
    await put('default', 'with@x')
    await put('other', 'with@x')
    await store.close()
    await add()
    await add('--email', 'ＷITH@x')
    await add('--email', 'with@x', '--backends', 'default,third')
    await add('--email', 'without@x', '--backends', '*')
    const sights = async (...more: readonly string[]): Promise<readonly string[]> => {
      const { out, error } = await run('keys', 'list', '--keys', path, ...more)
      expect(error).toBe('With `sluice serve --require-policy`, keys without a policy see nothing.\n')
      const [head = '', ...lines] = out.trimEnd().split('\n')
      return lines.map((line) => line.slice(head.indexOf('sees')))
    }
    const unsure = 'what its policies allow, everything without one'
    expect(await sights()).toEqual(['everything: no user', unsure, unsure, unsure])
    expect(await sights('--data', folder)).toEqual([
      'everything: no user',
      'what its policies allow on default, other',
      'what its policies allow on default, other; everything on third: no policy',
      'everything: no policy',
    ])
    const { code, error } = await run('keys', 'list', '--keys', path, '--data', join(folder, 'none'))
    expect([code, error.includes('is not a data folder')]).toEqual([2, true])
  })

  test('only its owner can read the file', async () => {
    await add()
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test.each([
    [['add', '--roles', 'read,root'], 2, 'no role `root`'],
    [['add', '--roles', 'read,,write'], 2, '--roles needs words'],
    [['add', '--email', 'ad\u200bmin@x'], 2, 'character 3 is U+200B'],
    [['add', '--email', '\u202eadmin@x'], 2, 'character 1 is U+202E'],
    [['add', '--email', ' '], 2, 'it is blank'],
    [['list'], 2, 'no key file'],
    [['revoke', '12345678'], 1, 'no key 12345678'],
    [['revoke', 'xyz'], 2, 'not the id of a key'],
    [['forget'], 2, 'unknown command'],
  ])('%j is refused', async (args, code, text) => {
    const ran = await run('keys', ...args, ...(args[0] === 'forget' ? [] : ['--keys', path]))
    expect(ran.code).toBe(code)
    expect(ran.error).toContain(text)
    expect(existsSync(path)).toBe(false)
  })

  test('a broken file is refused and left as it is', async () => {
    writeFileSync(path, '{"salt": 5}')
    expect((await run('keys', 'add', '--keys', path)).code).toBe(1)
    expect(readFileSync(path, 'utf8')).toBe('{"salt": 5}')
    expect(readdirSync(folder)).toEqual(['keys.json'])
  })

  test('two changes at once do not lose one', async () => {
    writeFileSync(`${path}.lock`, '')
    const { code, error } = await run('keys', 'add', '--keys', path)
    expect([code, error.includes('Someone else is changing')]).toEqual([1, true])
  })
})

describe('audit', () => {
  test('the audit trail has the caller, the document and both revisions', async () => {
    const store = await openStore(folder, () => 1_767_225_600_000_000_000n)
    const actor = { backend: 'default', by: '1234abcd', email: 'she@x' }
    await store.write(actor, (tx) => tx.put('policy', 'p', { description: 'a' }, 'shop\u001b[31m'))
    await store.write(actor, (tx) => tx.put('policy', 'p', { description: 'b' }, 'shop'))
    await store.write({ ...actor, backend: 'other' }, (tx) => tx.put('silence', 's', {}))
    await store.close()
    const { code, out } = await run('audit', '--data', folder)
    expect(code).toBe(0)
    expect(out).toBe(
      '1  2026-01-01T00:00:00Z  1234abcd (she@x)  create policy "shop\\x1b[31m" (p), revision nothing -> 1\n' +
        '2  2026-01-01T00:00:00Z  1234abcd (she@x)  update policy "shop" (p), revision 1 -> 2: description\n',
    )
    const other = await run('audit', '--data', folder, '--backend', 'other', '--format', 'ndjson')
    expect(JSON.parse(other.out)).toMatchObject({ number: 1, action: 'create', kind: 'silence', to: 1 })
    expect((await run('audit', '--data', folder, '--after', '2')).out).toBe('')
  })

  test('a folder without resources is refused, and nothing is made in it', async () => {
    const { code, error } = await run('audit', '--data', folder)
    expect([code, error.includes('is not a data folder')]).toEqual([2, true])
    expect(readdirSync(folder)).toEqual([])
  })
})
