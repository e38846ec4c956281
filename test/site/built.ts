import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { buildSite, type Site } from '../../tools/site/main.ts'

/** True if the answer of a query is another one in each run: a random number, or times that were measured. */
export function varies(query: string): boolean {
  return /\brand\(|\bquery_stats\b/.test(query)
}

/** A site built in a temporary folder. */
export interface Built extends Site {
  readonly folder: string
  readonly remove: () => void
}

export async function build(): Promise<Built> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-site-'))
  return { ...(await buildSite(folder)), folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Types of files by their endings; a browser runs a module only with its type. */
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
}

/** Serves a folder at any free port of this machine, below `/manual/`, since a site need not be at the root. */
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
