import { createServer, type ServerOptions, type SluiceServer } from '../../../src/server/index.ts'
import { answersByWorker } from './loopback.ts'

export const ADMIN = 'key-of-an-administrator'
/** Key of a user whose policy shows only rows of the namespace `theirs`. */
export const READER = 'key-of-a-reader-of-theirs'

const EMAIL = 'reader@example.com'

export const KEYS = [ADMIN, { key: READER, email: EMAIL, roles: ['read'] }] as const

export interface Sent {
  readonly status: number
  readonly type: string
  readonly text: string
}

/** Returns the status and text of an answer. */
export async function faultOf(sent: Promise<Sent>): Promise<string> {
  const { status, text } = await sent
  return `${status} ${text.trimEnd()}`
}

/** A server for tests of read APIs over logs. `SLUICE_TEST_WORKERS=1` gives it a worker. */
export class LogServer {
  readonly server: SluiceServer

  private constructor(server: SluiceServer) {
    this.server = server
  }

  static async open(options: Pick<ServerOptions, 'keys' | 'limits' | 'workers'> = {}): Promise<LogServer> {
    return new LogServer(await createServer({ keys: KEYS, ...(answersByWorker ? { workers: 1 } : {}), ...options }))
  }

  async sent(path: string, init: RequestInit = {}): Promise<Sent> {
    const response = await this.server.fetch(new Request(`http://localhost${path}`, init))
    return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() }
  }

  /** Sends JSON with the administrator's key. */
  post(path: string, body: unknown): Promise<Sent> {
    const headers = { Authorization: ADMIN, 'Content-Type': 'application/json' }
    return this.sent(path, { method: 'POST', headers, body: JSON.stringify(body) })
  }

  /** Applies the reader's policy. */
  async restrictReader(): Promise<void> {
    const filters = [{ op: 'match', value: 'theirs' }]
    const dataScope = { simple: { conditions: [{ key: 'namespace', type: 'string', origin: 'root', filters }] } }
    const made = await this.post('/api/rbac/policy/create', { name: 'theirs', role: { read: null }, dataScope })
    const { uuid } = JSON.parse(made.text) as { readonly uuid: string }
    await this.post('/api/rbac/policy/apply', { emails: [EMAIL], policyUUIDs: [uuid], override: true })
  }
}
