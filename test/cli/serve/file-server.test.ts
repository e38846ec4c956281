import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FileServer } from '../../../src/cli/serve/file-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-open-'))
const page = join(folder, 'page')
const [first, second, secret] = ['a.log', 'b b.log', 'secret'].map((name) => join(folder, name)) as [string, string, string]
mkdirSync(join(page, 'assets'), { recursive: true })
writeFileSync(join(page, 'index.html'), '<title>console</title>')
writeFileSync(join(page, 'assets/main-1.js'), 'export {}')
writeFileSync(first, 'one\n')
writeFileSync(second, 'two\n')
writeFileSync(secret, 'not listed')

const server = new FileServer(page, [first, second])
let address = ''
beforeAll(async () => {
  address = (await server.listen(0)).replace('?files=listed', '')
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

test('serves the page, its assets, and the listed files', async () => {
  const sent = await fetch(`${address}?files=listed`)
  expect(sent.headers.get('content-security-policy')).toContain("default-src 'self'")
  expect(await sent.text()).toBe('<title>console</title>')
  expect(await (await fetch(`${address}assets/main-1.js`)).text()).toBe('export {}')
  expect(await (await fetch(`${address}files.json`)).json()).toMatchObject([
    { name: 'a.log', bytes: 4 },
    { name: 'b b.log', bytes: 4 },
  ])
  expect(await (await fetch(`${address}files/1`)).text()).toBe('two\n')
})

test.each(['files/2', 'files/-1', 'files/0x0', '../secret', 'files/../secret', 'assets/..%2f..%2fsecret'])(
  'nothing else: %s',
  async (path) => {
    const sent = await fetch(address + path)
    expect([200, 404]).toContain(sent.status)
    expect(await sent.text()).not.toContain('not listed')
  },
)

test('an address without the secret part is nothing', async () => {
  const { origin } = new URL(address)
  for (const path of ['/', '/files.json', '/files/0']) expect((await fetch(origin + path)).status).toBe(404)
  expect((await fetch(`${address}files/0`, { method: 'POST' })).status).toBe(404)
})

test('a name that another site led here is nothing', async () => {
  const status = await new Promise((done) => {
    request(`${address}files/0`, { headers: { Host: 'attacker.example' } }, (sent) => done(sent.statusCode)).end()
  })
  expect(status).toBe(404)
})

test('a file that is gone is refused when the command starts', () => {
  expect(() => new FileServer(page, [join(folder, 'missing')])).toThrow(/ENOENT/)
})

test('a file that goes away later is listed, and its bytes are refused', async () => {
  const late = join(folder, 'late.log')
  writeFileSync(late, 'three\n')
  const other = new FileServer(page, [first, late])
  const origin = (await other.listen(0)).replace('?files=listed', '')
  rmSync(late)
  expect(await (await fetch(`${origin}files.json`)).json()).toMatchObject([{ bytes: 4 }, { name: 'late.log', bytes: 0 }])
  expect((await fetch(`${origin}files/1`)).status).toBe(404)
  expect(await (await fetch(`${origin}files/0`)).text()).toBe('one\n')
  await other.close()
})
