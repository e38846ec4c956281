/** `sluice/server`: the HTTP API over tables, a store or an engine, as a request handler or a listening server. */
export { SluiceError } from '../base/index.ts'
export {
  createServer,
  defaultServerLimits,
  hashKey,
  makeKey,
  parseKeyFile,
  printKeyFile,
  roles,
  type KeyRecord,
  type KeySource,
  type Listening,
  type ListenOptions,
  type Logger,
  type Retention,
  type Role,
  type ServedData,
  type ServerKey,
  type ServerKeys,
  type ServerLimits,
  type ServerOptions,
  type ServerSettings,
  type SlowQuery,
  type SlowQueryLog,
  type SluiceServer,
  type TlsFiles,
} from '../server/index.ts'
export type { Clock } from '../engine/index.ts'
