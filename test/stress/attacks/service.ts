import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { jsonLineChunks } from '../../../bench/datasets.ts'
import { present } from '../../../src/base/index.ts'
import { printKeyFile } from '../../../src/server/auth/key-file.ts'
import { hashKey, roles } from '../../../src/server/auth/keys.ts'
import { logSearchBody } from './attack.ts'
import { writeCatalogs, type CatalogKind } from './catalogs.ts'
import { startServer, type ServerProcess } from '../../harness/server-process.ts'

export interface AddressParts {
  readonly host: string
  readonly port: number
}

/** API keys of the attacker and of the harmless light caller. */
export const hostileKey = 'key-of-the-hostile-caller-0123456789'
export const lightKey = 'key-of-the-light-caller-0123456789ab'

const SALT = 'a salt for the attacks'

/** Prepares the data of a service with `rows` logs and a few hundred series. The service can be started repeatedly. */
export class Setting {
  readonly #folder = mkdtempSync(join(tmpdir(), 'sluice-attacks-'))
  readonly #rows: number
  readonly #serving: readonly string[]
  readonly #program: string | undefined
  #catalogs: Readonly<Record<CatalogKind, string>> | undefined

  /**
   * `serving` are additional arguments of `serve`. With `isPacked` the output of `npm run build` runs instead of the
   * source.
   */
  constructor(rows: number, serving: readonly string[], isPacked: boolean) {
    this.#rows = rows
    this.#serving = serving
    this.#program = isPacked ? join(import.meta.dirname, '../../../bin/sluice.cjs') : undefined
  }

  get #logs(): string {
    return join(this.#folder, 'logs.jsonl')
  }

  async prepare(): Promise<void> {
    await pipeline(Readable.from(jsonLineChunks({ rows: this.#rows, seed: 1 })), createWriteStream(this.#logs))
    const keys = [hostileKey, lightKey].map((key) => ({
      hash: hashKey(SALT, key),
      email: undefined,
      roles: new Set(roles),
      backends: undefined,
    }))
    writeFileSync(join(this.#folder, 'keys.json'), printKeyFile(SALT, keys))
  }

  /** Starts a service whose own memory or whose catalog holds the rows. */
  async start(kind?: CatalogKind): Promise<Service> {
    if (kind !== undefined) this.#catalogs ??= await writeCatalogs(this.#folder, this.#logs)
    const data = kind === undefined ? ['--load', `logs=${this.#logs}`] : ['--catalog', present(this.#catalogs)[kind]]
    const process = await startServer(
      ['--keys', join(this.#folder, 'keys.json'), ...data, '--log-level', 'silent', ...this.#serving],
      ['--import', join(import.meta.dirname, 'stepping-clock.ts')],
      {},
      this.#program,
    )
    const { hostname, port } = new URL(process.address)
    const address = { host: hostname, port: Number(port) }
    const service = { process, address, pid: present(process.child.pid), folder: this.#folder }
    if (kind !== undefined) {
      await firstAnswer(process.address)
      return service
    }
    const response = await fetch(`${process.address}/api/v1/import/prometheus`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${lightKey}`, 'Content-Type': 'text/plain' },
      body: samples(),
    })
    if (!response.ok) throw new Error(await response.text())
    while (!(await fetch(`${process.address}/readyz`)).ok) await sleep(50)
    return service
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

export interface Service {
  readonly process: ServerProcess
  readonly address: AddressParts
  readonly pid: number
  /** Folder with the files of its catalog, if it has one. */
  readonly folder?: string
}

const FIRST_ANSWER_MS = 120_000

/** Resolves when a query has succeeded. Then the service's threads have opened the databases. */
async function firstAnswer(address: string): Promise<void> {
  const sinceMs = performance.now()
  for (;;) {
    const response = await fetch(`${address}/api/logs/v2/search`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${lightKey}`, 'Content-Type': 'application/json' },
      body: logSearchBody('* | limit 1'),
    })
    const text = await response.text()
    if (response.ok) return
    if (performance.now() - sinceMs > FIRST_ANSWER_MS) throw new Error(text)
  }
}

/** Returns the id of a process and the ids of its child processes. */
export function familyOf(pid: number): readonly number[] {
  const others = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return [pid, ...others.filter((name) => parentOf(name) === pid).map(Number)]
}

function parentOf(name: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}

/** Returns one hour of the metric `m` in the Prometheus text format: 200 series with a sample every 15 s. */
export function samples(): string {
  const startMs = Date.parse('2026-03-17T10:00:00Z')
  const lines: string[] = []
  for (let pod = 0; pod < 200; pod++) {
    for (let i = 0; i <= 240; i++)
      lines.push(`m{pod="pod-${pod}",zone="z${pod % 7}"} ${(pod * i) % 97} ${startMs + i * 15_000}`)
  }
  return `${lines.join('\n')}\n`
}
