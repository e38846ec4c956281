import { isIP } from 'node:net'
import type { EmailIntegration } from '../config/index.ts'
import type { EmailMessage } from '../payloads/index.ts'
import type { SendOutcome } from '../types.ts'
import { ATTEMPT_MS, withDeadline } from './clock.ts'
import { outcomeOfError, type SendTools } from './http.ts'

/** Port for implicit TLS. */
const TLS_PORT = 465

function outcomeOfSmtp(error: unknown): SendOutcome {
  const code: unknown = error instanceof Error && 'responseCode' in error ? error.responseCode : undefined
  if (typeof code !== 'number') return outcomeOfError(error)
  // The server's message is left out, since it may echo a secret.
  const reason = `The mail server answered with ${code}.`
  return code >= 500 ? { kind: 'failed', reason } : { kind: 'retry', reason }
}

async function send(
  integration: EmailIntegration,
  message: EmailMessage,
  signal: AbortSignal,
  tools: SendTools,
): Promise<SendOutcome> {
  const { host, port, hello, username, password, requireTls } = integration
  const [address] = await tools.addresses.resolve(host)
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    // Connects to the checked address: the name could resolve to another one.
    host: address?.address ?? host,
    port,
    secure: port === TLS_PORT,
    requireTLS: requireTls,
    ...(isIP(host) === 0 ? { tls: { servername: host } } : {}),
    ...(hello === undefined ? {} : { name: hello }),
    ...(username === undefined ? {} : { auth: { user: username, pass: password?.reveal() ?? '' } }),
    connectionTimeout: ATTEMPT_MS,
    greetingTimeout: ATTEMPT_MS,
    socketTimeout: ATTEMPT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  signal.addEventListener('abort', () => transport.close())
  try {
    await transport.sendMail(message)
    return { kind: 'success' }
  } finally {
    transport.close()
  }
}

/** Attempts to send an e-mail, for at most 10 s. Never rejects. */
export async function sendEmail(
  integration: EmailIntegration,
  message: EmailMessage,
  tools: SendTools,
): Promise<SendOutcome> {
  try {
    return await withDeadline(tools.clock, (signal) => {
      const aborted = new Promise<never>((_, fail) => {
        signal.addEventListener('abort', () => fail(new DOMException('The attempt took too long.', 'AbortError')))
      })
      return Promise.race([send(integration, message, signal, tools), aborted])
    })
  } catch (error) {
    return outcomeOfSmtp(error)
  }
}
