import type { MonitorFilter, MonitorRow, MonitorService, PolicyService, SilenceService } from '../../resources/index.ts'
import type { Monitor } from '../../wire/index.ts'
import type { Caller } from '../auth/caller.ts'

/** Monitors, silences and policies. A route whose service is absent does not exist. */
export interface ResourceServices {
  readonly monitors?: MonitorService | undefined
  readonly silences?: SilenceService | undefined
  readonly policies?: PolicyService | undefined
  /** The ids of the monitors that pass a filter, in any order. Rejects with a SluiceError for one that cannot be read. */
  readonly pickMonitors?: (
    rows: readonly MonitorRow[],
    filter: MonitorFilter,
    caller: Caller,
  ) => Promise<readonly string[]>
  /** Throws a ResourceError for a monitor that does not compile. */
  readonly checkMonitor?: (monitor: Monitor, caller: Caller) => void
}
