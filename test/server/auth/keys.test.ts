import { describe, expect, test } from 'vitest'
import { SluiceError, headerOf } from '../../../src/base/index.ts'
import {
  KeyRing,
  hashKey,
  makeKey,
  parseKeyFile,
  printKeyFile,
  readKeyFile,
  salvageKeyFile,
} from '../../../src/server/index.ts'
import { presentedKeys } from '../../../src/server/auth/auth.ts'
import { KEY, SALT, SEARCH, appOf, key, post, searchBody, send } from '../harness/harness.ts'

describe('keys', () => {
  test('a made key has a prefix and 32 letters and digits, every time others', () => {
    let state = 1
    const random = (count: number): Uint8Array =>
      Uint8Array.from({ length: count }, () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 24)
    const made = new Set(Array.from({ length: 100 }, () => makeKey(random)))
    expect(made.size).toBe(100)
    for (const text of made) expect(text).toMatch(/^sluice_[0-9A-Za-z]{32}$/)
  })

  test('only the hash under the salt is kept', () => {
    expect(hashKey(SALT, 'a')).toMatch(/^[0-9a-f]{64}$/)
    expect(hashKey(SALT, 'a')).not.toBe(hashKey('another salt 1234', 'a'))
    const ring = new KeyRing(SALT, [key('one', { email: 'a@b' }), key('two')])
    expect(ring.find('one')?.email).toBe('a@b')
    expect(ring.find('two')?.email).toBeUndefined()
    expect(ring.find('three')).toBeUndefined()
    expect(ring.find('')).toBeUndefined()
    expect(JSON.stringify(ring)).not.toContain('one')
  })

  test('a key file round trips; every backend is named as `*`', () => {
    const text = printKeyFile(SALT, [key('one', { email: 'a@b', roles: new Set(['read']), backends: new Set(['x']) })])
    const found = parseKeyFile(text).find('one')
    expect([found?.email, [...(found?.roles ?? [])], [...(found?.backends ?? [])]]).toEqual(['a@b', ['read'], ['x']])
    const every = printKeyFile(SALT, [key('k')])
    expect(every).toContain('"backends":["*"]')
    expect(parseKeyFile(every).find('k')?.backends).toBeUndefined()
  })

  test('one bit changed anywhere in a key file is found', () => {
    const record = key('one', { email: 'a@b', roles: new Set(['read']), backends: new Set(['x']) })
    const text = printKeyFile(SALT, [record, key('two')])
    for (let at = 0; at < text.length; at++) {
      for (const bit of [1, 2, 4, 8, 16, 32, 64]) {
        const changed = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ bit) + text.slice(at + 1)
        expect(() => readKeyFile(changed), `${at} ${bit}`).toThrow(SluiceError)
      }
    }
  })

  test('of a damaged key file the other keys can be kept', () => {
    const text = printKeyFile(SALT, [key('one', { email: 'a@b' }), key('two')])
    expect(salvageKeyFile(text.replace('a@b', 'a@c'))?.records).toEqual([key('two')])
    expect(salvageKeyFile(text.slice(0, text.indexOf('"check"') + 30))?.records).toEqual([key('one', { email: 'a@b' })])
    expect(salvageKeyFile(text.replace('"salt"', '"sald"'))).toBeUndefined()
  })

  test.each([
    ['{', 'wire/not-json'],
    ['{"keys":[]}', 'wire/missing-member'],
    [`{"salt":"${SALT}","keys":[{"hash":"abc"}]}`, 'wire/bad-format'],
    [printKeyFile(SALT, [key('a')]).replace('"admin"', '"root"'), 'wire/unknown-word'],
    [printKeyFile(SALT, [key('a')]).replace('"admin"', '"read"'), 'setup/key-check'],
    [printKeyFile(SALT, [key('a')]).replace('"backends":["*"],', ''), 'wire/missing-member'],
  ])('a broken key file %s', (text, code) => {
    expect(() => parseKeyFile(text)).toThrow(SluiceError)
    try {
      parseKeyFile(text)
    } catch (error) {
      expect((error as SluiceError).code).toBe(code)
    }
  })
})

