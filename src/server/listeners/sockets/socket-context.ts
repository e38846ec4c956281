import type { Logger } from '../../settings/environment.ts'
import type { IngestService } from '../../ingest/ingest-service.ts'
import type { Telemetry } from '../../telemetry/telemetry.ts'

/** What a protocol of its own port needs of the server. */
export interface SocketContext {
  readonly ingest: IngestService
  /** Ids of the backends. */
  readonly backends: readonly string[]
  readonly telemetry: Telemetry
  readonly log: Logger
  /** What storing may take at the end, milliseconds. */
  readonly drainMs: number
  /** One message, bytes. */
  readonly messageBytes: number
}
