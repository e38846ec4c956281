import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import chromium from '@sparticuz/chromium'
import { chromium as driver, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { TestClock } from '../../src/alerting/service/index.ts'
import { loadDemo } from '../../src/cli/serve/demo.ts'
import { createServer, newTarget, type SluiceServer } from '../../src/server/index.ts'
import { buildConsole } from '../../tools/console.ts'
import { PATIENCE_MS } from '../harness/patience.ts'

export const KEY = 'console-test-key-0123456789abcdef0123456789'

/** API key with read access only, of a server with alerting. */
export const READ_KEY = 'console-read-key-0123456789abcdef0123456789'

/** Time of the server and the pages: the end of the demo incident, so that every run shows the same rows. */
export const NOW = new Date('2026-03-10T12:00:00Z')

/** A browser, and a server with the demo data whose console it opens. */
export interface Console {
  readonly origin: string
  readonly server: SluiceServer
  readonly browser: Browser
  /** Opens a new, signed-in page. */
  readonly open: (options?: OpenOptions) => Promise<Opened>
  /** Sends a request to the API with an administrator's key. Rejects for a status of 400 or more. */
  readonly call: (method: string, path: string, body?: unknown) => Promise<unknown>
  readonly close: () => Promise<void>
}

export interface ConsoleOptions {
  /** True if the server evaluates monitors. Its clock then starts at `NOW` and advances only on `POST /test/clock`. */
  readonly hasAlerting?: boolean
  /** Configuration of notification receivers; needs `hasAlerting`. */
  readonly notify?: string
}

export interface OpenOptions {
  /** API key that signs in. Default: `KEY`. */
  readonly key?: string
  /** Time that the page sees. Default: `NOW`. */
  readonly now?: Date
  /** Time zone of the browser. Default: UTC. */
  readonly timezone?: string
  readonly width?: number
  readonly height?: number
  /** Device pixels per CSS pixel, as for a zoomed page. Default: 1. */
  readonly scale?: number
  readonly theme?: 'light' | 'dark'
  /** URL fragment of the view to open, such as `#/logs?q=error`. */
  readonly view?: string
  /** True if the console opens on local files instead of the server. */
  readonly isOverFiles?: boolean
}

export interface Opened {
  readonly page: Page
  /** Problems on the page so far: script errors, rejected styles and scripts, requests to other hosts. */
  readonly troubles: string[]
  readonly close: () => Promise<void>
}

/** Browser flags: no background network traffic, and no sandbox, which needs privileges that tests lack. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync']

/** Milliseconds between two attempts to start the browser. */
const LAUNCH_PAUSE_MS = 200

/** Starts the browser. Tries again while another test worker is still writing the browser's executable. */
export async function launch(): Promise<Browser> {
  const executablePath = await chromium.executablePath()
  for (const giveUpMs = performance.now() + PATIENCE_MS; ; await setTimeout(LAUNCH_PAUSE_MS))
    try {
      return await driver.launch({ executablePath, args: FLAGS, timeout: PATIENCE_MS })
    } catch (error) {
      if (!String(error).includes('ETXTBSY') || performance.now() > giveUpMs) throw error
    }
}

/**
 * Records from now on what goes wrong on a page: script errors, violations of its security policy, requests to other
 * hosts. Returns the list, which grows.
 */
export function watched(page: Page, origin: string): string[] {
  const troubles: string[] = []
  page.on('pageerror', (error) => troubles.push(`script: ${error.message}`))
  page.on('console', (message) => {
    // Failed requests are left out here, because the page itself reports them to the user.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      troubles.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) troubles.push(`request to ${url}`)
  })
  return troubles
}

/** Starts a server with the demo data and a browser; `close` ends both. */
export async function openConsole({ hasAlerting = false, notify }: ConsoleOptions = {}): Promise<Console> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-page-'))
  await buildConsole(folder)
  const target = newTarget()
  loadDemo(target, 1, BigInt(NOW.getTime()) * 1_000_000n)
  const { store, samples, metricCatalog } = target
  const testClock = new TestClock()
  const nowMs = (): number => (hasAlerting ? testClock.nowMs() : NOW.getTime())
  const clock = { nowNs: () => BigInt(nowMs()) * 1_000_000n, nowMs: () => performance.now() }
  const alerting = { testClock, ...(notify === undefined ? {} : { notify }) }
  const keys = [{ key: KEY }, { key: READ_KEY, roles: ['read'] as const, email: 'ann@example.com' }]
  const server = await createServer({
    keys,
    store,
    samples,
    metricCatalog,
    clock,
    console: folder,
    ...(hasAlerting ? { alerting } : {}),
  })
  await server.loaded
  const call: Console['call'] = async (method, path, body) => {
    const answer = await server.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`)
    return answer.headers.get('Content-Type')?.includes('json') === true ? JSON.parse(text) : text
  }
  if (hasAlerting) await call('POST', '/test/clock', { now: NOW.toISOString() })
  const { port } = await server.listen({ port: 0, host: '127.0.0.1' })
  const origin = `http://127.0.0.1:${port}`
  const browser = await launch()
  const signedIn = async (context: BrowserContext, key: string): Promise<void> => {
    const sent = await context.request.post(`${origin}/api/session`, {
      headers: { Authorization: `Bearer ${key}`, 'X-Sluice-Console': '1' },
      data: {},
    })
    if (!sent.ok()) throw new Error(`the console refused the key: ${sent.status()}`)
  }
  return {
    origin,
    server,
    browser,
    call,
    open: async ({
      timezone = 'UTC',
      width = 1280,
      height = 800,
      scale = 1,
      theme = 'light',
      view = '',
      isOverFiles = false,
      key = KEY,
      now = NOW,
    } = {}) => {
      const context = await browser.newContext({
        viewport: { width, height },
        deviceScaleFactor: scale,
        colorScheme: theme,
        locale: 'en-US',
        timezoneId: timezone,
        reducedMotion: 'reduce',
      })
      context.setDefaultTimeout(PATIENCE_MS)
      await signedIn(context, key)
      const page = await context.newPage()
      await page.clock.setFixedTime(now)
      const troubles = watched(page, origin)
      await page.goto(`${origin}/${isOverFiles ? '?files' : ''}${view}`)
      await page.waitForSelector('header.top')
      return { page, troubles, close: () => context.close() }
    },
    close: async () => {
      await browser.close()
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
