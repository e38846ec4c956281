import type { IngestReport } from './decoder.ts'
import type { IngestRequest, IngestService } from './ingest-service.ts'

/** Notified of the result of each body. Must not throw. */
export interface IntakeWatch {
  taken?(request: IngestRequest, report: IngestReport): void
  refused?(request: IngestRequest, error: unknown): void
}

/** Returns a service that stores data and informs observers of each result. */
export function watchedIntake(ingest: IngestService, watches: readonly IntakeWatch[]): IngestService {
  return {
    ingest: async (request) => {
      try {
        const report = await ingest.ingest(request)
        for (const watch of watches) watch.taken?.(request, report)
        return report
      } catch (error) {
        for (const watch of watches) watch.refused?.(request, error)
        throw error
      }
    },
  }
}
