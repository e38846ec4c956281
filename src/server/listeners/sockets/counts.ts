import type { Telemetry } from '../../telemetry/telemetry.ts'

/** Reasons for dropping records or closing a connection. */
export type Why = 'full' | 'too-long' | 'framing' | 'lost' | 'slow' | 'memory' | 'connections' | 'key' | 'refused'

/** Counts stored and dropped records. */
export interface Counts {
  readonly stored: (count: number) => void
  readonly dropped: (why: Why, count?: number) => void
}

/** Returns counters for a protocol. `unit` is the counted item: `messages` or `records`. */
export function countsOf(telemetry: Telemetry, name: 'syslog' | 'forward', unit: 'messages' | 'records'): Counts {
  const stored = telemetry.counter(
    `sluice_${name}_${unit}_total`,
    `${unit.charAt(0).toUpperCase()}${unit.slice(1)} of ${name} that are stored.`,
  )
  const dropped = telemetry.counter(
    `sluice_${name}_dropped_total`,
    `Records of ${name} that were not stored, and connections that were closed, by reason.`,
    'reason',
  )
  return { stored: (count) => stored(count), dropped: (why, count = 1) => dropped(count, why) }
}
