import { join } from 'node:path'
import { SluiceError, nowhere } from '../../base/index.ts'
import {
  durableDiagnostic,
  isFileName,
  makeFolder,
  type Files,
  type ManifestState,
  type TableEntry,
} from '../durable/index.ts'

/** Where the files of rows lie. */
export const SEGMENTS = 'segments'

/** The name of a folder for a backend, whatever its id: also where names differ only in case, and never `.` or `..`. */
export function folderName(backend: string): string {
  return encodeURIComponent(backend).replaceAll(/[A-Z.*]|%[0-9A-F]{2}/g, (found) =>
    found.startsWith('%') ? found.toLowerCase() : `%${found.charCodeAt(0).toString(16)}`,
  )
}

/** Where the files of a backend lie. */
export function backendFolder(folder: string, backend: string): string {
  return join(folder, SEGMENTS, folderName(backend))
}

export function partFile(table: string, number: number): string {
  return `${table}-${number}.part`
}

export function dictionariesFile(table: string, number: number): string {
  return `${table}-${number}.dictionaries`
}

/** A file of samples. */
export function samplesFile(number: number): string {
  return `samples-${number}.samples`
}

/** Files in a backend's folder that look like ours and that the manifest does not name. */
function straysIn(files: Files, path: string, named: ReadonlySet<string>): readonly string[] {
  return files.list(path).filter((name) => isFileName(name) && !named.has(name))
}

/** Names of all files that a manifest names of a table. */
export function fileNamesOf({ parts, dictionaries }: TableEntry): readonly string[] {
  return [...parts, dictionaries].flatMap((file) => (file === undefined ? [] : [file.name]))
}

function namesOf({ tables }: ManifestState, isWanted: (backend: string) => boolean): ReadonlySet<string> {
  const wanted = [...tables.values()].filter(({ backend }) => isWanted(backend))
  return new Set(wanted.flatMap(fileNamesOf))
}

/** Removes what a crash left of files that were being written. */
export function removeStrays(files: Files, folder: string, state: ManifestState, backends: ReadonlySet<string>): void {
  for (const backend of backends) {
    const path = backendFolder(folder, backend)
    const named = namesOf(state, (each) => each === backend)
    for (const name of straysIn(files, path, named)) files.remove(join(path, name))
  }
}

/** A folder that is not there yet, for files of rows that are not served. */
export function asideFolder(files: Files, folder: string): string {
  let number = 1
  while (files.exists(join(folder, `${SEGMENTS}-aside-${number}`))) number++
  return join(folder, `${SEGMENTS}-aside-${number}`)
}

/**
 * Moves files that a manifest does not name, or names no longer since it was damaged, where no start removes them: their batches may
 * have left the log. Gives the folder that they are in and how many there are; `undefined` where there are none.
 */
export function setStraysAside(
  files: Files,
  folder: string,
  state: ManifestState,
): { readonly path: string; readonly count: number } | undefined {
  const all = join(folder, SEGMENTS)
  const strays = files.list(all).flatMap((backend) => {
    const named = namesOf(state, (each) => folderName(each) === backend)
    return straysIn(files, join(all, backend), named).map((name) => ({ backend, name }))
  })
  if (strays.length === 0) return undefined
  const path = asideFolder(files, folder)
  for (const { backend, name } of strays) {
    makeFolder(files, join(path, backend))
    files.rename(join(all, backend, name), join(path, backend, name))
  }
  return { path, count: strays.length }
}

/** Throws `durable/unknown-backend` where parts are of a backend that is not there. */
export function checkBackends({ tables }: ManifestState, backends: ReadonlySet<string>): void {
  for (const { backend, parts } of tables.values())
    if (parts.length > 0 && !backends.has(backend))
      throw new SluiceError([durableDiagnostic('unknown-backend', { backend }, nowhere)])
}
