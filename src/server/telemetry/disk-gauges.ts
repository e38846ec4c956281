import type { DiskReserve } from '../../store/durable/index.ts'
import type { Telemetry } from './telemetry.ts'

/** Gauges that show when a disk fills up. */
export function addDiskGauges(telemetry: Telemetry, reserve: DiskReserve): void {
  const freeBytes = (): number => {
    try {
      return reserve.freeBytes
    } catch {
      // NaN leaves out this gauge; the other gauges are still reported.
      return NaN
    }
  }
  telemetry.gauge('sluice_disk_free_bytes', 'Free bytes on the disk of the data folder.', freeBytes)
  telemetry.gauge(
    'sluice_disk_reserve_bytes',
    'Free bytes that ingest leaves on the disk; further batches get 507.',
    () => reserve.reserveBytes,
  )
}
