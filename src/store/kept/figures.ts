import { liveRowGroups, type ManifestState } from '../durable/index.ts'

/** What a data folder holds in files of its own. */
export interface FileFigures {
  /** Row groups and files of samples. */
  readonly segments: number
  /** Of parts, files of samples and dictionaries. */
  readonly segmentBytes: number
}

/** Row groups and files of samples that left since the start. */
export interface Turnover {
  /** By merging their rows with those of others. */
  mergedSegments: number
  /** By retention. */
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
