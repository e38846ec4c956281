import type {
  MonitorFilter,
  MonitorRow,
  MonitorService,
  PolicyService,
  SavedQueryService,
  SilenceService,
} from '../../resources/index.ts'
import type { Monitor } from '../../wire/index.ts'
import type { Caller } from '../auth/caller.ts'

/** Monitors, silences, policies and saved queries. A route whose service is missing does not exist. */
export interface ResourceServices {
  readonly monitors?: MonitorService | undefined
  readonly silences?: SilenceService | undefined
  readonly policies?: PolicyService | undefined
  readonly savedQueries?: SavedQueryService | undefined
  /**
   * Returns the ids of the monitors that match a filter, in any order. Rejects with a SluiceError for an invalid
   * filter.
   */
  readonly pickMonitors?: (
    rows: readonly MonitorRow[],
    filter: MonitorFilter,
    caller: Caller,
  ) => Promise<readonly string[]>
  /** Throws a ResourceError for a monitor that does not compile. */
  readonly checkMonitor?: (monitor: Monitor, caller: Caller) => void
}
