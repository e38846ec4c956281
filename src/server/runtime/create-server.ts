import type { ServerOptions, SluiceServer } from './server-options.ts'
import { ServerRuntime } from './server-runtime.ts'

/**
 * Makes a server, which listens nowhere yet. Rejects with a SluiceError when a key, the key file, the data folder or the
 * tables cannot be used. What the data folder holds is read back meanwhile: `readBack` tells when. Over a folder that is
 * damaged nothing but health is served, and `readBack` rejects.
 */
export function createServer(options: ServerOptions): Promise<SluiceServer> {
  return ServerRuntime.open(options)
}
