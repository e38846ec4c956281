import { join } from 'node:path'
import { SluiceError, nowhere } from '../../base/index.ts'
import { durableDiagnostic, type Files, type ManifestState } from '../durable/index.ts'

const SEGMENTS = 'segments'

/** The name of a folder for a backend, whatever its id: also where names differ only in case, and never `.` or `..`. */
function folderName(backend: string): string {
  return encodeURIComponent(backend).replaceAll(/[A-Z.*]|%[0-9A-F]{2}/g, (found) =>
    found.startsWith('%') ? found.toLowerCase() : `%${found.charCodeAt(0).toString(16)}`,
  )
}

/** Where the segments of a backend lie. */
export function backendFolder(folder: string, backend: string): string {
  return join(folder, SEGMENTS, folderName(backend))
}

export function segmentFile(table: string, number: number): string {
  return `${table}-${number}.segment`
}

export function dictionariesFile(table: string, number: number): string {
  return `${table}-${number}.dictionaries`
}

const OURS = /^[a-z_]+-\d+\.(?:segment|dictionaries)$/

/** Removes what a crash left of files that were being written: those that look like ours and that the manifest does not name. */
export function removeStrays(
  files: Files,
  folder: string,
  { tables }: ManifestState,
  backends: ReadonlySet<string>,
): void {
  for (const backend of backends) {
    const path = backendFolder(folder, backend)
    const entries = [...tables.values()].filter((entry) => entry.backend === backend)
    const named = new Set(
      entries.flatMap(({ segments, dictionaries }) => [...segments, dictionaries].map((file) => file?.name)),
    )
    for (const name of files.list(path)) if (OURS.test(name) && !named.has(name)) files.remove(join(path, name))
  }
}

/** Throws `durable/unknown-backend` where segments are of a backend that is not there. */
export function checkBackends({ tables }: ManifestState, backends: ReadonlySet<string>): void {
  for (const { backend, segments } of tables.values())
    if (segments.length > 0 && !backends.has(backend))
      throw new SluiceError([durableDiagnostic('unknown-backend', { backend }, nowhere)])
}
