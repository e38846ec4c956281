import type { DiskReserve } from '../../store/durable/index.ts'
import type { Telemetry } from './telemetry.ts'

/** Figures by which a full disk is seen to come. */
export function addDiskGauges(telemetry: Telemetry, reserve: DiskReserve): void {
  const freeBytes = (): number => {
    try {
      return reserve.freeBytes
    } catch {
      // The other figures are given all the same.
      return NaN
    }
  }
  telemetry.gauge('sluice_disk_free_bytes', 'Bytes that the disk of the data folder has free.', freeBytes)
  telemetry.gauge(
    'sluice_disk_reserve_bytes',
    'Free bytes that no batch takes: what would leave fewer is refused with 507.',
    () => reserve.reserveBytes,
  )
}
