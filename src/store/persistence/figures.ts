import { liveRowGroups, type ManifestState } from '../durable/index.ts'

/** Number and size of the files of a data folder. */
export interface FileFigures {
  /** The number of row groups and sample files. */
  readonly segments: number
  /** The total bytes of parts, sample files and dictionaries. */
  readonly segmentBytes: number
}

/** Numbers of row groups and sample files that were removed since the start. */
export interface Turnover {
  /** Replaced by a merge. */
  mergedSegments: number
  /** Removed by retention. */
  expiredSegments: number
}

export function fileFigures({ tables }: Pick<ManifestState, 'tables'>): FileFigures {
  let count = 0
  let bytes = 0
  for (const { parts, dictionaries } of tables.values()) {
    for (const each of parts) {
      count += liveRowGroups(each).length
      bytes += each.bytes
    }
    bytes += dictionaries?.bytes ?? 0
  }
  return { segments: count, segmentBytes: bytes }
}
