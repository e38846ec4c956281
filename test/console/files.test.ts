import { afterAll, beforeAll, expect, test } from 'vitest'
import { gzipSync } from 'node:zlib'
import { openConsole, type Console, type Opened } from './browser.ts'

let open: Console
beforeAll(async () => {
  open = await openConsole()
})
afterAll(async () => open.close())

const START = Date.parse('2026-03-10T11:00:00Z')

function line(i: number): string {
  const time = new Date(START + i * 1000).toISOString()
  return JSON.stringify({ time, level: i % 4 === 0 ? 'error' : 'info', msg: `request ${i}`, status: 200 + (i % 3) })
}
const ndjson = Array.from({ length: 400 }, (_, i) => line(i)).join('\n')

interface Dropped {
  readonly name: string
  readonly content: string | Buffer
}

/** Opens the console on local files and selects these files, as the button does. */
async function withFiles(...files: readonly Dropped[]): Promise<Opened> {
  const opened = await open.open({ isOverFiles: true })
  await opened.page.setInputFiles(
    '.drop-zone input[type=file]',
    files.map(({ name, content }) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) })),
  )
  return opened
}

/** The first message. A faint one stands for a row that is not decoded yet. */
const first = '.rows .row:not(.header) .cell.message:not(.faint)'

test('a file is read and searched in the page, and nothing is sent', async () => {
  const { page, troubles, close } = await open.open({ isOverFiles: true })
  const sent: string[] = []
  page.on('request', (request) => {
    if (!/\/assets\//.test(request.url())) sent.push(`${request.method()} ${request.url()}`)
  })
  await page.setInputFiles('.drop-zone input[type=file]', {
    name: 'app.ndjson',
    mimeType: 'application/x-ndjson',
    buffer: Buffer.from(ndjson),
  })
  await page.waitForSelector(first)
  expect(await page.locator(first).first().textContent()).toBe('request 399')
  expect(await page.locator('.files-bar').textContent()).toContain('400 rows')
  await page.locator('.facet', { hasText: 'level' }).getByTitle('Only rows with this level').first().click()
  await expect.poll(() => page.locator('.status').textContent()).toMatch(/^300 rows in /)
  expect(sent).toEqual([])
  expect(troubles).toEqual([])
  await close()
})

test('statistics, fields and the plan come from the engine in the page', async () => {
  const { page, troubles, close } = await withFiles({ name: 'app.ndjson.gz', content: gzipSync(ndjson) })
  await page.waitForSelector(first)
  await page.locator('.query-editor .cm-content').fill('* | stats by (status) count() n | sort by (status)')
  await page.keyboard.press('Control+Enter')
  await page.waitForSelector('table.groups tbody tr')
  expect(await page.locator('table.groups tbody tr').allTextContents()).toEqual(['200134', '201133', '202133'])
  await page.getByRole('tab', { name: 'Explain' }).click()
  await page.waitForSelector('.plan .step')
  expect(troubles).toEqual([])
  await close()
})

test.each<[string, Dropped, string]>([
  ['CSV', { name: 'a.csv', content: 'time,level,message\n2026-03-10T11:00:00Z,warn,low disk\n' }, 'low disk'],
  ['logfmt', { name: 'a.log', content: 'time=2026-03-10T11:00:00Z level=info msg="started up"\n' }, 'started up'],
  ['text', { name: 'a.txt', content: '2026-03-10 11:00:00,123 ERROR cannot connect\n' }, 'cannot connect'],
  [
    'an access log',
    { name: 'access.log', content: '1.2.3.4 - - [10/Mar/2026:11:00:00 +0000] "GET /x HTTP/1.1" 200 12 "-" "curl"\n' },
    'GET /x',
  ],
])('reads %s', async (_, file, message) => {
  const { page, close } = await withFiles(file)
  await page.waitForSelector(first)
  expect(await page.locator(first).first().textContent()).toContain(message)
  await close()
})

test('a file that is not a log is reported, and the others are read', async () => {
  const broken = { name: 'broken.gz', content: gzipSync(ndjson).subarray(0, 300) }
  const { page, close } = await withFiles(broken, { name: 'good.ndjson', content: line(0) })
  await page.waitForSelector('.files-bar .fault')
  expect(await page.locator('.files-bar .fault').first().textContent()).toContain('broken.gz')
  await page.waitForSelector(first)
  await close()
})

test('markup in rows, names and files is text', async () => {
  const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
  const rows = Array.from({ length: 3 }, () =>
    JSON.stringify({
      time: new Date(START).toISOString(),
      level: markup,
      msg: markup,
      [markup]: markup,
      list: [markup],
    }),
  ).join('\n')
  const { page, troubles, close } = await withFiles({ name: `${markup.replaceAll('/', '')}.ndjson`, content: rows })
  await page.waitForSelector(first)
  await page.locator(first).first().click()
  await page.locator('.detail .field').first().waitFor()
  for (const form of ['Table', 'Patterns', 'Compare', 'Explain']) await page.getByRole('tab', { name: form }).click()
  expect(await page.locator('img[src=x], #app script').count()).toBe(0)
  expect(await page.title()).toBe('Sluice')
  expect(troubles).toEqual([])
  await close()
})
