import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { buildSite, type Site } from '../../tools/site/main.ts'

/** True if the result of a query differs from run to run: a random number, or measured times. */
export function varies(query: string): boolean {
  return /\brand\(|\bquery_stats\b/.test(query)
}

/** A site that was built into a temporary folder. */
export interface Built extends Site {
  readonly folder: string
  readonly remove: () => void
}

export async function build(): Promise<Built> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-site-'))
  return { ...(await buildSite(folder)), folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Content types by file extension. Browsers run a module only if its content type is right. */
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
}

/** Serves a folder at a free loopback port below `/manual/`, because a site need not be at the root. */
export async function serve(folder: string): Promise<{ readonly origin: string; readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    const path = pathname.replace(/^\/manual\//, '').replace(/(^|\/)$/, '$1index.html')
    readFile(join(folder, path)).then(
      (bytes) => response.setHeader('Content-Type', types[extname(path)] ?? 'text/plain; charset=utf-8').end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}/manual`,
    close: () => new Promise((done) => server.close(() => done()).closeAllConnections()),
  }
}
