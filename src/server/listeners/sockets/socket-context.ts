import type { Logger } from '../../settings/environment.ts'
import type { IngestService } from '../../ingest/ingest-service.ts'
import type { Telemetry } from '../../telemetry/telemetry.ts'

/** State of the server that a protocol with its own port uses. */
export interface SocketContext {
  readonly ingest: IngestService
  /** Ids of the backends. */
  readonly backends: readonly string[]
  readonly telemetry: Telemetry
  readonly log: Logger
  /** Maximum time for storing received data when the server stops, ms. */
  readonly drainMs: number
  /** Maximum size of a message, bytes. */
  readonly messageBytes: number
}
