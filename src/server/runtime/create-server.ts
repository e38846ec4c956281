import type { ServerOptions, SluiceServer } from './server-options.ts'
import { ServerRuntime } from './server-runtime.ts'

/**
 * Makes a server without opening a port. Rejects with a SluiceError if a key, the key file, the data folder or the
 * tables are unusable. The data folder is replayed meanwhile: see `readBack`. With a damaged folder the server only
 * answers health checks, and `readBack` rejects.
 */
export function createServer(options: ServerOptions): Promise<SluiceServer> {
  return ServerRuntime.open(options)
}