describe('who may call', () => {
  test.each([
    ['abc', 'abc'],
    ['Bearer abc', 'abc'],
    ['bearer   abc ', 'abc'],
    ['BEARER\tabc', 'abc'],
    ['Bearer', undefined],
    ['Bearer ', undefined],
    ['', undefined],
    ['  ', undefined],
    ['Bearerabc', 'Bearerabc'],
    ['Basic YTpi', 'b'],
    ['basic Onk6eg==', 'y:z'],
    ['Basic YTo=', undefined],
    ['Basic abc', undefined],
    ['Splunk abc', 'abc'],
    ['two words', 'two words'],
  ])('the key in %j', (header, expected) => {
    expect(presentedKeys(new Headers({ Authorization: header }))).toEqual(expected === undefined ? [] : [expected])
  })

  test('an id with its key, or a key alone, in the scheme ApiKey; a header of its own only without Authorization', () => {
    expect(presentedKeys(new Headers({ Authorization: 'ApiKey aWQ6a2V5' }))).toEqual(['aWQ6a2V5', 'key'])
    expect(presentedKeys(new Headers({ 'DD-API-KEY': ' abc ' }))).toEqual(['abc'])
    expect(presentedKeys(new Headers({ 'DD-API-KEY': 'abc', Authorization: 'Bearer x' }))).toEqual(['x'])
  })

  const headers = { 'Content-Type': 'application/json' }
  const init = { method: 'POST', body: JSON.stringify(searchBody) }
  const statusOf = async (app: ReturnType<typeof appOf>, more: Record<string, string>): Promise<number> =>
    (await send(app, SEARCH, { ...init, headers: { ...headers, ...more } })).status

  test('401 without a known key, in both forms', async () => {
    const app = appOf()
    expect(await statusOf(app, {})).toBe(401)
    expect(await statusOf(app, { Authorization: 'Bearer nobody' })).toBe(401)
    expect(await statusOf(app, { Authorization: `Basic ${KEY}` })).toBe(401)
    expect(await statusOf(app, { Authorization: `${KEY}, ${KEY}` })).toBe(401)
    expect(await statusOf(app, { Authorization: `Bearer ${KEY}` })).toBe(200)
    expect(await statusOf(app, { Authorization: KEY })).toBe(200)
    const basic = (text: string): string => Buffer.from(text).toString('base64')
    expect(await statusOf(app, { Authorization: `Basic ${basic(`agent:${KEY}`)}` })).toBe(200)
    expect(await statusOf(app, { Authorization: `Basic ${basic(`${KEY}:`)}` })).toBe(401)
    expect(await statusOf(app, { Authorization: `ApiKey ${basic(`id:${KEY}`)}` })).toBe(200)
    expect(await statusOf(app, { Authorization: `Splunk ${KEY}` })).toBe(200)
    expect(await statusOf(app, { 'DD-API-KEY': KEY })).toBe(200)
    const refused = await send(app, SEARCH, { ...init, headers })
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('a key in the address counts for nothing', async () => {
    expect((await send(appOf(), `${SEARCH}?api_key=${KEY}`, { ...init, headers })).status).toBe(401)
  })

  test('403 without the role, and only roles that key and policies both name count', async () => {
    const keys = new KeyRing(SALT, [
      key('writer', { roles: new Set(['write']) }),
      key('reader', { roles: new Set(['read', 'write']) }),
    ])
    const app = appOf({ keys })
    expect(await statusOf(app, { Authorization: 'writer' })).toBe(403)
    expect(await statusOf(app, { Authorization: 'reader' })).toBe(200)
    const narrowed = appOf({
      keys,
      access: { accessOf: () => ({ roles: new Set(['write', 'admin']), scope: undefined }) },
    })
    expect(await statusOf(narrowed, { Authorization: 'reader' })).toBe(403)
    const named = appOf({ keys, access: { accessOf: () => Promise.resolve({ roles: undefined, scope: undefined }) } })
    expect(await statusOf(named, { Authorization: 'reader' })).toBe(200)
  })

  test('the backend header is ignored with one backend and needed with several', async () => {
    expect(await statusOf(appOf(), { Authorization: KEY, 'X-Backend-Id': 'anything' })).toBe(200)
    expect(await statusOf(appOf({ backends: ['a'] }), { Authorization: KEY })).toBe(200)
    const keys = new KeyRing(SALT, [key(KEY), key('only-a', { backends: new Set(['a']) })])
    const app = appOf({ backends: ['a', 'b'], keys })
    expect(await statusOf(app, { Authorization: KEY })).toBe(403)
    expect(await statusOf(app, { Authorization: KEY, 'X-Backend-Id': 'c' })).toBe(403)
    expect(await statusOf(app, { Authorization: KEY, 'X-Backend-Id': 'b' })).toBe(200)
    expect(await statusOf(app, { Authorization: 'only-a', 'X-Backend-Id': 'a' })).toBe(200)
    expect(await statusOf(app, { Authorization: 'only-a', 'X-Backend-Id': 'b' })).toBe(403)
  })

  test('headers of other systems and the user of basic authentication name a backend, the first of them counts', async () => {
    const keys = new KeyRing(SALT, [key(KEY), key('only-a', { backends: new Set(['a']) })])
    const app = appOf({ backends: ['a', 'b', '7:3', '9:0'], keys })
    const status = (headers: Readonly<Record<string, string>>, by = KEY): Promise<number> =>
      statusOf(app, { Authorization: by, ...headers })
    expect(await status({ 'X-Scope-OrgID': 'b' })).toBe(200)
    expect(await status({ 'X-Scope-OrgID': 'b' }, 'only-a')).toBe(403)
    expect(await status({ 'X-Scope-OrgID': 'a|b' })).toBe(403)
    expect(await status({ 'X-Backend-Id': 'c', 'X-Scope-OrgID': 'b' })).toBe(403)
    expect(await status({ 'X-Backend-Id': 'b', 'X-Scope-OrgID': 'c' })).toBe(200)
    expect(await status({ AccountID: '7', ProjectID: '3' })).toBe(200)
    expect(await status({ AccountID: '7' })).toBe(403)
    expect(await status({ AccountID: '9' })).toBe(200)
    expect(await status({ 'X-Scope-OrgID': 'c', AccountID: '9' })).toBe(403)
    const user = (name: string, by = KEY): string => `Basic ${btoa(`${name}:${by}`)}`
    expect(await status({}, user('a', 'only-a'))).toBe(200)
    expect(await status({}, user('b', 'only-a'))).toBe(403)
    expect(await status({}, user('agent'))).toBe(403)
    expect(await status({ AccountID: '0', ProjectID: '0' }, user('a'))).toBe(200)
    expect(await status({ AccountID: '1', ProjectID: '0' }, user('a'))).toBe(403)
    expect(await status({ 'X-Scope-OrgID': 'b' }, user('a', 'only-a'))).toBe(403)
  })

  test('an id outside ASCII is named by its UTF-8, or as Latin-1', async () => {
    const ids = ['à', '東京', 'a']
    const app = appOf({ backends: ids })
    const named = (value: string): Promise<number> => statusOf(app, { Authorization: KEY, 'X-Backend-Id': value })
    for (const id of ids) expect(await named(headerOf(id)), id).toBe(200)
    expect(await named('à')).toBe(200)
    expect(await named(` ${headerOf('à')}\t`)).toBe(200)
    expect(await named('ã')).toBe(403)
    expect(await named(headerOf('東'))).toBe(403)
  })

  test('unknown and foreign backends get the same text', async () => {
    const keys = new KeyRing(SALT, [key('only-a', { backends: new Set(['a']) })])
    const app = appOf({ backends: ['a', 'b'], keys })
    const text = async (backend: string): Promise<unknown> => {
      const { body } = await post(app, SEARCH, searchBody, { Authorization: 'only-a', 'X-Backend-Id': backend })
      return { ...(body as object), trace_id: '' }
    }
    expect(await text('b')).toEqual(await text('zzz'))
  })
})
