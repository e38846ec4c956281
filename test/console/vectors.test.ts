// @module-tag slow
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve, sep } from 'node:path'
import chromium from '@sparticuz/chromium'
import { chromium as driver } from 'playwright-core'
import { rolldown, type Plugin } from 'rolldown'
import { expect, test } from 'vitest'
import { logsqlVectors } from '../conformance/logsql.ts'
import { promqlVectors } from '../conformance/promql.ts'
import type { Outcome } from '../conformance/outcome.ts'
import type { VectorSet } from '../conformance/report.ts'
import { PATIENCE_MS } from '../harness/patience.ts'

/**
 * Replacements for the Node modules that the vectors import. In a worker they request files from the test's server one
 * by one.
 */
const shims: ReadonlyMap<string, string> = new Map([
  [
    'node:fs',
    `const ask = (what, path) => {
       const request = new XMLHttpRequest()
       request.open('GET', '/' + what + '?path=' + encodeURIComponent(path), false)
       request.send()
       return request
     }
     export const existsSync = (path) => ask('file', path).status === 200 || ask('folder', path).status === 200
     export const readFileSync = (path) => {
       const { status, responseText } = ask('file', path)
       if (status !== 200) throw new Error('no file ' + path)
       return responseText
     }
     export const readdirSync = (path) => JSON.parse(ask('folder', path).responseText)`,
  ],
  [
    'node:path',
    `const plain = (path) => {
       const parts = []
       for (const part of path.split('/')) if (part === '..') parts.pop(); else if (part !== '.' && part !== '') parts.push(part)
       return (path.startsWith('/') ? '/' : '') + parts.join('/')
     }
     export const join = (...parts) => plain(parts.join('/'))
     export const resolve = (...parts) => plain(parts.reduce((path, part) => part.startsWith('/') ? part : path + '/' + part, ''))
     export const dirname = (path) => path.slice(0, path.lastIndexOf('/'))
     export const basename = (path, end = '') => path.slice(path.lastIndexOf('/') + 1).replace(end, '')`,
  ],
  [
    'node:util',
    `export const isDeepStrictEqual = (a, b) => {
       if (Object.is(a, b)) return true
       if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
       if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false
       if (a instanceof Map) return a.size === b.size && [...a].every(([key, value]) => b.has(key) && isDeepStrictEqual(value, b.get(key)))
       if (a instanceof Set) return a.size === b.size && [...a].every((value) => b.has(value))
       const [names, others] = [Object.keys(a), Object.keys(b)]
       return names.length === others.length && names.every((name) => Object.hasOwn(b, name) && isDeepStrictEqual(a[name], b[name]))
     }`,
  ],
])

const PREFIX = '\0shim:'

const plugin: Plugin = {
  name: 'shims',
  resolveId: (id) => (id.startsWith('node:') ? PREFIX + id : null),
  load: (id) => (id.startsWith(PREFIX) ? (shims.get(id.slice(PREFIX.length)) ?? 'export default undefined') : null),
}

const ENTRY = resolve(import.meta.dirname, 'vectors-worker.ts')

async function bundled(): Promise<string> {
  const bundle = await rolldown({
    input: ENTRY,
    platform: 'browser',
    plugins: [plugin],
    shimMissingExports: true,
    transform: { define: { 'import.meta.dirname': '"/"', 'process.env.NODE_ENV': '"production"' } },
    checks: { ineffectiveDynamicImport: false },
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  return output[0].code
}

/** Serves the worker script and the files below a folder. */
async function serve(script: string, root: string): Promise<{ readonly server: Server; readonly origin: string }> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const path = resolve(searchParams.get('path') ?? '')
    const send = (type: string, body: string | Buffer): void => void response.setHeader('Content-Type', type).end(body)
    try {
      if (pathname === '/') send('text/html', '<title>vectors</title>')
      else if (pathname === '/worker.js') send('text/javascript', script)
      else if (path !== root && !path.startsWith(root + sep)) response.writeHead(404).end()
      else if (pathname === '/folder') send('application/json', JSON.stringify(readdirSync(path)))
      else send('text/plain; charset=utf-8', readFileSync(path))
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

type Counts = readonly Pick<Outcome, 'file' | 'passed' | 'failed' | 'skipped'>[]

function countsOf(outcomes: Counts): Counts {
  return outcomes.map(({ file, passed, failed, skipped }) => ({ file, passed, failed, skipped }))
}

async function inBrowser(set: VectorSet): Promise<Counts> {
  const { server, origin } = await serve(await bundled(), set.directory)
  const executablePath = await chromium.executablePath()
  const browser = await driver.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'], timeout: PATIENCE_MS })
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(`${origin}/`)
    const counts = await page.evaluate<Counts | { readonly error: string }>(`new Promise((done) => {
      const worker = new Worker('/worker.js', { type: 'module' })
      worker.onerror = ({ message }) => done({ error: message })
      worker.onmessage = ({ data }) => done(data)
      worker.postMessage(${JSON.stringify({ language: set.language, directory: set.directory })})
    })`)
    if ('error' in counts) throw new Error(counts.error)
    return counts
  } finally {
    await browser.close()
    server.close()
  }
}

test.each([logsqlVectors, promqlVectors])(
  'the vectors of $language that pass in Node pass in a browser',
  async (set) => {
    if (!existsSync(set.directory)) return
    expect(await inBrowser(set)).toEqual(countsOf(await set.run(set.directory, undefined)))
  },
)
