import type { ServerOptions, SluiceServer } from './server-options.ts'
import { ServerRuntime } from './server-runtime.ts'

/**
 * Creates a server without opening a port. Rejects with a SluiceError if a key, the key file, the data folder or the
 * tables are unusable. Resolves before stored data is replayed; `readBack` resolves after the replay. If the data
 * folder is damaged, the server answers only health checks, and `readBack` rejects.
 */
export function createServer(options: ServerOptions): Promise<SluiceServer> {
  return ServerRuntime.open(options)
}
