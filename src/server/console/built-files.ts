import { readFileSync, readdirSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { HttpAnswer } from '../http/answer.ts'
import { namesTag, tagOfBytes } from '../http/entity-tag.ts'
import { MIN_PACKED_BYTES } from '../http/packed-answer.ts'
import { packed, packingFor, type Packing } from '../http/pack-body.ts'
import { fault } from '../errors/http-fault.ts'

const TEXT_TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.json', 'application/json'],
  ['.map', 'application/json'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.wasm', 'application/wasm'],
])

/** Types of files whose format is already compressed. */
const PACKED_TYPES: ReadonlyMap<string, string> = new Map([
  ['.png', 'image/png'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
])

/** Encodings with the best compression first: each file is compressed once. */
const PREFERRED: readonly Packing[] = ['br', 'zstd', 'gzip']

const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Security headers: the page runs only its own scripts, connects only to this server, and cannot be embedded in other
 * pages.
 */
const STRICT: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** Caching of files in `assets/`: their names contain a hash of the content. */
const FOR_EVER = 'public, max-age=31536000, immutable'

const INDEX = 'index.html'

const NOT_BUILT = 'The console is not built: run `npm run build`, then start the server again.\n'

interface BuiltFile {
  readonly type: string
  readonly isPackable: boolean
  readonly bytes: Uint8Array
  readonly tag: string
  readonly packed: Map<Packing, Promise<Uint8Array>>
}

function filesIn(folder: string): ReadonlyMap<string, BuiltFile> {
  const files = new Map<string, BuiltFile>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const extension = extname(entry.name)
    const type = TEXT_TYPES.get(extension) ?? PACKED_TYPES.get(extension)
    // Symbolic links are skipped, because they could lead out of the folder.
    if (type === undefined || !entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = readFileSync(path)
    files.set(relative(folder, path).replaceAll(sep, '/'), {
      type,
      isPackable: TEXT_TYPES.has(extension) && bytes.length >= MIN_PACKED_BYTES,
      bytes,
      tag: tagOfBytes([bytes]),
      packed: new Map(),
    })
  }
  return files
}

/** Returns the file for a URL path. Paths below `/console/` without an extension are views of the page. */
function nameAt(path: string): string {
  const name = path.replace(/^\/(console(\/|$))?/, '')
  return /\.[^/]*$/.test(name) ? name : INDEX
}

/** Files of the built console as they were when the server started. */
export class BuiltFiles {
  readonly #files: ReadonlyMap<string, BuiltFile>

  private constructor(files: ReadonlyMap<string, BuiltFile>) {
    this.#files = files
  }

  /** Reads the folder; a missing folder counts as empty. */
  static in(folder: string): BuiltFiles {
    try {
      return new BuiltFiles(filesIn(folder))
    } catch {
      return new BuiltFiles(new Map())
    }
  }

  /** True if the console has been built. */
  get isBuilt(): boolean {
    return this.#files.has(INDEX)
  }

  /** Returns the answer to `GET /`, `/console` and each path below it. Throws `server/not-found`. */
  async answer(path: string, headers: Headers): Promise<HttpAnswer> {
    const name = nameAt(path)
    const file = this.#files.get(name)
    if (file !== undefined) return answerOf(file, name, headers)
    if (name !== INDEX) throw fault('not-found', { what: 'file' })
    return { status: 404, headers: { ...STRICT, 'Content-Type': 'text/plain; charset=utf-8' }, body: NOT_BUILT }
  }
}

async function answerOf(file: BuiltFile, name: string, given: Headers): Promise<HttpAnswer> {
  const { type, isPackable, bytes, tag } = file
  const headers: Record<string, string> = {
    ...STRICT,
    ETag: tag,
    'Cache-Control': name.startsWith('assets/') ? FOR_EVER : 'no-cache',
    Vary: 'Accept-Encoding',
  }
  if (namesTag(given.get('if-none-match'), tag)) return { status: 304, headers, body: null }
  headers['Content-Type'] = type
  const packing = isPackable ? packingFor(given.get('accept-encoding'), PREFERRED) : undefined
  if (packing === undefined) return { status: 200, headers, body: bytes }
  let body = file.packed.get(packing)
  if (body === undefined) {
    body = packed(bytes, packing)
    file.packed.set(packing, body)
  }
  return { status: 200, headers: { ...headers, 'Content-Encoding': packing }, body: await body }
}
