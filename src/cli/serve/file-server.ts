import { createReadStream, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import { randomBytes } from 'node:crypto'
import { BuiltFiles } from '../../server/index.ts'

/** A file that the page may read, as listed in `files.json`. */
interface ListedFile {
  readonly name: string
  readonly bytes: number
  readonly modifiedMs: number
}

/** Length of the secret part of the address, bytes: too long to guess. */
const TOKEN_BYTES = 18

/**
 * Host names under which a local browser reaches the server. Any other name means that another site points here (DNS
 * rebinding).
 */
const LOCAL_NAME = /^(127\.0\.0\.1|localhost)(:\d+)?$/

/** Serves the console and some files to a browser on this machine; nothing else of the disk can be read. */
export class FileServer {
  readonly #page: BuiltFiles
  readonly #paths: readonly string[]
  readonly #prefix = `/${randomBytes(TOKEN_BYTES).toString('base64url')}`
  readonly #server: Server

  /** `folder` is the built console. Throws a system error for a file that cannot be read. */
  constructor(folder: string, paths: readonly string[]) {
    this.#page = BuiltFiles.in(folder)
    this.#paths = paths
    for (const path of paths) statSync(path)
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() =>
        response.headersSent ? response.destroy() : response.writeHead(404).end(),
      )
    })
  }

  /** Listens on loopback and resolves with the address of the page. Rejects with a system error for a taken port. */
  async listen(port: number): Promise<string> {
    await new Promise<void>((done, fail) => {
      this.#server.once('error', fail).listen(port, '127.0.0.1', done)
    })
    const { port: taken } = this.#server.address() as AddressInfo
    return `http://127.0.0.1:${taken}${this.#prefix}/?files=listed`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const isLocal = LOCAL_NAME.test(request.headers.host ?? '')
    if (!isLocal || request.method !== 'GET' || !pathname.startsWith(`${this.#prefix}/`)) {
      response.writeHead(404).end()
      return
    }
    const path = pathname.slice(this.#prefix.length)
    const file = /^\/files\/(\d+)$/.exec(path)
    if (path === '/files.json') {
      const list = JSON.stringify(this.#listed())
      response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(list)
    } else if (file !== null) this.#send(this.#paths[Number(file[1])], response)
    else {
      const answer = await this.#page.answer(path, new Headers(request.headers as Record<string, string>))
      response.writeHead(answer.status, { ...answer.headers }).end(answer.body as string | Uint8Array | null)
    }
  }

  #listed(): readonly ListedFile[] {
    return this.#paths.map((path) => {
      // A file that has been removed stays in the list; the page reports that it cannot be read.
      const { size = 0, mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
      return { name: basename(path), bytes: size, modifiedMs: Math.round(mtimeMs) }
    })
  }

  #send(path: string | undefined, response: ServerResponse): void {
    if (path === undefined) {
      response.writeHead(404).end()
      return
    }
    const stream = createReadStream(path)
    stream.once('error', () => (response.headersSent ? response.destroy() : response.writeHead(404).end()))
    stream.once('open', () => {
      response.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Cache-Control': 'no-store' })
      stream.pipe(response)
    })
    response.once('close', () => stream.destroy())
  }
}
