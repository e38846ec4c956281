import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { ToolCaller } from './call.ts'
import { agentServer } from './server.ts'

/** Serves one agent on standard input and output until `signal` aborts or the input ends. Never rejects. */
export async function serveAgent(caller: ToolCaller, input: NodeJS.ReadableStream, signal: AbortSignal): Promise<void> {
  const handle = serveStdio(() => agentServer(caller))
  await new Promise<void>((done) => {
    for (const event of ['end', 'close', 'error']) input.once(event, () => done())
    if (signal.aborted) done()
    else signal.addEventListener('abort', () => done(), { once: true })
  })
  await handle.close()
}
