import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Bundles a program for browsers and returns the code. Importing a Node-only module is an error. */
export type Bundle = (entry: string, project: string) => Promise<string>

interface Esbuild {
  readonly build: (options: Readonly<Record<string, unknown>>) => Promise<unknown>
}
interface Rolldown {
  readonly rolldown: (options: Readonly<Record<string, unknown>>) => Promise<{
    write(options: Readonly<Record<string, unknown>>): Promise<unknown>
  }>
}
interface Page {
  on(event: 'console', then: (message: { text(): string }) => void): void
  on(event: 'pageerror', then: (error: Error) => void): void
  goto(address: string): Promise<unknown>
  evaluate(text: string): Promise<unknown>
}
interface Browser {
  newPage(): Promise<Page>
  close(): Promise<void>
}
interface Playwright {
  readonly default: { readonly chromium: { launch(options: Readonly<Record<string, unknown>>): Promise<Browser> } }
}
interface Chromium {
  readonly default: { executablePath(): Promise<string> }
}

/** These packages are installed only next to this file, so the repository has no types for them. */
async function load<T>(name: string): Promise<T> {
  const { resolve } = createRequire(import.meta.url)
  return (await import(pathToFileURL(resolve(name)).href)) as T
}

export const bundlers: Readonly<Record<string, Bundle>> = {
  esbuild: async (entry, project) => {
    const outfile = join(project, 'esbuild.js')
    const { build } = await load<Esbuild>('esbuild')
    await build({
      entryPoints: [entry],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2024',
      logLevel: 'error',
    })
    return readFileSync(outfile, 'utf8')
  },
  rolldown: async (entry, project) => {
    const file = join(project, 'rolldown.js')
    const { rolldown } = await load<Rolldown>('rolldown')
    const onLog = (level: string, { message }: { readonly message: string }): void => {
      if (level !== 'info') throw new Error(message)
    }
    await (await rolldown({ input: entry, platform: 'browser', onLog })).write({ file, format: 'esm' })
    return readFileSync(file, 'utf8')
  },
}

const ISOLATION = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }

/** Permissions of the scripts on a page. */
export interface PageRights {
  /** If true, the page has shared memory. */
  readonly isIsolated: boolean
  /**
   * If true, the page's content security policy allows scripts to compile WebAssembly. No page may evaluate strings as
   * code.
   */
  readonly hasWasm: boolean
}

/** Runs a module in a page of headless Chromium and returns its output. */
export async function answersInBrowser(module: string, { isIsolated, hasWasm }: PageRights): Promise<string> {
  const { chromium } = (await load<Playwright>('playwright-core')).default
  const { default: packaged } = await load<Chromium>('@sparticuz/chromium')
  const server = createServer((request, response) => {
    const isModule = request.url === '/module.js'
    response.writeHead(200, {
      'Content-Type': isModule ? 'text/javascript; charset=utf-8' : 'text/html; charset=utf-8',
      'Content-Security-Policy': `script-src 'self'${hasWasm ? " 'wasm-unsafe-eval'" : ''}`,
      ...(isIsolated ? ISOLATION : {}),
    })
    response.end(isModule ? module : '<!doctype html><title>Sluice</title>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const profile = mkdtempSync(join(tmpdir(), 'sluice-browser-'))
  const browser = await chromium.launch({
    executablePath: await packaged.executablePath(),
    args: ['--no-sandbox', '--disable-gpu', '--headless=old'],
    headless: true,
    env: { ...process.env, HOME: profile },
  })
  try {
    const page = await browser.newPage()
    const lines: string[] = []
    page.on('console', (message) => lines.push(`${message.text()}\n`))
    page.on('pageerror', (error) => lines.push(`${error.stack}\n`))
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const hasShared = await page.evaluate('globalThis.crossOriginIsolated && typeof SharedArrayBuffer === "function"')
    const hasNone = await page.evaluate('typeof SharedArrayBuffer === "undefined"')
    if (isIsolated ? hasShared !== true : hasNone !== true) throw new Error('the page has the wrong kind of memory')
    await page.evaluate('import("/module.js").then(() => undefined)')
    return lines.filter((line) => !line.includes('favicon')).join('')
  } finally {
    await browser.close()
    server.close()
    rmSync(profile, { recursive: true, force: true })
  }
}
