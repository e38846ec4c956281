import type { ManifestState } from '../durable/index.ts'

/** What a data folder holds in files of its own. */
export interface FileFigures {
  /** Segments and files of samples. */
  readonly segments: number
  /** Of these, their filters and dictionaries. */
  readonly segmentBytes: number
}

/** Segments and files of samples that others took the place of since the start. */
export interface Turnover {
  /** By merging. */
  mergedSegments: number
  /** By retention. */
  expiredSegments: number
}

export function fileFigures({ tables }: Pick<ManifestState, 'tables'>): FileFigures {
  let count = 0
  let bytes = 0
  for (const { segments, groups, dictionaries } of tables.values()) {
    count += segments.length
    for (const each of segments) bytes += each.bytes
    for (const each of groups) bytes += each.bytes
    bytes += dictionaries?.bytes ?? 0
  }
  return { segments: count, segmentBytes: bytes }
}
